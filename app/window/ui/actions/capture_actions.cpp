// Screenshots and video recording on the drawing thread. Files are written in the background.
#include <algorithm>
#include <filesystem>
#include <optional>

#include <fmt/format.h>
#include <glad/gl.h>

#include "app/window/document/file_listing.h"
#include "app/window/ui/actions/capture_moment.h"
#include "app/window/ui/actions/capture_sizes.h"
#include "app/window/ui/app.h"
#include "sim/base/files/file.h"

namespace vw::ui {
namespace {

/// Time that each frame of the window may spend on drawing pictures for a recording by simulated time [s]. During user
/// input, the time is short, so that the window stays responsive. Otherwise the time is longer, so that the video is
/// finished sooner.
constexpr double budget_in_use_s = 0.02, budget_watched_s = 0.12;

void write_table_in_background(App& app, std::string table, const std::string& what) {
  app.background.run([path = capture_path(app, "Documents", ".csv", what), table = std::move(table), &log = app.log] {
    if (auto written = write_file_atomic(path, table); written)
      log.info("Saved table " + path, Toast::yes);
    else
      log.error(written.error().message());
  });
}

void write_in_background(App& app, Image image, const std::string& path) {
  auto shared = std::make_shared<Image>(std::move(image));
  const bool is_transparent = app.session.view().transparent;
  const AlphaChannel alpha =
      is_transparent && !app.view.capture.screenshot_interface ? AlphaChannel::kept : AlphaChannel::dropped;
  app.background.run([shared, path, alpha, moment = shown_moment(app), &log = app.log] {
    if (auto written = write_png(*shared, path, bytes_of(*moment, path, log), alpha); written)
      log.info("Saved screenshot " + path, Toast::yes);
    else
      log.error(written.error().message());
  });
}

/// Size of the picture in the window, in pixels.
std::pair<int, int> picture_size(const App& app) {
  const ImVec2 dpi = ImGui::GetIO().DisplayFramebufferScale;
  const ImVec2 size = shows_second_run(app) ? app.view.viewport.whole_size() : app.view.viewport.size();
  return {std::max(16, static_cast<int>(size.x * dpi.x)), std::max(16, static_cast<int>(size.y * dpi.y))};
}

/// Chosen size of screenshots.
std::pair<int, int> screenshot_size(const App& app) {
  const PictureSize& wanted = screenshot_sizes[static_cast<std::size_t>(app.view.capture.screenshot_size)];
  return wanted.width != 0 ? std::pair(wanted.width, wanted.height) : picture_size(app);
}

/// Whether the window shows legends over the picture (legend.cpp).
bool shows_legends(const Renderer& renderer) {
  const auto& legends = renderer.legends();
  const auto is_shown = [](const Legend& legend) {
    return !legend.colors.empty() || legend.entries.size() > 1 || (legend.lists_one && !legend.entries.empty());
  };
  return renderer.air_legend().shown || renderer.vector_legend().shown || renderer.force_legend().shown ||
         std::any_of(legends.begin(), legends.end(), is_shown);
}

/// Contents of a picture: a frame of the displayed run and, in a comparison, one of the second run.
struct ShownFrames {
  Frame a;
  std::optional<Frame> b = {};
};

/// Frames that the window shows.
ShownFrames frames_on_display(const App& app) {
  const ComparisonShow& comparison = app.session.comparison;
  if (!shows_second_run(app)) return {app.session.frame()};
  return {comparison.is_together() ? Frame{nullptr, &comparison.a(), 1} : app.session.frame(),
          Frame{nullptr, &comparison.b(), 1}};
}

Result<Image> draw_offscreen(App& app, const ShownFrames& frames, int width, int height, bool in_a_hurry = false,
                             AlphaChannel alpha = AlphaChannel::dropped) {
  ViewParams view = app.session.view();
  // Pictures without alpha, such as those of a video, have a white background.
  if (alpha == AlphaChannel::dropped && std::exchange(view.transparent, false)) view.matte = Matte::white;
  // Draw fluids as the window shows them. In an offscreen picture, the automatic style could show surfaces instead.
  if (view.fluid_style == FluidStyle::automatic && !app.view.renderer->shows_surfaces())
    view.fluid_style = FluidStyle::particles;
  // If the window is drawn at a low quality tier, pictures at full quality would be too slow.
  const std::string effort = app.view.renderer->quality_in_force();
  const bool slow = effort.starts_with("minimal") || effort.starts_with("low");
  if (in_a_hurry && slow && view.quality == Quality::automatic) view.quality = Quality::low;
  const LegendOverlay legends =
      view.legend && shows_legends(*app.view.renderer) ? LegendOverlay::drawn : LegendOverlay::none;
  const Camera& camera = app.view.viewport.camera;
  const Selection& selection = app.view.viewport.selection;
  if (!frames.b) return app.view.renderer->draw_image(frames.a, camera, view, selection, width, height, legends);
  view = app.view.comparison.shared_view(app.session.comparison, view, app.times.wall_s);
  const double gap_share = static_cast<double>(em(comparison_gap_em) / app.view.viewport.whole_size().x);
  return app.view.comparison.image(
      app.session.comparison, view, *app.view.renderer,
      {frames.a, *frames.b, camera, selection, width, height, legends, gap_share, names_of_comparison(app)});
}

Vec3 to_vec3(const glm::vec3& v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

void fail_recording(App& app, const Error& error) {
  app.log.error(error.message());
  stop_recording(app);
}

void record_window_or_picture(App& app, std::size_t count, int window_width, int window_height) {
  const RecordSettings& settings = app.view.recorder.settings();
  Result<Image> image = settings.with_interface ? Result<Image>(read_window(window_width, window_height))
                                                : draw_offscreen(app, frames_on_display(app), settings.video.width,
                                                                 settings.video.height, true);
  if (!image) return fail_recording(app, image.error());
  if (auto added = app.view.recorder.add_live(*image, count, app.session.run->newest()); !added)
    fail_recording(app, added.error());
}

}  // namespace

std::string capture_path(const App& app, const char* kind, const char* extension, const std::string& what) {
  const std::string folder = app.view.capture.folder.empty() ? capture_folder(kind) : in_home(app.view.capture.folder);
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  return dated_name(folder, app.session.scene_name() + what, extension);
}

Image read_window(int width, int height) {
  Image image{width, height,
              std::vector<std::uint8_t>(4 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height))};
  glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
  glReadBuffer(GL_BACK);
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, image.rgba.data());
  const auto row = 4 * static_cast<std::size_t>(width);
  for (std::size_t y = 0; y < static_cast<std::size_t>(height) / 2; ++y) {
    auto* top = image.rgba.data() + y * row;
    std::swap_ranges(top, top + row, image.rgba.data() + (static_cast<std::size_t>(height) - 1 - y) * row);
  }
  return image;
}

