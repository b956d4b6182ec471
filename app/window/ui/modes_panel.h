// State of the display of a body's natural modes, and the actions of the Modes panel. Drawing thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <imgui.h>

#include "app/window/mode_show.h"

namespace vw::ui {

struct App;

struct ModesState {
  ModalSolver finder;
  std::unique_ptr<FoundModes> found;
  bool stale = false;                  ///< the scene has changed since the modes were computed
  std::uint64_t checked_revision = 0;  ///< revision of the document for which `stale` was last determined
  std::string system;                  ///< system chosen in the panel; empty: the selected or the first one
  int count = 12;
  bool loaded = false;
  int shown = -1;           ///< index of the mode shown in the picture; -1: none
  double amplitude = 0.15;  ///< largest displacement relative to the body's extent
  double pace = 0.6;        ///< oscillations per second in the picture
  double phase = 0;
  double last_wall_s = 0;
  Snapshot picture;                 ///< newest snapshot with the deformed body
  std::uint64_t picture_count = 0;  ///< counts changes of `picture`
};

/// Modes of a body if they have been computed and are still valid; otherwise null.
[[nodiscard]] const FoundModes* modes_of_body(const App& app, const std::string& system);
/// Shows the numerical damping of the implicit integrator below the parameter that selects it. Draws nothing for the
/// explicit integrator.
void draw_damping_note(App& app, const std::string& system);
/// Starts the computation for the panel's body.
void find_modes(App& app);
/// Shows an oscillating mode in the picture. The world is paused.
void show_mode(App& app, int mode);
void hide_mode(App& app);
/// Fetches results and advances the animation. Call this once per frame.
void update_modes(App& app);
/// Null if no mode is shown.
[[nodiscard]] const Snapshot* mode_picture(const App& app);
/// Draws the buttons that start the computation of a body's modes and equilibrium, among the scene's parameters.
void draw_studies(App& app, const std::string& system);
/// Shows the frequency of the mode in the picture and the slow-motion factor.
void draw_mode_title(App& app, ImVec2 corner, ImVec2 size);
void draw_modes_panel(App& app);

}  // namespace vw::ui
