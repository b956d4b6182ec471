#include "app/window/ui/actions/actions.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <filesystem>

#include <GLFW/glfw3.h>
#include <imgui.h>

#include "app/window/gizmo/view_cube.h"
#include "app/window/ui/app.h"
#include "app/window/ui/node_selection.h"
#include "app/window/ui/panels/scene_tree.h"

namespace vw::ui {
namespace {

bool has_document(const App& app) { return app.session.document != nullptr; }
bool can_move(const App& app) { return app.view.viewport.gizmo.has_target(app); }
bool has_selection(const App& app) { return !app.view.viewport.selection.system.empty(); }

void open_browser(App& app) {
  const std::string path = app.session.document == nullptr ? std::string() : app.session.document->path();
  app.ui.browser.open_for_opening(std::filesystem::path(path).parent_path().string());
}

/// Multiplies the requested speed by 2^(half_octaves / 2), where half_octaves is -1 or 1: two presses of a key halve or
/// double the speed. If half_octaves is 0, the speed is set to 1.
void change_speed(App& app, int half_octaves) {
  const Value* value = app.session.document == nullptr ? nullptr : app.session.document->value("world.speed");
  if (value == nullptr) return;
  app.session.document->end_gesture();
  constexpr double factor = 1.4142135623730951;
  const double speed = std::get<double>(*value);
  set_speed(app, half_octaves == 0 ? 1 : half_octaves < 0 ? speed / factor : speed * factor);
}

/// Performs the first of these actions that applies: closes the help sheet and the About dialog, makes the camera stop
/// following an object, or clears the selection.
void close_or_clear(App& app) {
  if (app.ui.layout.help || app.ui.layout.about)
    app.ui.layout.help = app.ui.layout.about = false;
  else if (!app.session.view().follow.empty())
    follow(app, {});
  else
    app.view.viewport.select_nothing(app);
}

/// Removes the selected member or particle from the world. If no such element is selected, or several nodes are,
/// removes the selected nodes.
void remove_element_or_nodes(App& app) {
  const bool is_single = has_document(app) && selected_nodes(app.ui.layout, app.session.document->root()).size() < 2;
  is_single&& can_remove_selected(app) ? remove_selected(app) : remove_nodes(app);
}

template <int number>
void store(App& app) {
  store_camera(app, number);
}
template <int number>
void go_to(App& app) {
  if (has_document(app)) go_to_camera(app, number);
}
template <int number>
bool is_stored(const App& app) {
  return has_document(app) && has_camera(app, number);
}

/// Actions for the stored camera with this number.
template <int number>
void add_camera_actions(std::vector<Action>& rows) {
  struct Texts {
    std::string_view go_id, go_keys, go_what, store_id, store_keys, store_what;
  };
  static constexpr Texts all[stored_cameras] = {
      {"go_to_camera_1", "Ctrl + 1", "go to stored camera 1", "store_camera_1", "Ctrl + Shift + 1", "store camera 1"},
      {"go_to_camera_2", "Ctrl + 2", "go to stored camera 2", "store_camera_2", "Ctrl + Shift + 2", "store camera 2"},
      {"go_to_camera_3", "Ctrl + 3", "go to stored camera 3", "store_camera_3", "Ctrl + Shift + 3", "store camera 3"},
      {"go_to_camera_4", "Ctrl + 4", "go to stored camera 4", "store_camera_4", "Ctrl + Shift + 4", "store camera 4"}};
  const Texts& texts = all[number - 1];
  constexpr int key = GLFW_KEY_0 + number;
  rows.push_back({.id = texts.go_id,
                  .keys = texts.go_keys,
                  .what = texts.go_what,
                  .presses = {{.key = key, .control = true, .shift = false}},
                  .run = go_to<number>,
                  .possible = is_stored<number>});
  rows.push_back({.id = texts.store_id,
                  .keys = texts.store_keys,
                  .what = texts.store_what,
                  .presses = {{.key = key, .control = true, .shift = true}},
                  .run = store<number>,
                  .possible = has_document});
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
       .what = "advance one step",
       .presses = {{.key = GLFW_KEY_PERIOD, .repeat = true}, {.key = GLFW_KEY_RIGHT, .repeat = true}},
       .run = single_step},
      {.id = "step_back",
       .keys = ", or Left",
       .what = "go back one step",
       .presses = {{.key = GLFW_KEY_COMMA, .repeat = true}, {.key = GLFW_KEY_LEFT, .repeat = true}},
       .run = step_back},
      {.id = "backwards",
       .keys = "J",
       .what = "play backwards or pause",
       .presses = {{.key = GLFW_KEY_J}},
       .run = [](App& app) { play_backwards(app, !app.session.backwards.is_on); }},
      {.id = "pause",
       .keys = "K",
       .what = "pause",
       .presses = {{.key = GLFW_KEY_K}},
       .run = [](App& app) { set_playing(app, false); }},
      {.id = "forwards",
       .keys = "L",
       .what = "play",
       .presses = {{.key = GLFW_KEY_L}},
       .run = [](App& app) { set_playing(app, true); }},
      {.id = "to_end",
       .keys = "Ctrl + End",
       .what = "go to the end of the branch",
       .presses = {{.key = GLFW_KEY_END, .control = true}},
       .run = seek_end},
      {.id = "bookmark",
       .keys = "B",
       .what = "name this moment (bookmark)",
       .presses = {{.key = GLFW_KEY_B}},
       .run = ask_for_bookmark},
      {.id = "reset",
       .keys = "Ctrl + R",
       .what = "reset",
       .presses = {{.key = GLFW_KEY_R, .control = true}},
       .run = reset},
      {.id = "slower",
       .keys = "[ or -",
       .what = "decrease the speed",
       .presses = {{.key = GLFW_KEY_LEFT_BRACKET, .repeat = true},
                   {.key = GLFW_KEY_MINUS, .repeat = true},
                   {.key = GLFW_KEY_KP_SUBTRACT, .repeat = true}},
       .run = [](App& app) { change_speed(app, -1); }},
      {.id = "faster",
       .keys = "] or +",
       .what = "increase the speed",
       .presses = {{.key = GLFW_KEY_RIGHT_BRACKET, .repeat = true},
                   {.key = GLFW_KEY_EQUAL, .repeat = true},
                   {.key = GLFW_KEY_KP_ADD, .repeat = true}},
       .run = [](App& app) { change_speed(app, 1); }},
      {.id = "speed_1",
       .keys = "Backspace",
       .what = "reset the speed to 1",
       .presses = {{.key = GLFW_KEY_BACKSPACE}},
       .run = [](App& app) { change_speed(app, 0); }},
      {.id = "vectors",
       .keys = "V",
       .what = "show or hide vector arrows",
       .presses = {{.key = GLFW_KEY_V}},
       .run = toggle_vectors},
      {.id = "color_by",
       .keys = "C",
       .what = "colour elements by the next quantity",
       .presses = {{.key = GLFW_KEY_C}},
       .run = cycle_color_by},
      {.id = "frame_selection",
       .keys = "F",
       .what = "frame the selection",
       .presses = {{.key = GLFW_KEY_F, .shift = false}},
       .run = [](App& app) { app.view.viewport.focus_selection(app); },
       .possible = [](const App& app) { return has_selection(app) || !app.view.viewport.selection.obstacle.empty(); }},
      {.id = "follow",
       .keys = "Shift + F",
       .what = "start or stop following the selection",
       .presses = {{.key = GLFW_KEY_F, .shift = true}},
       .run = toggle_follow,
       .possible = [](const App& app) { return has_selection(app) || !app.session.view().follow.empty(); }},
      {.id = "frame_subject",
       .keys = "Home",
       .what = "frame the subject (main objects)",
       .presses = {{.key = GLFW_KEY_HOME, .shift = false}},
       .run = [](App& app) { app.view.viewport.frame_subject(app); }},
      {.id = "frame_all",
       .keys = "Shift + Home",
       .what = "frame the whole scene",
       .presses = {{.key = GLFW_KEY_HOME, .shift = true}},
       .run = [](App& app) { app.view.viewport.frame_all(app); }},
      {.id = "library",
       .keys = "M",
       .what = "show or hide the material library",
       .presses = {{.key = GLFW_KEY_M}},
       .run = [](App& app) { app.ui.library.materials.open = !app.ui.library.materials.open; }},
      {.id = "timeline",
       .keys = "Shift + T",
       .what = "show or hide the timeline",
       .presses = {{.key = GLFW_KEY_T, .shift = true}},
       .run = [](App& app) { app.ui.layout.timeline = !app.ui.layout.timeline; }},
      {.id = "sidebars",
       .keys = "Tab",
       .what = "hide or show the sidebars",
       .presses = {{.key = GLFW_KEY_TAB}},
       .run =
           [](App& app) { app.ui.layout.left = app.ui.layout.right = !(app.ui.layout.left || app.ui.layout.right); }},
  };
}