void take_film_picture(App& app) {
  const bool is_busy = app.view.film_picture != nullptr && !app.view.film_picture->is_done();
  if (!app.session.have_snapshot || is_busy) return;
  const auto [width, height] = screenshot_size(app);
  auto plan = std::make_shared<FilmPlan>(
      FilmPlan{*app.session.snapshot(), app.view.viewport.camera, app.session.view(), width, height, {}});
  plan->settings.samples = app.view.film.samples;
  plan->settings.aperture_m = 1e-3 * app.view.film.aperture_mm;
  auto progress = app.view.film_picture = std::make_shared<FilmProgress>();
  app.background.run([plan, progress, path = capture_path(app, "Pictures", ".png", "-film"),
                      moment = shown_moment(app, {}, PictureRuns::first_only), &log = app.log] {
    auto image = trace_film_picture(*plan, *progress);
    progress->set_done();
    if (progress->is_cancelled()) return log.info("The picture in film quality was cancelled", Toast::yes);
    if (!image) return log.error(image.error().message());
    if (auto written = write_png(*image, path, bytes_of(*moment, path, log)); !written)
      return log.error(written.error().message());
    log.info("Saved picture in film quality " + path, Toast::yes);
  });
}

void cancel_film_picture(App& app) {
  if (app.view.film_picture != nullptr) app.view.film_picture->cancel();
}

void take_screenshot(App& app) {
  if (!app.session.have_snapshot || app.view.renderer == nullptr) return;
  ++app.view.pictures_taken;
  const std::string path = capture_path(app, "Pictures", ".png");
  if (app.view.capture.screenshot_interface) {
    app.view.window_screenshot = {true, path};
    return;
  }
  const auto [width, height] = screenshot_size(app);
  auto image = draw_offscreen(app, frames_on_display(app), width, height, false, AlphaChannel::kept);
  if (!image) return app.log.error(image.error().message());
  write_in_background(app, std::move(*image), path);
}

void save_plots(App& app) { write_table_in_background(app, app.session.plots.table(), {}); }

void save_plot(App& app, std::size_t plot) {
  if (plot < app.session.plots.plans().size())
    write_table_in_background(app, app.session.plots.table_of(plot), "-" + app.session.plots.plans()[plot].name);
}

void finish_window_screenshot(App& app, int window_width, int window_height) {
  if (!app.view.window_screenshot.wanted) return;
  app.view.window_screenshot.wanted = false;
  write_in_background(app, read_window(window_width, window_height), app.view.window_screenshot.path);
}

void choose_timing(CaptureSettings& capture, const Snapshot& now) {
  if (capture.timing_chosen || now.paused || now.realtime_factor <= 0) return;
  constexpr double keeps_up = 0.95;
  capture.record.by_simulated_time = now.realtime_factor < keeps_up * std::min(1.0, now.asked_speed);
}

void choose_timing(App& app) {
  if (const Snapshot* now = app.session.snapshot(); now != nullptr) choose_timing(app.view.capture, *now);
}

