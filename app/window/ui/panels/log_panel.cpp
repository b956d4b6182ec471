// Messages: the log panel, the newest messages as toasts over the picture, and the banner of a failed health check.
#include <algorithm>

#include <fmt/format.h>
#include <imgui_internal.h>

#include "app/window/document/scene_edit.h"
#include "app/window/labels/param_style.h"
#include "app/window/ui/app.h"
#include "app/window/ui/panels/panels.h"
#include "app/window/ui/widgets/widgets.h"

namespace vw::ui {
namespace {

constexpr double toast_s = 6, error_toast_s = 12, longest_toast_s = 20, fade_s = 0.6;

ImVec4 tint_of_level(Level level) {
  switch (level) {
    case Level::error: return palette::error;
    case Level::warning: return palette::warning;
    case Level::debug: return palette::dim;
    case Level::info: break;
  }
  return palette::accent;
}

/// Display time of a toast [s]: two seconds plus one second per fifteen characters, within limits.
double lifetime(const Message& message) {
  const double least = message.level >= Level::error ? error_toast_s : toast_s;
  return std::clamp(2 + static_cast<double>(message.text.size()) / 15, least, longest_toast_s);
}

/// Draws a toast. Returns true if it was dismissed by a click.
bool draw_toast(const Message& message, ImVec2 low, ImVec2 high, float wrap, float alpha) {
  ImDrawList* list = ImGui::GetForegroundDrawList();
  list->AddRectFilled(low, high, color({0.125F, 0.145F, 0.176F, 0.96F}, alpha), em(0.4F));
  list->AddRectFilled(low, {low.x + em(0.3F), high.y}, color(tint_of_level(message.level), alpha), em(0.15F));
  list->AddText(ImGui::GetFont(), ImGui::GetFontSize(), {low.x + em(1.1F), low.y + em(0.6F)},
                color(palette::text, alpha), message.text.c_str(), nullptr, wrap);
  // This window receives a click on the toast. Otherwise the picture behind the toast would receive the click.
  ImGui::SetNextWindowPos(low);
  ImGui::SetNextWindowSize({high.x - low.x, high.y - low.y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{0, 0});
  ImGui::Begin(fmt::format("toast {}", message.wall_s).c_str(), nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav);
  const bool pressed = ImGui::InvisibleButton("away", {high.x - low.x, high.y - low.y});
  if (ImGui::IsItemHovered())
    draw_icon(list, Icon::close, {high.x - em(0.9F), low.y + em(0.9F)}, em(0.3F), color(palette::text, alpha));
  ImGui::End();
  ImGui::PopStyleVar();
  return pressed;
}

}  // namespace

float toast_bottom(const Layout& layout, ImVec2 corner, ImVec2 size, float width) {
  const float bottom = corner.y + size.y - em(0.8F);
  if (layout.legends_width + width + em(2.4F) <= size.x) return bottom;
  return std::max(bottom - layout.legends_height, corner.y + 0.4F * size.y);
}

void draw_log_panel(MessageLog& log, Interface& ui) {
  if (ImGui::SmallButton("Clear")) log.clear();
  ImGui::SameLine();
  if (ImGui::SmallButton("Copy all")) {
    std::string all;
    for (const Message& m : log.messages()) all += m.clock + " " + m.text + "\n";
    ImGui::SetClipboardText(all.c_str());
  }
  ImGui::BeginChild("lines");
  const bool at_end = ImGui::GetScrollY() >= ImGui::GetScrollMaxY() - 1;
  if (log.messages().empty()) dim_text("No messages. Run a scene: warnings, errors and saved files are listed here.");
  for (const Message& message : log.messages()) {
    ImGui::TextColored(palette::dim, "%s", message.clock.c_str());
    ImGui::SameLine();
    ImGui::PushStyleColor(ImGuiCol_Text, message.level == Level::info ? palette::text : tint_of_level(message.level));
    ImGui::PushTextWrapPos(0);
    const std::string text =
        message.repeats > 1 ? fmt::format("{} ({} times)", message.text, message.repeats) : message.text;
    ImGui::TextUnformatted(text.c_str());
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
  }
  if (at_end) ImGui::SetScrollHereY(1);
  ImGui::EndChild();
  ui.layout.log_seen = log.revision();
}

void draw_toasts(App& app, ImVec2 corner, ImVec2 size) {
  // Toasts would cover an open menu, so they are not drawn. The log still lists their texts.
  const bool has_menu =
      ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup) && ImGui::GetTopMostPopupModal() == nullptr;
  if (has_menu) return;
  const auto messages = app.log.messages();
  const double now = app.log.now_s();
  const float width = std::min(em(30), size.x - em(2)), wrap = width - em(2.2F);
  float y = toast_bottom(app.ui.layout, corner, size, width);
  if (app.ui.layout.tour_offer_height > 0) y -= app.ui.layout.tour_offer_height + em(0.5F);
  int shown = 0;
  for (auto message = messages.rbegin(); message != messages.rend() && shown < 5; ++message) {
    const double age = now - message->wall_s;
    if (age > longest_toast_s) break;
    if (!message->toast || age > lifetime(*message)) continue;
    const auto alpha = static_cast<float>(std::clamp((lifetime(*message) - age) / fade_s, 0.0, 1.0));
    const ImVec2 text = ImGui::CalcTextSize(message->text.c_str(), nullptr, false, wrap);
    const ImVec2 low{corner.x + size.x - width - em(0.8F), y - text.y - em(1.2F)}, high{low.x + width, y};
    if (low.y < corner.y) break;
    if (draw_toast(*message, low, high, wrap, alpha)) app.log.dismiss(*message);
    y = low.y - em(0.5F);
    app.times.busy_until_s = std::max(app.times.busy_until_s, app.times.wall_s + 0.1);
    ++shown;
  }
}

void draw_health_banner(App& app, ImVec2 corner, ImVec2 size) {
  const Snapshot* now = app.session.snapshot();
  if (now == nullptr || !now->health.failed) return;
  ImGui::SetNextWindowPos({corner.x + size.x / 2, corner.y + em(1)}, ImGuiCond_Always, {0.5F, 0});
  const float width = std::min(em(46), size.x - em(2));
  ImGui::SetNextWindowSize({width, 0});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, ImVec4{0.29F, 0.11F, 0.11F, 0.97F});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, em(0.4F));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{em(1), em(0.8F)});
  ImGui::Begin("health", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize |
                   ImGuiWindowFlags_NoFocusOnAppearing);
  if (app.ui.fonts.strong != nullptr) ImGui::PushFont(app.ui.fonts.strong);
  ImGui::TextUnformatted("The health check stopped the simulation at its last good state");
  if (app.ui.fonts.strong != nullptr) ImGui::PopFont();
  ImGui::PushTextWrapPos(0);
  ImGui::TextUnformatted(now->health.sentence.c_str());
  ImGui::PopTextWrapPos();
  ImGui::Dummy({0, em(0.2F)});
  if (ImGui::Button("Reset")) reset(app);
  if (can_undo(app)) {
    ImGui::SameLine();
    const std::string label = fmt::format("Undo {} and reset###undo", undo_label(app));
    if (ImGui::Button(label.c_str())) {
      undo(app);
      reset(app);
    }
  }
  ImGui::End();
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor();
}

}  // namespace vw::ui
