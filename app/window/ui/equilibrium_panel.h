// A body brought to rest from the window: the Settle command of the journal, how far it is, and what it found. Drawing thread.
#pragma once

#include <optional>
#include <string>

#include "sim/world/analysis.h"

namespace vw::ui {

struct App;

struct EquilibriumState {
  bool sought = false;                       ///< a command is on its way
  bool stopped = false;                      ///< by hand
  std::string system;                        ///< that it concerns
  std::optional<Result<Equilibrium>> found;  ///< how the last one ended
};

/// Moves a body of the running world to its equilibrium.
void settle_body(App& app, const std::string& system);
/// Once a frame: takes what was found.
void update_equilibrium(App& app);
/// A part of the tab Modes.
void draw_equilibrium(App& app, const std::string& body);

}  // namespace vw::ui
