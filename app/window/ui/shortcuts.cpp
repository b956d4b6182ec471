// Keyboard shortcuts. Keys are GLFW key codes, as in input_feed.h.
#include <filesystem>

#include <GLFW/glfw3.h>
#include <imgui_internal.h>

#include "app/window/ui/app.h"
#include "app/window/ui/panels/panels.h"

namespace vw::ui {
namespace {

bool pressed(int key, bool repeat = false) { return ImGui::IsKeyPressed(key, repeat); }

void control_shortcuts(App& app, bool shift) {
  if (pressed(GLFW_KEY_Z, true)) shift ? redo(app) : undo(app);
  if (pressed(GLFW_KEY_Y, true)) redo(app);
  if (pressed(GLFW_KEY_Q)) request_quit(app);
  if (pressed(GLFW_KEY_O)) {
    const std::string path = app.document == nullptr ? std::string() : app.document->path();
    app.browser.open_for_opening(std::filesystem::path(path).parent_path().string());
  }
  if (!pressed(GLFW_KEY_S) || app.document == nullptr) return;
  shift ? ask_where_to_save(app) : save(app);
}

void speed_shortcuts(App& app) {
  const Value* value = app.document == nullptr ? nullptr : app.document->value("world.speed");
  if (value == nullptr) return;
  constexpr double factor = 1.4142135623730951;  // two presses halve or double the speed
  const bool slower =
      pressed(GLFW_KEY_LEFT_BRACKET, true) || pressed(GLFW_KEY_MINUS, true) || pressed(GLFW_KEY_KP_SUBTRACT, true);
  const bool faster =
      pressed(GLFW_KEY_RIGHT_BRACKET, true) || pressed(GLFW_KEY_EQUAL, true) || pressed(GLFW_KEY_KP_ADD, true);
  const bool normal = pressed(GLFW_KEY_BACKSPACE);
  if (!slower && !faster && !normal) return;
  app.document->end_gesture();
  const double speed = std::get<double>(*value);
  set_speed(app, normal ? 1 : slower ? speed / factor : speed * factor);
}

void view_shortcuts(App& app) {
  if (pressed(GLFW_KEY_V)) toggle_vectors(app);
  if (pressed(GLFW_KEY_C)) cycle_color_by(app);
  if (pressed(GLFW_KEY_F)) ImGui::GetIO().KeyShift ? toggle_follow(app) : app.viewport.focus_selection(app);
  if (pressed(GLFW_KEY_HOME)) ImGui::GetIO().KeyShift ? app.viewport.frame_all(app) : app.viewport.frame_subject(app);
  if (pressed(GLFW_KEY_TAB)) app.layout.left = app.layout.right = !(app.layout.left || app.layout.right);
}

void function_keys(App& app) {
  if (pressed(GLFW_KEY_F1)) app.layout.help = !app.layout.help;
  if (pressed(GLFW_KEY_F2) || pressed(GLFW_KEY_F12)) take_screenshot(app);
  if (pressed(GLFW_KEY_F9)) app.recorder.active() ? stop_recording(app) : start_recording(app);
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
  if (app.pending.kind != Pending::Kind::none) return;  // the question about unsaved edits is open
  function_keys(app);
  if (pressed(GLFW_KEY_ESCAPE) && close_menu()) return;
  if (io.WantTextInput || app.browser.is_open() || app.gallery.is_open()) return;
  if (io.KeyCtrl) return control_shortcuts(app, io.KeyShift);
  if (ImGui::IsMouseDown(ImGuiMouseButton_Right)) return;  // while the user flies, letters move the camera
  if (pressed(GLFW_KEY_ESCAPE)) {
    if (app.layout.help || app.layout.about)
      app.layout.help = app.layout.about = false;
    else if (!app.view().follow.empty())
      follow(app, {});
    else
      app.viewport.clear_selection(app);
  }
  if (pressed(GLFW_KEY_SPACE)) set_playing(app, !app.playing);
  if (pressed(GLFW_KEY_PERIOD, true) || pressed(GLFW_KEY_RIGHT, true)) single_step(app);
  if (pressed(GLFW_KEY_R)) reset(app);
  if (pressed(GLFW_KEY_DELETE)) remove_selected(app);
  speed_shortcuts(app);
  view_shortcuts(app);
}

}  // namespace vw::ui