template <std::size_t side>
void look_from_side(App& app) {
  look_from(app, view_sides[side].normal);
}

/// Views along the axes of the world. The opposite view has the same key with Shift, because Ctrl + 1 and Ctrl + 3 go
/// to stored cameras.
std::vector<Action> view_side_actions() {
  const auto row = [](std::string_view id, std::string_view keys, std::string_view what, int key, bool shift,
                      void (*run)(App&)) {
    const int on_keypad = key - GLFW_KEY_0 + GLFW_KEY_KP_0;
    return Action{.id = id,
                  .keys = keys,
                  .what = what,
                  .presses = {{.key = key, .shift = shift}, {.key = on_keypad, .shift = shift}},
                  .run = run};
  };
  return {row("look_front", "1", "look from the front", GLFW_KEY_1, false, look_from_side<0>),
          row("look_back", "Shift + 1", "look from the back", GLFW_KEY_1, true, look_from_side<1>),
          row("look_right", "3", "look from the right", GLFW_KEY_3, false, look_from_side<2>),
          row("look_left", "Shift + 3", "look from the left", GLFW_KEY_3, true, look_from_side<3>),
          row("look_top", "7", "look from the top", GLFW_KEY_7, false, look_from_side<4>),
          row("look_bottom", "Shift + 7", "look from the bottom", GLFW_KEY_7, true, look_from_side<5>),
          {.id = "orthographic",
           .keys = "5",
           .what = "switch between perspective and orthographic projection",
           .presses = {{.key = GLFW_KEY_5}, {.key = GLFW_KEY_KP_5}},
           .run = toggle_orthographic}};
}