void start_recording(App& app) {
  if (app.view.recorder.active() || !app.session.have_snapshot || app.view.renderer == nullptr) return;
  choose_timing(app);
  RecordSettings settings = app.view.capture.record;
  if (settings.by_simulated_time && exports_frames(app))
    return app.log.info("Finish the export of frames before you record a video by simulated time", Toast::yes);
  settings.with_interface = settings.with_interface && !settings.by_simulated_time;
  const PictureSize& wanted = video_sizes[static_cast<std::size_t>(app.view.capture.video_size)];
  auto [width, height] = picture_size(app);
  if (wanted.width != 0) width = wanted.width, height = wanted.height;
  if (settings.with_interface) {
    const ImGuiIO& io = ImGui::GetIO();
    width = static_cast<int>(io.DisplaySize.x * io.DisplayFramebufferScale.x);
    height = static_cast<int>(io.DisplaySize.y * io.DisplayFramebufferScale.y);
  }
  settings.video.width = width - width % 2;  // H.264 with 4:2:0 chroma subsampling requires even sizes
  settings.video.height = height - height % 2;
  // A program without FFmpeg writes a folder of numbered pictures. VideoWriter::open() removes ".mp4" from the name of
  // the folder. Without this ending, it would refuse a folder that has the name of a scene with a dot.
  const bool is_folder = video_backend() == "PNG sequence";
  app.view.recording_path = capture_path(app, "Videos", is_folder ? "" : ".mp4");
  auto opened = VideoWriter::open(app.view.recording_path + (is_folder ? ".mp4" : ""), settings.video);
  if (!opened) return app.log.error(opened.error().message());
  std::shared_ptr<VideoWriter> writer = std::move(*opened);
  std::shared_ptr<SnapshotQueue> queue;
  if (settings.by_simulated_time) {
    queue = std::make_shared<SnapshotQueue>();
    app.session.run->set_sink(queue);
  }
  ++app.view.pictures_taken;
  app.view.frames_before_recording = 2;
  app.view.recorder.start(writer, settings, std::move(queue), app.times.wall_s);
  // Store the moment at the start of the recording now, so that it remains if the program is killed.
  app.background.run(
      [writer, path = app.view.recording_path, moment = shown_moment(app, app.view.recorder.shown()), &log = app.log] {
        writer->set_moment(bytes_of(*moment, path, log), VideoWriter::MomentPart::start);
      });
  app.log.info("Recording " + app.view.recording_path,
               settings.with_interface ? Toast::no : Toast::yes);  // a toast would appear in the video
}

void stop_recording(App& app) {
  if (!app.view.recorder.active()) return;
  // A recording by real time has no sink. The sink of the run may then be that of an export of frames.
  if (app.view.recorder.settings().by_simulated_time && app.session.run != nullptr) app.session.run->set_sink(nullptr);
  std::shared_ptr<VideoWriter> writer = app.view.recorder.stop(app.times.wall_s);
  const api::VideoFrames& shown = app.view.recorder.shown();
  auto moment = shown.count() > 0 ? shown_moment(app, shown) : std::make_shared<PendingMoment>();
  app.background.run([writer, moment, path = app.view.recording_path, &log = app.log] {
    writer->set_moment(bytes_of(*moment, path, log), VideoWriter::MomentPart::whole);
    if (auto finished = writer->finish(); finished)
      log.info(fmt::format("Saved video {} ({} frame{})", path, writer->frames(), writer->frames() == 1 ? "" : "s"),
               Toast::yes);
    else
      log.error(finished.error().message());
  });
}

void pump_recording(App& app, int window_width, int window_height) {
  if (!app.view.recorder.active() || !app.session.have_snapshot) return;
  if (app.view.frames_before_recording > 0) {
    --app.view.frames_before_recording;
    return;
  }
  const RecordSettings& settings = app.view.recorder.settings();
  const Camera& camera = app.view.viewport.camera;
  app.view.recorder.set_camera(to_vec3(camera.eye), to_vec3(camera.target));
  if (!settings.by_simulated_time) {
    if (const std::size_t count = app.view.recorder.due(app.times.wall_s); count > 0)
      record_window_or_picture(app, count, window_width, window_height);
    return;
  }
  const auto is_paired = [&] { return shows_second_run(app) && !app.session.run->newest().place.is_seeking; };
  const auto ready = [&](const Frame& frame) {
    return !is_paired() ||
           app.view.pair_frames.prepare(app.session.comparison, *app.session.run, *frame.previous, *frame.newest);
  };
  const auto draw = [&](const Frame& frame) {
    ShownFrames frames{frame};
    if (is_paired()) frames = {app.view.pair_frames.a(frame.blend), app.view.pair_frames.b(frame.blend)};
    return draw_offscreen(app, frames, settings.video.width, settings.video.height);
  };
  const bool in_use = app.times.wall_s - app.times.last_input_s < 1;
  const bool running = app.session.playing && !app.session.run->newest().paused;
  if (auto pumped = app.view.recorder.pump_simulated(in_use ? budget_in_use_s : budget_watched_s, draw,
                                                     running && !in_use, ready);
      !pumped)
    fail_recording(app, pumped.error());
}

}  // namespace vw::ui
