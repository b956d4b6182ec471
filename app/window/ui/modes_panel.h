// What the window shows of a body's natural modes, and the actions of the panel that shows them. Drawing thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <imgui.h>

#include "app/window/mode_show.h"

namespace vw::ui {

struct App;

struct ModesState {
  ModeFinder finder;
  std::unique_ptr<FoundModes> found;
  bool stale = false;                  ///< the scene has changed since
  std::uint64_t checked_revision = 0;  ///< of the document, when `stale` was found out
  std::string system;                  ///< chosen in the panel; empty: the selected or the first
  int count = 12;
  bool loaded = false;
  int shown = -1;           ///< index of the mode that swings in the picture; -1: none
  double amplitude = 0.15;  ///< largest displacement over the body's extent
  double pace = 0.6;        ///< swings a second in the picture
  double phase = 0;
  double last_wall_s = 0;
  Snapshot picture;                 ///< the newest snapshot with the body moved
  std::uint64_t picture_count = 0;  ///< counts changes of `picture`
};

/// The modes of that body, where they were found and still hold; else null.
[[nodiscard]] const FoundModes* modes_of_body(const App& app, const std::string& system);
/// How much the implicit integrator damps a body, below the parameter that chooses it; draws nothing for the explicit one.
void draw_damping_note(App& app, const std::string& system);
/// Starts the search for the panel's body.
void find_modes(App& app);
/// Swings a mode in the picture; the world pauses.
void show_mode(App& app, int mode);
void hide_mode(App& app);
/// Once a frame: takes what was found, moves the picture on.
void update_modes(App& app);
/// Null when no mode is on show.
[[nodiscard]] const Snapshot* mode_picture(const App& app);
/// Buttons that ask for a body's modes and equilibrium, for its place among the scene's parameters.
void draw_studies(App& app, const std::string& system);
/// What swings in the picture, and how much it is slowed.
void draw_mode_title(App& app, ImVec2 corner, ImVec2 size);
void draw_modes_panel(App& app);

}  // namespace vw::ui
