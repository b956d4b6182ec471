// The transport bar at the bottom: play, step, reset, speed, time, and the real-time factor.
#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "app/window/labels/param_style.h"
#include "app/window/labels/quantity_labels.h"
#include "app/window/ui/actions/actions.h"
#include "app/window/ui/app.h"
#include "app/window/ui/panels/panels.h"
#include "app/window/ui/widgets/widgets.h"

namespace vw::ui {
namespace {

void draw_transport_buttons(App& app) {
  if (icon_button("back", Icon::step_back, "One step back (, or Left)", {.size_em = 2.3F})) step_back(app);
  ImGui::SameLine();
  const bool playing = app.session.playing;
  const ImVec4& tint = playing ? palette::text : palette::accent;
  if (icon_button("play", playing ? Icon::pause : Icon::play, with_key(playing ? "Pause" : "Play", "play").c_str(),
                  {.tint = &tint, .size_em = 2.3F}))
    set_playing(app, !playing);
  app.ui.layout.play_button = {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()};
  ImGui::SameLine();
  if (icon_button("step", Icon::step, "One step (. or Right)", {.size_em = 2.3F})) single_step(app);
  ImGui::SameLine();
  const ImVec4* warn = app.session.reset_needed() ? &palette::warning : nullptr;
  const std::string hint = app.session.reset_needed()
                               ? with_key("Reset", "reset") + ", so that the changes marked with a ring take effect"
                               : with_key("Reset to the start with the present parameters", "reset");
  if (icon_button("reset", Icon::reset, hint.c_str(), {.tint = warn, .size_em = 2.3F})) reset(app);
}

void draw_speed(App& app) {
  static constexpr auto speeds = std::to_array<double>({0.05, 0.1, 0.25, 0.5, 1, 2, 4});
  const Value* value = app.session.document == nullptr ? nullptr : app.session.document->value("world.speed");
  double speed = value == nullptr ? 1 : std::get<double>(*value);
  ImGui::SetNextItemWidth(em(9));
  const double low = 0.01, high = 10;
  if (bar_slider("##speed", ImGuiDataType_Double, &speed, &low, &high, "speed %.3g\xC3\x97", Scale::log))
    set_speed(app, speed);
  tooltip("Requested speed: simulated seconds per second of real time ([ and ]). Right-click for round values");
  if (!ImGui::BeginPopupContextItem("speeds")) return;
  for (const double choice : speeds)
    if (ImGui::MenuItem(fmt::format("{:g}\xC3\x97", choice).c_str(), nullptr, speed == choice)) set_speed(app, choice);
  ImGui::EndPopup();
}

void draw_time(const Snapshot& now) {
  ImGui::BeginGroup();
  ImGui::TextUnformatted(clock_text(now.time_s, now.dt_s).c_str());
  ImGui::TextColored(palette::dim, "step %llu", static_cast<unsigned long long>(now.step));
  ImGui::EndGroup();
}

struct Pace {
  std::string figure, words;
  ImVec4 tint;
};

Pace describe_pace(const App& app, const Snapshot& now) {
  if (now.health.failed) return {"stopped", "by the health check", palette::error};
  if (now.paused || !app.session.playing)
    return {"paused", fmt::format("requested {:.3g}\xC3\x97", now.asked_speed), palette::dim};
  const std::string figure = pretty_factor(now.realtime_factor) + "\xC3\x97";
  if (now.realtime_factor < late_below * now.asked_speed)
    return {figure, fmt::format("slow motion, requested {:.3g}\xC3\x97", now.asked_speed), palette::warning};
  if (std::abs(now.asked_speed - 1) < 1e-9) return {figure, "real time", palette::good};
  return {figure, fmt::format("{:.3g}\xC3\x97 real time, as requested", now.asked_speed), palette::good};
}

std::string recorded(const App& app) {
  if (!app.view.recorder.active()) return {};
  return app.view.recorder.frames() == 0 ? "starting\xE2\x80\xA6"
                                         : fmt::format("{:.1f} s", app.view.recorder.seconds());
}

float tools_width(const App& app) {
  const std::string text = recorded(app);
  return 5 * em(2.1F) + 5 * ImGui::GetStyle().ItemSpacing.x +
         (text.empty() ? 0 : ImGui::CalcTextSize(text.c_str()).x + em(0.5F));
}

/// Returns the left end of the real-time factor. The position is fixed, so that the factor does not move when the time
/// beside the factor changes length. In a narrow window, the factor ends to the left of the tools.
float pace_left(const App& app) {
  if (app.ui.fonts.large != nullptr) ImGui::PushFont(app.ui.fonts.large);
  const float widest = ImGui::CalcTextSize("stopped").x;
  if (app.ui.fonts.large != nullptr) ImGui::PopFont();
  return std::min(em(30), ImGui::GetWindowWidth() - tools_width(app) - widest - em(0.8F));
}

void draw_pace(App& app, const Snapshot& now) {
  const Pace pace = describe_pace(app, now);
  if (app.ui.fonts.large != nullptr) ImGui::PushFont(app.ui.fonts.large);
  ImGui::SetCursorPosY((ImGui::GetWindowHeight() - ImGui::GetTextLineHeight()) / 2);
  ImGui::TextColored(pace.tint, "%s", pace.figure.c_str());
  if (app.ui.fonts.large != nullptr) ImGui::PopFont();
  ImGui::SameLine();
  ImGui::SetCursorPosY((ImGui::GetWindowHeight() - ImGui::GetTextLineHeight()) / 2);
  // A narrow window has room only for the real-time factor, not for the words beside it.
  if (ImGui::GetCursorPosX() + ImGui::CalcTextSize(pace.words.c_str()).x <
      ImGui::GetWindowWidth() - tools_width(app) - em(1))
    ImGui::TextColored(palette::dim, "%s", pace.words.c_str());
  else
    ImGui::NewLine();
}

void draw_tools(App& app) {
  const bool recording = app.view.recorder.active();
  const std::string text = recorded(app);
  ImGui::SameLine(ImGui::GetWindowWidth() - tools_width(app) - em(0.3F));
  const float y = (ImGui::GetWindowHeight() - em(2.1F)) / 2;
  ImGui::SetCursorPosY(y);
  if (recording) {
    ImGui::SetCursorPosY((ImGui::GetWindowHeight() - ImGui::GetTextLineHeight()) / 2);
    ImGui::TextColored(palette::error, "%s", text.c_str());
    ImGui::SameLine();
    ImGui::SetCursorPosY(y);
  }
  if (icon_button("record", recording ? Icon::stop : Icon::record,
                  with_key(recording ? "Stop recording" : "Record a video", "record").c_str(),
                  {.on = recording, .tint = &palette::error, .size_em = 2.1F}))
    recording ? stop_recording(app) : start_recording(app);
  ImGui::SameLine();
  ImGui::SetCursorPosY(y);
  if (icon_button("shot", Icon::camera, with_key("Screenshot", "screenshot").c_str(), {.size_em = 2.1F}))
    take_screenshot(app);
  app.ui.layout.screenshot_button = {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()};
  ImGui::SameLine();
  ImGui::SetCursorPosY(y);
  if (icon_button("vectors", Icon::vectors, with_key("Vector arrows", "vectors").c_str(),
                  {.on = app.session.view().vectors, .size_em = 2.1F}))
    toggle_vectors(app);
  ImGui::SameLine();
  ImGui::SetCursorPosY(y);
  if (icon_button("frame", Icon::frame_all,
                  "Frame the subject, that is, the main objects of the scene (Home); Shift+Home frames all objects",
                  {.size_em = 2.1F}))
    app.view.viewport.frame_subject(app);
  ImGui::SameLine();
  ImGui::SetCursorPosY(y);
  if (icon_button("help", Icon::help, "Mouse and keys (F1)", {.on = app.ui.layout.help, .size_em = 2.1F}))
    app.ui.layout.help = !app.ui.layout.help;
}

}  // namespace

void draw_transport(App& app) {
  const float y = (ImGui::GetWindowHeight() - em(2.3F)) / 2;
  ImGui::SetCursorPosY(y);
  draw_transport_buttons(app);
  ImGui::SameLine(0, em(1));
  ImGui::SetCursorPosY((ImGui::GetWindowHeight() - ImGui::GetFrameHeight()) / 2);
  draw_speed(app);
  if (const Snapshot* now = app.session.snapshot()) {
    ImGui::SameLine(0, em(1.4F));
    const ImGuiStyle& style = ImGui::GetStyle();  // beside a framed item, ImGui lowers text by the frame's padding
    ImGui::SetCursorPosY((ImGui::GetWindowHeight() - 2 * ImGui::GetTextLineHeight() - style.ItemSpacing.y) / 2 -
                         style.FramePadding.y);
    draw_time(*now);
    ImGui::SameLine(pace_left(app));
    draw_pace(app, *now);
  }
  draw_tools(app);
}

}  // namespace vw::ui
