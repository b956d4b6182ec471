// Equilibrium of a body: sends the Settle command (recorded in the journal), shows its progress and its result. Drawing
// thread.
#pragma once

#include <optional>
#include <string>

#include "sim/world/analysis.h"

namespace vw::ui {

struct App;

struct EquilibriumState {
  bool sought = false;                       ///< a command is in progress
  bool stopped = false;                      ///< stopped by the user
  std::string system;                        ///< system concerned
  std::optional<Result<Equilibrium>> found;  ///< result of the last command
};

/// Moves a body of the running world to its static equilibrium.
void settle_body(App& app, const std::string& system);
/// Fetches the result. Call this once per frame.
void update_equilibrium(App& app);
/// Part of the Modes tab.
void draw_equilibrium(App& app, const std::string& body);

}  // namespace vw::ui
