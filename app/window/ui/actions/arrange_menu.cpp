// The menu that aligns and distributes the selected nodes.
#include <array>
#include <string>
#include <utility>

#include "app/window/gizmo/arrange.h"
#include "app/window/ui/actions/actions.h"
#include "app/window/ui/app.h"
#include "app/window/ui/panels/panels.h"
#include "app/window/ui/widgets/widgets.h"

namespace vw::ui {
namespace {

constexpr std::array<const char*, 3> axis_labels{"x", "y", "z"};

void align_menu(App& app, const PosedGroup& group, int axis) {
  const std::string label = std::string("Align along ") + axis_labels[static_cast<std::size_t>(axis)];
  if (!ImGui::BeginMenu(label.c_str(), group.parts.size() > 1)) return;
  for (const auto& [side, alignment] : {std::pair{"Minimum", Alignment::low}, std::pair{"Centre", Alignment::center},
                                        std::pair{"Maximum", Alignment::high}})
    if (ImGui::MenuItem(side)) app.view.viewport.gizmo.edit_places(app, aligned(group, axis, alignment));
  ImGui::EndMenu();
}

void distribute_item(App& app, const PosedGroup& group, int axis) {
  const std::string label = std::string("Distribute along ") + axis_labels[static_cast<std::size_t>(axis)];
  if (ImGui::MenuItem(label.c_str(), nullptr, false, group.parts.size() > 2))
    app.view.viewport.gizmo.edit_places(app, distributed(group, axis));
  tooltip("Gives the centres equal distances; the outermost two nodes stay. Needs at least three selected nodes");
}

}  // namespace

void draw_arrange_menu(App& app) {
  if (!ImGui::BeginMenu("Arrange")) return;
  PosedGroup group = app.view.viewport.gizmo.group(app);
  // Assignments cannot move bodies of the running world, so these bodies are left out.
  std::erase_if(group.parts, [](const PosedPart& part) { return !part.elements.empty(); });
  group = group_of(std::move(group.parts));  // The bounds of the group must not include the removed parts.
  for (int axis = 0; axis < 3; ++axis) align_menu(app, group, axis);
  ImGui::Separator();
  for (int axis = 0; axis < 3; ++axis) distribute_item(app, group, axis);
  ImGui::Separator();
  menu_action(app, "to_ground", "Lower onto the ground");
  ImGui::EndMenu();
}

}  // namespace vw::ui
