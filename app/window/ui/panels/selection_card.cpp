// Card with the values of the selected element and buttons for actions on the element. The card is at the top of the
// right sidebar or, if the sidebar is hidden, over the picture.
#include <algorithm>

#include "app/window/ui/app.h"
#include "app/window/ui/panels/element_values.h"
#include "app/window/ui/panels/panels.h"
#include "app/window/ui/widgets/widgets.h"

namespace vw::ui {
namespace {

constexpr float card_button_em = 1.25F, head_em = 1.4F;  // size of the buttons in rows and in the header [em]

/// Draws the button at the end of a row. The button plots the row's value over time.
void draw_plot_button(const App& app, const PickedValue& value, std::optional<PickedValue>& wanted) {
  const bool on = app.session.plots.picked().holds(value);
  const bool pressed = icon_button(value.label.c_str(), Icon::plot,
                                   on ? "Removes the curve from the plots" : "Plots the value over time (tab Plots)",
                                   {.on = on, .tint = on ? nullptr : &palette::dim, .size_em = card_button_em});
  if (pressed) wanted = value;
}

/// Shows the value of the compared element for the row `label`, in the same cell below the value of the selected
/// element.
void draw_compared(const std::vector<ElementValue>& values, const std::string& label) {
  const auto same = std::ranges::find(values, label, &ElementValue::label);
  ImGui::TextColored(palette::dim, "%s", same == values.end() ? "-" : same->text.c_str());
}

/// Draws a button of the header and places the next item to the right of the button.
bool head_button(const char* id, Icon icon, const char* hint, bool on = false) {
  const bool pressed = icon_button(
      id, icon, hint, {.on = on, .tint = icon == Icon::close ? &palette::dim : nullptr, .size_em = head_em});
  ImGui::SameLine(0, em(0.1F));
  return pressed;
}

/// Draws a line below the header with the title of the compared element and a button that ends the comparison.
void draw_comparison(App& app, const SystemSnapshot& system, std::size_t i) {
  if (!app.ui.layout.compared || is_compared(app, system, i)) return;
  const ComparedElement other = compared_element(app);
  const std::string title = other.system == nullptr ? "a removed element" : element_title(*other.system, other.row);
  ImGui::AlignTextToFramePadding();
  ImGui::TextColored(palette::dim, "Grey values: %s", title.c_str());
  ImGui::SameLine(ImGui::GetWindowWidth() - em(head_em + 0.6F));
  if (head_button("uncompare", Icon::close, "Stops the comparison")) stop_comparing(app);
  ImGui::NewLine();
}

/// Draws the values and returns the value to be plotted, if any. Values that do not fit scroll below the header.
std::optional<PickedValue> draw_values(const App& app, const Snapshot& now, const SystemSnapshot& system, std::size_t i,
                                       float height_at_most) {
  std::optional<PickedValue> wanted;
  const auto values = element_values(now, system, i, app.session.document->root());
  const ComparedElement other = is_compared(app, system, i) ? ComparedElement{} : compared_element(app);
  const auto others = other.system == nullptr
                          ? std::vector<ElementValue>()
                          : element_values(now, *other.system, other.row, app.session.document->root());
  const ImGuiStyle& style = ImGui::GetStyle();
  const float row = std::max(std::round(em(card_button_em)), ImGui::GetTextLineHeight()) + 2 * style.CellPadding.y +
                    (others.empty() ? 0 : ImGui::GetTextLineHeightWithSpacing());
  ImGui::BeginChild("values",
                    {0, std::min(static_cast<float>(values.size()) * row + style.CellPadding.y, height_at_most)});
  if (ImGui::BeginTable("rows", 3, ImGuiTableFlags_SizingStretchProp)) {
    float names = 0;  // width of the longest name
    for (const ElementValue& value : values) names = std::max(names, ImGui::CalcTextSize(value.label.c_str()).x);
    ImGui::TableSetupColumn("name", ImGuiTableColumnFlags_WidthFixed,
                            std::min(names, 0.42F * ImGui::GetContentRegionAvail().x));
    ImGui::TableSetupColumn("value", ImGuiTableColumnFlags_WidthStretch);
    ImGui::TableSetupColumn("plot", ImGuiTableColumnFlags_WidthFixed, em(card_button_em));
    for (const ElementValue& value : values) {
      stat_row(value.label.c_str(), value.text, value.hint.empty() ? nullptr : value.hint.c_str());
      if (!others.empty()) draw_compared(others, value.label);
      ImGui::TableNextColumn();
      value.curve ? draw_plot_button(app, *value.curve, wanted) : ImGui::Dummy({0, std::round(em(card_button_em))});
    }
    ImGui::EndTable();
  }
  ImGui::EndChild();
  return wanted;
}

/// Draws the element's name and the buttons for its actions.
void draw_head(App& app, const SystemSnapshot& system, std::size_t i) {
  bool& folded = app.ui.layout.card_folded;
  ImGui::PushStyleColor(ImGuiCol_Button, ImVec4{0, 0, 0, 0});
  if (ImGui::ArrowButton("fold", folded ? ImGuiDir_Right : ImGuiDir_Down)) folded = !folded;
  ImGui::PopStyleColor();
  tooltip(folded ? "Shows all values" : "Shows only the name");
  ImGui::SameLine(0, em(0.3F));
  ImGui::AlignTextToFramePadding();
  if (app.ui.fonts.strong != nullptr) ImGui::PushFont(app.ui.fonts.strong);
  ImGui::TextUnformatted(element_title(system, i).c_str());
  if (app.ui.fonts.strong != nullptr) ImGui::PopFont();
  const std::string name = selected_name(app);
  const bool followed = app.session.view().follow == name, trailed = app.session.has_trail(name);
  const bool spawns = can_spawn_beside_selected(app), removes = can_remove_selected(app);
  ImGui::SameLine(ImGui::GetWindowWidth() -
                  em((head_em + 0.1F) * static_cast<float>(3 + (spawns ? 1 : 0) + (removes ? 1 : 0)) + 0.5F));
  if (head_button("follow", Icon::follow,
                  followed ? "Stops following (Esc)" : "Makes the camera follow the element (Shift + F)", followed))
    follow(app, followed ? std::string() : name);
  if (head_button("trail", Icon::trail, trailed ? "Hides the trail" : "Shows the trail: the recent path of the element",
                  trailed))
    toggle_trail(app, name);
  if (spawns && head_button("spawn", Icon::plus, "Adds ten members of this species around the element"))
    spawn_beside_selected(app);
  if (removes && head_button("remove", Icon::bin, "Removes the element from the world (Delete)")) remove_selected(app);
  if (head_button("close", Icon::close, "Clears the selection (Esc)")) app.view.viewport.clear_selection(app);
  ImGui::NewLine();
}

/// Whether the card is to be on the left side of the picture. The card is on the side away from the element. While the
/// element is near the middle, the card does not change sides.
bool belongs_left(const App& app, const Vec3f& place, ImVec2 size) {
  const Camera& camera = app.view.viewport.camera;
  const glm::vec4 at =
      camera.projection(size.x / size.y) * camera.view() * glm::vec4(place.x(), place.y(), place.z(), 1);
  const float across = at.w > 0 ? at.x / at.w : 0;
  return across > 0.1F || (app.ui.layout.card_left && across > -0.1F);
}

}  // namespace

void draw_docked_card(App& app) {
  constexpr float share = 0.45F;  // maximum height of the values relative to the sidebar
  const SystemSnapshot* system = selected_system(app);
  if (system == nullptr) return;
  const auto i = static_cast<std::size_t>(app.view.viewport.selection.element);
  app.ui.layout.card_left = false;
  draw_head(app, *system, i);
  if (!app.ui.layout.card_folded) draw_comparison(app, *system, i);
  std::optional<PickedValue> plotted;
  if (!app.ui.layout.card_folded)
    plotted = draw_values(app, *app.session.snapshot(), *system, i, share * ImGui::GetWindowHeight());
  ImGui::Separator();
  if (plotted) pick_value(app, *plotted);
}

void draw_selection_card(App& app, ImVec2 corner, ImVec2 size) {
  const SystemSnapshot* system = selected_system(app);
  if (system == nullptr) return;
  const auto i = static_cast<std::size_t>(app.view.viewport.selection.element);
  app.ui.layout.card_left = belongs_left(app, system->position[i], size);
  const float side = app.ui.layout.card_left ? 0 : 1, width = std::min(em(22.5F), size.x - em(1.6F));
  // If the picture is narrow and the camera follows the element, the element is in the middle of the picture. The card
  // is then less tall, so that it does not hide the element.
  const bool low = width > 0.45F * size.x && app.session.view().follow == selected_name(app);
  ImGui::SetNextWindowPos({corner.x + em(0.8F) + side * (size.x - em(1.6F)), corner.y + em(0.8F)}, ImGuiCond_Always,
                          {side, 0});
  ImGui::SetNextWindowSize({width, 0});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, ImVec4{palette::window.x, palette::window.y, palette::window.z, 0.82F});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, em(0.4F));
  ImGui::Begin("selection", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                   ImGuiWindowFlags_NoScrollbar);
  draw_head(app, *system, i);
  if (!app.ui.layout.card_folded) draw_comparison(app, *system, i);
  std::optional<PickedValue> plotted;
  const bool above_legends = app.ui.layout.card_left && app.session.view().legend;
  const float room =
      size.y - (above_legends ? app.ui.layout.legends_height : 0) - em(4.5F);  // 4.5 em are left for the card's header
  const float height = std::min(std::max(room, em(6)), (low ? 0.34F : 0.66F) * size.y);
  if (!app.ui.layout.card_folded) plotted = draw_values(app, *app.session.snapshot(), *system, i, height);
  ImGui::End();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  if (plotted) pick_value(app, *plotted);
}

}  // namespace vw::ui
