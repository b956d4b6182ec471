// Table of the window's actions with their keys. The keyboard, the menus, the help sheet and the key table in
// docs/guide/window.md all use this table, so that each action is declared only once.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vw::ui {

struct App;

/// A key (GLFW key code) with its modifiers.
struct KeyPress {
  int key = 0;
  bool control = false;
  std::optional<bool> shift = std::nullopt;  ///< whether Shift must be held down; if empty, Shift is ignored
  bool repeat = false;                       ///< whether a key that is held down acts repeatedly
};

enum class ActionGroup { time_and_view, files_and_edits };

struct Action {
  std::string_view id;    ///< name in the code
  std::string_view keys;  ///< keys as shown to the user: "Ctrl + Shift + S"
  std::string_view what;  ///< description for the help sheet and the guide, in lower case
  ActionGroup group = ActionGroup::time_and_view;
  std::vector<KeyPress> presses;
  void (*run)(App& app) = nullptr;
  /// Returns whether the action is possible now. Null means that the action is always possible.
  bool (*possible)(const App& app) = nullptr;
  bool while_typing = false;  ///< whether the keys also act while a text is edited or a dialog is open
};

/// All actions in the order of the help sheet.
[[nodiscard]] std::span<const Action> actions();
/// The action with this id, which must exist.
[[nodiscard]] const Action& action(std::string_view id);
[[nodiscard]] bool is_possible(const Action& action, const App& app);
/// Draws the menu item of an action with its key. If the user chooses the item, runs the action and returns true.
bool menu_action(App& app, std::string_view id, const std::string& label, bool checked = false);
/// Appends the last of the action's keys to a label or tooltip, as in "Screenshot (F12)".
[[nodiscard]] std::string with_key(const std::string& label, std::string_view id);

}  // namespace vw::ui
