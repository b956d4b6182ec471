// A registry of simple systems with exactly known behaviour: free balls, and a spring rule between balls of two kinds.
#pragma once

#include <functional>
#include <string>

#include "sim/world/session.h"
#include "sim/world/world.h"

namespace vw::mock {

/// Parameters of a system of balls. The kinds "slow" and "fast" share one class. The balls move by symplectic Euler
/// under impulses and gravity.
struct BallParams {
  std::int64_t count = 3;
  double mass = 1;
  Vec3 position{0, 0, 0};
  Vec3 velocity{0, 0, 0};
  double spacing = 1;   ///< distance of neighbours along x [m]
  double stable_s = 1;  ///< stable substep that the system reports
  bool gravity = false;
  double break_time = -1;  ///< Time from which a position is NaN [s]. If negative, positions stay finite.
  double kick = 0;         ///< velocity added in each substep [m/s]
  double kick_time = 0;    ///< time from which `kick` acts [s]
  std::string label;       ///< has no effect
};
const ParamTable<BallParams>& ball_params();

/// Sets a function that every ball system calls in every substep. Tests use the hook to block a step.
using Hook = std::function<void()>;
void set_substep_hook(Hook hook);

struct SpringParams {
  bool enabled = true;
  std::string a, b;
  double stiffness = 10;
  Rate rate = Rate::finer;
  double coupled = 0;  ///< spring constant that the rule reports for the step bounds of both sides
};

const Registry& registry();

/// Returns an empty scene of the mock registry without gravity.
Node empty_scene();
Node& add_balls(Node& scene, const std::string& kind, const std::string& name);
Node& add_spring(Node& scene, const std::string& name = "spring");

/// Creates the world. If the world cannot be created, the test fails.
std::unique_ptr<World> make_world(Node scene);

}  // namespace vw::mock
