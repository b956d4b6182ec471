// Keyboard shortcuts of the table in actions.h. Keys are GLFW key codes, as in input_feed.h.
#include <algorithm>

#include <GLFW/glfw3.h>
#include <imgui_internal.h>

#include "app/window/ui/actions/actions.h"
#include "app/window/ui/app.h"
#include "app/window/ui/panels/panels.h"

namespace vw::ui {
namespace {

bool is_pressed(const KeyPress& press) {
  const ImGuiIO& io = ImGui::GetIO();
  return io.KeyCtrl == press.control && (!press.shift || io.KeyShift == *press.shift) &&
         ImGui::IsKeyPressed(press.key, press.repeat);
}

bool is_function_key(const KeyPress& press) { return press.key >= GLFW_KEY_F1 && press.key <= GLFW_KEY_F25; }

/// Whether the action opens or saves a file, or quits. The keys of these actions also act in the voxel editor.
bool is_for_files(const Action& action) {
  return action.id == "open" || action.id == "save" || action.id == "save_as" || action.id == "quit";
}

/// Closes an open menu and returns true, or returns false if no menu is open. Dear ImGui closes menus by keys only if
/// its keyboard navigation is enabled, which would capture the arrow keys and Space.
bool close_menu() {
  const ImGuiContext& context = *ImGui::GetCurrentContext();
  if (context.OpenPopupStack.Size == 0 || ImGui::GetTopMostPopupModal() != nullptr) return false;
  ImGui::ClosePopupToLevel(0, true);
  return true;
}

}  // namespace

void handle_shortcuts(App& app) {
  const ImGuiIO& io = ImGui::GetIO();
  // No shortcuts while the question about unsaved edits, about scenes to restore or about a report is open.
  if (app.ui.pending.kind != Pending::Kind::none || !app.ui.recovery.copies.empty() || !app.ui.report.path.empty())
    return;
  if (app.view.viewport.gizmo.is_dragging()) return;  // the gizmo handles the keys itself
  const bool edits_voxels = app.view.shows_voxel_editor();
  const bool menu_closed = ImGui::IsKeyPressed(GLFW_KEY_ESCAPE, false) && close_menu();
  const bool typing = io.WantTextInput || app.ui.browser.is_open() || app.ui.gallery.is_open() ||
                      ImGui::GetTopMostPopupModal() != nullptr || menu_closed;
  // While the right button is held down, the user flies and letters move the camera.
  const bool flies = ImGui::IsMouseDown(ImGuiMouseButton_Right);
  for (const Action& one : actions()) {
    if (typing && !one.while_typing) continue;
    if (edits_voxels && !one.while_typing && !is_for_files(one)) continue;  // the voxel editor reads the other keys
    const auto acts = [&](const KeyPress& press) {
      return is_pressed(press) && (!flies || press.control || is_function_key(press));
    };
    if (std::ranges::any_of(one.presses, acts)) one.run(app);
  }
}

}  // namespace vw::ui
