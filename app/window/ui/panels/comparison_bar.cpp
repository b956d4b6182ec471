// The bar above the picture while two runs are compared, and the names over the pictures.
#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <imgui.h>

#include "app/window/labels/param_style.h"
#include "app/window/ui/app.h"
#include "app/window/ui/panels/panels.h"
#include "app/window/ui/widgets/widgets.h"

namespace vw::ui {
namespace {

using Arrangement = ComparisonShow::Arrangement;

constexpr float comparison_bar_em = 2.2F;

/// Draws a button that chooses an arrangement. The button is highlighted while its arrangement is chosen.
void arrangement_choice(ComparisonShow& comparison, const char* label, Arrangement which, const char* hint) {
  const bool is_chosen = comparison.arrangement == which;
  if (is_chosen) ImGui::PushStyleColor(ImGuiCol_Button, palette::accent_dim);
  if (ImGui::Button(label)) comparison.arrangement = which;
  if (is_chosen) ImGui::PopStyleColor();
  tooltip(hint);
}

/// Text about the state of B. Empty if A and B are shown at the same time and all commands of A were applied to B.
std::string state_of_second(const ComparisonShow& comparison, bool& is_error) {
  const api::FollowProgress& progress = comparison.progress();
  is_error = !progress.failure.empty();
  if (is_error) return progress.failure;
  if (!progress.is_built || !comparison.has_picture()) return "Building the world\xE2\x80\xA6";
  if (!comparison.is_together())
    return fmt::format("Computing B: {:.1f} s of {:.1f} s", progress.elapsed_s,
                       std::max(progress.elapsed_s, comparison.wanted_s()));
  if (progress.refused > 0)
    return fmt::format("{} command{} of A could not be applied to B: {}", progress.refused,
                       progress.refused == 1 ? "" : "s", progress.first_refused);
  return {};
}

/// Draws a plate with a name, in several lines if the width is small, and an optional line of text below. `dot` is
/// drawn before the name unless it is empty.
void draw_name_plate(ImDrawList* list, ImVec2 at, float width, const std::string& name, const std::string& line,
                     const ImVec4& tint, const std::optional<ImVec4>& dot) {
  const float left = dot ? em(1.1F) : 0, room = std::max(width - em(1.4F), em(4)), wrap = room - left;
  const ImVec2 extent = ImGui::CalcTextSize(name.c_str(), nullptr, false, wrap);
  const std::string below = shortened(line, room);
  const float text = std::max(left + extent.x, ImGui::CalcTextSize(below.c_str()).x);
  const float height = extent.y + em(line.empty() ? 0.7F : 1.95F);
  list->AddRectFilled(at, {at.x + text + em(1.4F), at.y + height}, color(palette::window, 0.75F), em(0.4F));
  if (dot) list->AddCircleFilled({at.x + em(1.1F), at.y + em(0.85F)}, em(0.35F), color(*dot));
  list->AddText(ImGui::GetFont(), ImGui::GetFontSize(), {at.x + em(0.7F) + left, at.y + em(0.35F)},
                color(palette::text), name.c_str(), nullptr, wrap);
  if (!line.empty()) list->AddText({at.x + em(0.7F), at.y + extent.y + em(0.6F)}, color(tint), below.c_str());
}

void draw_difference_note(const ComparisonShow& comparison) {
  if (!comparison.shows_difference || !comparison.is_together()) return;
  const PairDifference& difference = comparison.difference();
  if (difference.missing.empty()) return;
  ImGui::SameLine(0, em(0.6F));
  ImGui::AlignTextToFramePadding();
  const std::string text = "Difference incomplete: " + difference.missing;
  ImGui::TextColored(palette::warning, "%s", shortened(text, ImGui::GetContentRegionAvail().x - em(2.4F)).c_str());
  tooltip(text);
}

}  // namespace

float comparison_bar_height(const App& app) {
  const bool is_shown = app.session.comparison.is_active() && !app.view.shows_voxel_editor();
  return is_shown ? em(comparison_bar_em) : 0;
}

void draw_comparison_bar(App& app) {
  ComparisonShow& comparison = app.session.comparison;
  if (!comparison.is_active()) return;
  const float width = ImGui::GetWindowWidth();
  ImGui::SetCursorPos({em(0.8F), 0.5F * (em(comparison_bar_em) - ImGui::GetFrameHeight())});
  arrangement_choice(comparison, "Side by side", Arrangement::side_by_side, "Shows A on the left and B on the right");
  ImGui::SameLine(0, em(0.3F));
  arrangement_choice(comparison, "Ghost", Arrangement::ghost, "Shows B over A, translucent");
  if (comparison.arrangement == Arrangement::ghost) {
    ImGui::SameLine(0, em(0.8F));
    ImGui::SetNextItemWidth(em(7));
    static constexpr double none = 0, all = 100;
    bar_slider("##opacity", ImGuiDataType_Double, &comparison.ghost_percent, &none, &all, "B %.0f %%", Scale::linear);
    tooltip("Opacity of B over A. At 0 %, only A is visible. At 100 %, only B is visible");
  }
  ImGui::SameLine(0, em(0.8F));
  ImGui::Checkbox("Difference", &comparison.shows_difference);
  tooltip("Colours each element by its distance between A and B, with one range for both pictures");
  draw_difference_note(comparison);
  ImGui::SameLine();
  ImGui::SetCursorPos({width - em(2.4F), 0.5F * (em(comparison_bar_em) - em(1.6F))});
  if (icon_button("end comparison", Icon::close, "Ends the comparison and shows only run A", {.size_em = 1.6F}))
    end_comparison(app);
}

void draw_comparison_names(const App& app, ImVec2 first, ImVec2 second, float width) {
  const ComparisonShow& comparison = app.session.comparison;
  if (!comparison.is_active()) return;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const bool is_split = comparison.arrangement == Arrangement::side_by_side;
  const float lower = app.session.view().follow.empty() ? em(0.8F) : em(2.8F);  // below the followed object's name
  bool is_error = false;
  const std::string state = state_of_second(comparison, is_error);
  const ImVec4& tint = is_error ? palette::error : palette::warning;
  const PairNames names = names_of_comparison(app);
  // The view cube takes the upper right corner of the first picture.
  const float room = std::max(width - em(7), em(6));
  draw_name_plate(list, {first.x + em(0.8F), first.y + lower}, room, "A: " + names.a, {}, tint, {});
  const ImVec2 at =
      is_split ? ImVec2{second.x + em(0.8F), second.y + em(0.8F)} : ImVec2{first.x + em(0.8F), first.y + lower + em(2)};
  std::optional<ImVec4> dot;
  if (names.dot) dot = ImVec4{names.dot->x, names.dot->y, names.dot->z, 1};
  draw_name_plate(list, at, is_split ? width - em(1.6F) : room, "B: " + names.b, state, tint, dot);
}

}  // namespace vw::ui
