// State of the display of a body's natural modes, and the actions of the Modes panel. Everything in this file runs on
// the drawing thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <imgui.h>

#include "app/window/results/mode_show.h"

namespace vw::ui {

struct App;

struct ModesState {
  ModalSolver finder;
  std::unique_ptr<FoundModes> found;
  bool stale = false;                  ///< whether the scene has changed since the modes were computed
  std::uint64_t checked_revision = 0;  ///< document revision + 1 of the last check of `stale`; 0 if there was none
  /// Voxel body chosen in the panel. If empty, the panel uses the selected voxel body, or else the first one.
  std::string system;
  int count = 12;
  bool loaded = false;      ///< whether to linearise about the equilibrium under load instead of the rest shape
  int shown = -1;           ///< index of the mode shown in the picture, or -1 if no mode is shown
  double amplitude = 0.15;  ///< largest displacement relative to the body's extent
  double pace = 0.6;        ///< oscillations per second in the picture
  double phase = 0;         ///< phase of the oscillation [rad]
  double last_wall_s = 0;
  Snapshot picture;                 ///< newest snapshot with the deformed body
  std::uint64_t picture_count = 0;  ///< counts changes of `picture`
};

/// Modes of a body. Null if the modes have not been computed, or if the scene has changed since the computation.
[[nodiscard]] const FoundModes* modes_of_body(const ModesState& modes, const std::string& system);
/// Shows the numerical damping of the implicit integrator below the parameter that selects the integrator. Draws
/// nothing for the explicit integrator.
void draw_damping_note(App& app, const std::string& system);
/// Starts to compute the modes of the panel's body.
void find_modes(App& app);
/// Pauses the world and shows an oscillating mode in the picture.
void show_mode(App& app, int mode);
void hide_mode(App& app);
/// Fetches computed modes and advances the animation. Call this once per frame.
void update_modes(App& app);
/// Snapshot of the world with the body deformed by the displayed mode. Null if no mode is shown.
[[nodiscard]] const Snapshot* mode_picture(const ModesState& modes);
/// Draws the buttons that start to compute a body's modes and its equilibrium. The inspector shows these buttons above
/// the parameters of the body.
void draw_studies(App& app, const std::string& system);
/// Shows the frequency of the mode in the picture and the slow-motion factor.
void draw_mode_title(const ModesState& modes, ImVec2 corner, ImVec2 size);
void draw_modes_panel(App& app);

}  // namespace vw::ui