std::vector<Action> gizmo_actions() {
  constexpr auto group = ActionGroup::files_and_edits;
  return {
      {.id = "move",
       .keys = "G",
       .what = "move the selected object with the pointer",
       .group = group,
       .presses = {{.key = GLFW_KEY_G}},
       .run = [](App& app) { app.view.viewport.gizmo.begin_by_key(app, GizmoMode::move); },
       .possible = can_move},
      {.id = "rotate",
       .keys = "R",
       .what = "rotate the selected object with the pointer, or reset if there is none",
       .group = group,
       .presses = {{.key = GLFW_KEY_R}},
       .run =
           [](App& app) {
             if (!can_move(app)) return reset(app);
             app.view.viewport.gizmo.begin_by_key(app, GizmoMode::rotate);
           }},
      {.id = "scale",
       .keys = "S",
       .what = "scale the selected object with the pointer",
       .group = group,
       .presses = {{.key = GLFW_KEY_S}},
       .run = [](App& app) { app.view.viewport.gizmo.begin_by_key(app, GizmoMode::scale); },
       .possible = can_move},
      {.id = "to_ground",
       .keys = "End",
       .what = "lower the selected objects onto the ground or the obstacle below",
       .group = group,
       .presses = {{.key = GLFW_KEY_END}},
       .run = [](App& app) { app.view.viewport.gizmo.drop_to_ground(app); },
       .possible = can_move},
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
       .possible = [](const App& app) { return can_undo(app); }},
      {.id = "redo",
       .keys = "Ctrl + Shift + Z, Ctrl + Y",
       .what = "redo",
       .group = group,
       .presses = {{.key = GLFW_KEY_Z, .control = true, .shift = true, .repeat = true},
                   {.key = GLFW_KEY_Y, .control = true, .repeat = true}},
       .run = redo,
       .possible = [](const App& app) { return can_redo(app); }},
      {.id = "remove",
       .keys = "Delete",
       .what = "remove the selected member or particle, or the selected nodes",
       .group = group,
       .presses = {{.key = GLFW_KEY_DELETE}},
       .run = remove_element_or_nodes,
       .possible = [](const App& app) { return has_removable_nodes(app) || can_remove_selected(app); }},
      {.id = "duplicate",
       .keys = "Ctrl + D",
       .what = "duplicate the selected nodes",
       .group = group,
       .presses = {{.key = GLFW_KEY_D, .control = true}},
       .run = duplicate_nodes,
       .possible = has_removable_nodes},
      {.id = "hide",
       .keys = "H",
       .what = "hide or show the selected systems and obstacles",
       .group = group,
       .presses = {{.key = GLFW_KEY_H}},
       .run = toggle_hidden_nodes,
       .possible = has_removable_nodes},
      {.id = "rename",
       .keys = "F2",
       .what = "rename the node that is selected in the tree",
       .group = group,
       .presses = {{.key = GLFW_KEY_F2}},
       .run =
           [](App& app) {
             if (has_document(app))
               start_renaming(app.ui.layout, app.session.document->root(), app.ui.layout.selected_path);
           },
       .possible =
           [](const App& app) {
             return has_document(app) && is_one_of_many(app.session.document->root(), app.ui.layout.selected_path);
           }},
      {.id = "screenshot",
       .keys = "F12",
       .what = "take a screenshot",
       .group = group,
       .presses = {{.key = GLFW_KEY_F12}},
       .run = take_screenshot,
       .while_typing = true},
      {.id = "record",
       .keys = "F9",
       .what = "start or stop recording a video",
       .group = group,
       .presses = {{.key = GLFW_KEY_F9}},
       .run = [](App& app) { app.view.recorder.active() ? stop_recording(app) : start_recording(app); },
       .while_typing = true},
      {.id = "help",
       .keys = "F1",
       .what = "show or hide the list of mouse and keys",
       .group = group,
       .presses = {{.key = GLFW_KEY_F1}},
       .run = [](App& app) { app.ui.layout.help = !app.ui.layout.help; },
       .while_typing = true},
      {.id = "close",
       .keys = "Esc",
       .what = "close a dialog, stop following, deselect",
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
    std::ranges::move(view_side_actions(), std::back_inserter(rows));
    std::ranges::move(gizmo_actions(), std::back_inserter(rows));
    add_camera_actions<1>(rows);
    add_camera_actions<2>(rows);
    add_camera_actions<3>(rows);
    add_camera_actions<4>(rows);
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
