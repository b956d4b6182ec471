#include "app/window/ui/actions.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <filesystem>

#include <GLFW/glfw3.h>
#include <imgui.h>

#include "app/window/ui/app.h"

namespace vw::ui {
namespace {

bool has_document(const App& app) { return app.session.document != nullptr; }
bool has_selection(const App& app) { return !app.view.viewport.selection.system.empty(); }

void open_browser(App& app) {
  const std::string path = app.session.document == nullptr ? std::string() : app.session.document->path();
  app.ui.browser.open_for_opening(std::filesystem::path(path).parent_path().string());
}

/// Multiplies the requested speed by 2^(half_octaves / 2); two presses of a key halve or double the speed. 0 sets the
/// speed 1.
void change_speed(App& app, int half_octaves) {
  const Value* value = app.session.document == nullptr ? nullptr : app.session.document->value("world.speed");
  if (value == nullptr) return;
  app.session.document->end_gesture();
  constexpr double factor = 1.4142135623730951;
  const double speed = std::get<double>(*value);
  set_speed(app, half_octaves == 0 ? 1 : half_octaves < 0 ? speed / factor : speed * factor);
}

/// Closes the help sheet, or stops following, or clears the selection: the first of these that applies.
void close_or_clear(App& app) {
  if (app.ui.layout.help || app.ui.layout.about)
    app.ui.layout.help = app.ui.layout.about = false;
  else if (!app.session.view().follow.empty())
    follow(app, {});
  else
    app.view.viewport.clear_selection(app);
}

std::vector<Action> time_and_view_actions() {
  return {
      {.id = "play",
       .keys = "Space",
       .what = "play or pause",
       .presses = {{.key = GLFW_KEY_SPACE}},
       .run = [](App& app) { set_playing(app, !app.session.playing); }},
      {.id = "step",
       .keys = ". or Right",
       .what = "one step",
       .presses = {{.key = GLFW_KEY_PERIOD, .repeat = true}, {.key = GLFW_KEY_RIGHT, .repeat = true}},
       .run = single_step},
      {.id = "reset", .keys = "R", .what = "reset", .presses = {{.key = GLFW_KEY_R}}, .run = reset},
      {.id = "slower",
       .keys = "[ or -",
       .what = "slower",
       .presses = {{.key = GLFW_KEY_LEFT_BRACKET, .repeat = true},
                   {.key = GLFW_KEY_MINUS, .repeat = true},
                   {.key = GLFW_KEY_KP_SUBTRACT, .repeat = true}},
       .run = [](App& app) { change_speed(app, -1); }},
      {.id = "faster",
       .keys = "] or +",
       .what = "faster",
       .presses = {{.key = GLFW_KEY_RIGHT_BRACKET, .repeat = true},
                   {.key = GLFW_KEY_EQUAL, .repeat = true},
                   {.key = GLFW_KEY_KP_ADD, .repeat = true}},
       .run = [](App& app) { change_speed(app, 1); }},
      {.id = "speed_1",
       .keys = "Backspace",
       .what = "speed 1",
       .presses = {{.key = GLFW_KEY_BACKSPACE}},
       .run = [](App& app) { change_speed(app, 0); }},
      {.id = "vectors", .keys = "V", .what = "vector arrows", .presses = {{.key = GLFW_KEY_V}}, .run = toggle_vectors},
      {.id = "color_by",
       .keys = "C",
       .what = "next colouring",
       .presses = {{.key = GLFW_KEY_C}},
       .run = cycle_color_by},
      {.id = "frame_selection",
       .keys = "F",
       .what = "frame the selection",
       .presses = {{.key = GLFW_KEY_F, .shift = false}},
       .run = [](App& app) { app.view.viewport.focus_selection(app); },
       .possible = has_selection},
      {.id = "follow",
       .keys = "Shift + F",
       .what = "start or stop following the selection",
       .presses = {{.key = GLFW_KEY_F, .shift = true}},
       .run = toggle_follow,
       .possible = [](const App& app) { return has_selection(app) || !app.session.view().follow.empty(); }},
      {.id = "frame_subject",
       .keys = "Home",
       .what = "frame the subject",
       .presses = {{.key = GLFW_KEY_HOME, .shift = false}},
       .run = [](App& app) { app.view.viewport.frame_subject(app); }},
      {.id = "frame_all",
       .keys = "Shift + Home",
       .what = "frame all",
       .presses = {{.key = GLFW_KEY_HOME, .shift = true}},
       .run = [](App& app) { app.view.viewport.frame_all(app); }},
      {.id = "sidebars",
       .keys = "Tab",
       .what = "hide or show the sidebars",
       .presses = {{.key = GLFW_KEY_TAB}},
       .run =
           [](App& app) { app.ui.layout.left = app.ui.layout.right = !(app.ui.layout.left || app.ui.layout.right); }},
  };
}

std::vector<Action> file_and_edit_actions() {
  constexpr auto group = ActionGroup::files_and_edits;
  return {
      {.id = "open",
       .keys = "Ctrl + O",
       .what = "open",
       .group = group,
       .presses = {{.key = GLFW_KEY_O, .control = true}},
       .run = open_browser},
      {.id = "save",
       .keys = "Ctrl + S",
       .what = "save",
       .group = group,
       .presses = {{.key = GLFW_KEY_S, .control = true, .shift = false}},
       .run = save,
       .possible = has_document},
      {.id = "save_as",
       .keys = "Ctrl + Shift + S",
       .what = "save as",
       .group = group,
       .presses = {{.key = GLFW_KEY_S, .control = true, .shift = true}},
       .run = ask_where_to_save,
       .possible = has_document},
      {.id = "undo",
       .keys = "Ctrl + Z",
       .what = "undo",
       .group = group,
       .presses = {{.key = GLFW_KEY_Z, .control = true, .shift = false, .repeat = true}},
       .run = undo,
       .possible = [](const App& app) { return has_document(app) && app.session.document->can_undo(); }},
      {.id = "redo",
       .keys = "Ctrl + Shift + Z, Ctrl + Y",
       .what = "redo",
       .group = group,
       .presses = {{.key = GLFW_KEY_Z, .control = true, .shift = true, .repeat = true},
                   {.key = GLFW_KEY_Y, .control = true, .repeat = true}},
       .run = redo,
       .possible = [](const App& app) { return has_document(app) && app.session.document->can_redo(); }},
      {.id = "remove",
       .keys = "Delete",
       .what = "remove the selected member or particle",
       .group = group,
       .presses = {{.key = GLFW_KEY_DELETE}},
       .run = remove_selected},
      {.id = "screenshot",
       .keys = "F2 or F12",
       .what = "screenshot",
       .group = group,
       .presses = {{.key = GLFW_KEY_F2}, {.key = GLFW_KEY_F12}},
       .run = take_screenshot,
       .while_typing = true},
      {.id = "record",
       .keys = "F9",
       .what = "start or stop a video",
       .group = group,
       .presses = {{.key = GLFW_KEY_F9}},
       .run = [](App& app) { app.view.recorder.active() ? stop_recording(app) : start_recording(app); },
       .while_typing = true},
      {.id = "help",
       .keys = "F1",
       .what = "the sheet of mouse and keys",
       .group = group,
       .presses = {{.key = GLFW_KEY_F1}},
       .run = [](App& app) { app.ui.layout.help = !app.ui.layout.help; },
       .while_typing = true},
      {.id = "close",
       .keys = "Esc",
       .what = "close, stop following, clear the selection",
       .group = group,
       .presses = {{.key = GLFW_KEY_ESCAPE}},
       .run = close_or_clear},
      {.id = "quit",
       .keys = "Ctrl + Q",
       .what = "quit",
       .group = group,
       .presses = {{.key = GLFW_KEY_Q, .control = true}},
       .run = request_quit},
  };
}

}  // namespace

std::span<const Action> actions() {
  static const std::vector<Action> all = [] {
    std::vector<Action> rows = time_and_view_actions();
    std::ranges::move(file_and_edit_actions(), std::back_inserter(rows));
    return rows;
  }();
  return all;
}

const Action& action(std::string_view id) {
  const auto found = std::ranges::find(actions(), id, &Action::id);
  assert(found != actions().end());
  return *found;
}

bool is_possible(const Action& action, const App& app) { return action.possible == nullptr || action.possible(app); }

bool menu_action(App& app, std::string_view id, const std::string& label, bool checked) {
  const Action& chosen = action(id);
  if (!ImGui::MenuItem(label.c_str(), std::string(chosen.keys).c_str(), checked, is_possible(chosen, app)))
    return false;
  chosen.run(app);
  return true;
}

std::string with_key(const std::string& label, std::string_view id) {
  const std::string_view keys = action(id).keys;
  const std::size_t last = keys.rfind(" or ");
  return label + " (" + std::string(last == std::string_view::npos ? keys : keys.substr(last + 4)) + ")";
}

}  // namespace vw::ui
