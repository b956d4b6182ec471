// Capture tab of the right sidebar: screenshots and videos, with their size, frame rate and timing.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include "app/capture/picture_preset.h"
#include "app/window/document/file_listing.h"
#include "app/window/ui/actions/actions.h"
#include "app/window/ui/actions/capture_sizes.h"
#include "app/window/ui/app.h"
#include "app/window/ui/panels/panels.h"
#include "app/window/ui/widgets/widgets.h"
#include "render/film/film_rays.h"

namespace vw::ui {
namespace {

template <std::size_t N>
void size_combo(const char* id, const std::array<PictureSize, N>& sizes, int& chosen) {
  ImGui::SetNextItemWidth(-1);
  const auto name = [](const PictureSize& s) {
    return s.width == 0 ? std::string(s.name) : fmt::format("{} ({} x {})", s.name, s.width, s.height);
  };
  if (!begin_combo(id, name(sizes[static_cast<std::size_t>(chosen)]))) return;
  for (std::size_t i = 0; i < N; ++i)
    if (ImGui::Selectable(name(sizes[i]).c_str(), chosen == static_cast<int>(i))) chosen = static_cast<int>(i);
  ImGui::EndCombo();
}

/// Draws a row with a label and a bar slider.
void int_row(const char* label, const char* format, int& value, std::int64_t min, std::int64_t max, Scale scale,
             const char* hint) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(label);
  tooltip(hint);
  ImGui::SameLine(em(9.5F));
  ImGui::SetNextItemWidth(-1);
  std::int64_t wide = value;
  ImGui::PushID(label);
  if (bar_slider("##value", ImGuiDataType_S64, &wide, &min, &max, format, scale))
    value = static_cast<int>(std::clamp(wide, min, max));
  ImGui::PopID();
}

/// Draws a button for each preset of the view. A preset with a size also chooses the size of screenshots.
void draw_presets(App& app) {
  for (const PicturePreset& preset : picture_presets()) {
    if (&preset != picture_presets().data()) ImGui::SameLine();
    if (ImGui::Button(preset.label)) {
      std::vector<Assignment> assignments;
      for (const auto& [key, value] : preset.values) assignments.push_back({"view." + key, value});
      if (app.session.document != nullptr) app.session.document->end_gesture();  // a separate undo step
      edit(app, assignments);
      for (std::size_t i = 0; i < screenshot_sizes.size() && preset.width > 0; ++i)
        if (screenshot_sizes[i].width == preset.width) app.view.capture.screenshot_size = static_cast<int>(i);
    }
    tooltip(preset.doc);
  }
  bool is_transparent = app.session.view().transparent;
  if (ImGui::Checkbox("Transparent background", &is_transparent))
    edit(app, {{"view.transparent", Value(is_transparent)}});
  tooltip(
      "Screenshots have an alpha channel instead of sky and ground, except pictures in film quality; the window shows "
      "a white background");
}

void draw_screenshot(App& app) {
  heading("Screenshot", app.ui.fonts.strong);
  ImGui::Checkbox("Include the interface", &app.view.capture.screenshot_interface);
  tooltip("Captures the whole window with its panels, instead of the picture alone");
  if (!app.view.capture.screenshot_interface) size_combo("##size", screenshot_sizes, app.view.capture.screenshot_size);
  draw_presets(app);
  if (primary_button(with_key("Take screenshot", "screenshot").c_str(), {-1, 0})) take_screenshot(app);
}

/// Draws the progress of a picture in film quality, and the buttons that end it.
void draw_film_progress(App& app, FilmProgress& progress) {
  app.times.busy_until_s = std::max(app.times.busy_until_s, app.times.wall_s + 0.3);  // redraw the progress bar
  const double share = progress.share(), remaining_s = progress.remaining_s();
  std::string text = fmt::format("{:.0f} %", 100 * share);
  if (remaining_s >= 0) text += fmt::format(", {:.0f} s left", std::ceil(remaining_s));
  ImGui::PushStyleColor(ImGuiCol_PlotHistogram, palette::accent_dim);
  ImGui::ProgressBar(static_cast<float>(share), {-1, 0}, text.c_str());
  ImGui::PopStyleColor();
  if (ImGui::Button("Finish now")) progress.finish_early();
  tooltip("Ends the picture with the samples so far and saves it");
  ImGui::SameLine();
  if (ImGui::Button("Cancel")) progress.cancel();
}

void draw_film(App& app) {
  heading("Film quality", app.ui.fonts.strong);
  if (!film::FilmRays::available()) return dim_text("This program was built without Embree (package libembree-dev).");
  if (app.view.film_picture != nullptr && !app.view.film_picture->is_done())
    return draw_film_progress(app, *app.view.film_picture);
  int_row("Samples", "%lld per pixel", app.view.film.samples, 4, 4096, Scale::log,
          "Samples per pixel: 16 suffice for a preview, 256 for print. The time grows in proportion");
  int& aperture = app.view.film.aperture_mm;
  int_row("Aperture", aperture == 0 ? "all in focus" : "%lld mm", aperture, 0, 200, Scale::linear,
          "Diameter of the lens. Objects that are nearer or farther than the camera's target appear blurred");
  if (ImGui::Button("Take picture in film quality", {-1, 0})) take_film_picture(app);
  tooltip(
      "Renders the displayed moment by path tracing, in the size of screenshots. The simulation can continue "
      "meanwhile, but both are then slower");
}

void draw_timing(App& app) {
  RecordSettings& record = app.view.capture.record;
  choose_timing(app);
  int timing = record.by_simulated_time ? 1 : 0;
  bool chosen = ImGui::RadioButton("By real time", &timing, 0);
  tooltip("Records what the window shows: slow motion stays slow, and pauses are recorded");
  chosen |= ImGui::RadioButton("By simulated time", &timing, 1);
  tooltip(
      "Records a fixed number of pictures per simulated second; no picture is dropped, because the simulation waits "
      "for the encoder");
  record.by_simulated_time = timing == 1;
  app.view.capture.timing_chosen |= chosen;
  if (!app.view.capture.timing_chosen && record.by_simulated_time) dim_text("The simulation is slower than real time.");
  int_row("Video", "%lld frames/s", record.video.fps, 10, 120, Scale::linear, "Frame rate of the file");
  if (record.by_simulated_time) {
    int_row("Pictures", "%lld per simulated s", record.frames_per_simulated_s, 1, 2000, Scale::log,
            "Number of pictures per simulated second");
    const double slow = static_cast<double>(record.video.fps) / record.frames_per_simulated_s;
    dim_text(fmt::format("The video plays at {:.3g}\xC3\x97 real time.", slow));
  } else {
    ImGui::Checkbox("Include the interface##video", &record.with_interface);
  }
  int_row("Quality", "CRF %lld", record.video.quality, 10, 35, Scale::linear,
          "Constant rate factor of the encoder; a lower value gives better quality and a larger file");
}

void draw_video(App& app) {
  heading("Video", app.ui.fonts.strong);
  const bool recording = app.view.recorder.active();
  if (recording) {
    ImGui::TextColored(palette::error, "Recording");
    ImGui::SameLine();
    if (app.view.recorder.frames() == 0)
      ImGui::TextUnformatted("Drawing the first picture\xE2\x80\xA6");
    else
      ImGui::Text("%.1f s, %zu frames", app.view.recorder.seconds(), app.view.recorder.frames());
    dim_text(app.view.recording_path);
    if (ImGui::Button(with_key("Stop recording", "record").c_str(), {-1, 0})) stop_recording(app);
    return;
  }
  const bool as_window = app.view.capture.record.with_interface && !app.view.capture.record.by_simulated_time;
  if (!as_window) size_combo("##video size", video_sizes, app.view.capture.video_size);
  draw_timing(app);
  if (primary_button(with_key("Record video", "record").c_str(), {-1, 0})) start_recording(app);
  dim_text(video_backend());
}

void draw_export_progress(App& app) {
  app.times.busy_until_s = std::max(app.times.busy_until_s, app.times.wall_s + 0.3);  // redraw the numbers
  const FrameExport& frames = app.view.frame_export;
  if (frames.recorder == nullptr)
    dim_text("Opening the files\xE2\x80\xA6");
  else
    ImGui::Text("%zu frames, %.2f s", frames.recorder->frames(), frames.recorder->seconds());
  dim_text(frames.path);
  if (ImGui::Button("Finish export")) finish_export(app);
  ImGui::SameLine();
  if (ImGui::Button("Cancel##export")) cancel_export(app);
  tooltip("Ends the export and removes incomplete files");
}

/// Draws a combo box with the export formats that this build can write.
void format_combo(FrameExport& frames) {
  const auto formats = export_formats();
  const auto name = [](const ExportFormat& format) { return format.ending + " - " + format.content; };
  ImGui::SetNextItemWidth(-1);
  if (!begin_combo("##format", name(formats[frames.format]))) return;
  for (std::size_t i = 0; i < formats.size(); ++i)
    if (formats[i].is_built && ImGui::Selectable(name(formats[i]).c_str(), frames.format == i)) frames.format = i;
  ImGui::EndCombo();
}

void draw_export(App& app) {
  heading("Frames for other programs", app.ui.fonts.strong);
  if (exports_frames(app)) return draw_export_progress(app);
  FrameExport& frames = app.view.frame_export;
  format_combo(frames);
  int_row("Frames", "%lld per simulated s", frames.frames_per_s, 1, 2000, Scale::log,
          "Number of frames per simulated second; each frame is taken at the nearest step");
  ImGui::Checkbox("Surfaces of fluids", &frames.has_surfaces);
  tooltip("Adds the surface of each fluid as a mesh to each frame, which takes longer");
  if (ImGui::Button("Start export", {-1, 0})) start_export(app);
  tooltip(
      "Writes all systems with all channels, from the present moment on, while the simulation runs. The simulation "
      "waits "
      "while a frame is written");
}

void draw_moment_choice(App& app) {
  heading("Stored scene", app.ui.fonts.strong);
  bool embeds = app.ui.preferences.embeds_moments();
  if (app.options.no_moment) {
    dim_text("The program was started with --no-moment.");
  } else if (ImGui::Checkbox("Store the scene in pictures", &embeds)) {
    if (auto kept = app.ui.preferences.set_embeds_moments(embeds); !kept)
      app.log.warning("The setting is not kept for the next session: " + kept.error().message());
  }
  tooltip(
      "Pictures and videos hold the scene and all commands, so that they open again at the moment that they show. "
      "Anyone who receives the file can read them");
}

}  // namespace

void draw_capture_panel(App& app) {
  if (!app.session.have_snapshot) dim_text("No scene is open. Open one with Ctrl+O to record pictures of it.");
  draw_screenshot(app);
  draw_film(app);
  draw_video(app);
  draw_export(app);
  draw_moment_choice(app);
  heading("Folder", app.ui.fonts.strong);
  ImGui::SetNextItemWidth(-1);
  ImGui::InputTextWithHint("##folder", capture_folder("Pictures").c_str(), &app.view.capture.folder);
  tooltip(
      "Folder for pictures, videos and tables. If empty, the folders for pictures, videos and documents of your "
      "account are used");
}

}  // namespace vw::ui
