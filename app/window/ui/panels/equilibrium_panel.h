// Static equilibrium of a body, a part of the Modes tab. This part sends the Settle command, which the journal records,
// and shows the progress and the result of the solver. Everything in this file runs on the drawing thread.
#pragma once

#include <optional>
#include <string>

#include "sim/api/analysis/analysis.h"

namespace vw::ui {

struct App;

struct EquilibriumState {
  bool sought = false;                       ///< whether a Settle command is in progress
  bool stopped = false;                      ///< whether the user has stopped the command
  std::string system;                        ///< system of the command
  std::optional<Result<Equilibrium>> found;  ///< result of the last command
};

/// Moves a body of the running world to its static equilibrium.
void settle_body(App& app, const std::string& system);
/// Fetches the result of the Settle command. Call this once per frame.
void update_equilibrium(App& app);
/// Draws the equilibrium part of the Modes tab.
void draw_equilibrium(App& app, const std::string& body);

}  // namespace vw::ui
