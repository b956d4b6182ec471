// A registry of systems whose behaviour is known exactly: balls that fly freely, and a spring between balls of two kinds.
#pragma once

#include <functional>
#include <string>

#include "sim/world/session.h"
#include "sim/world/world.h"

namespace vw::mock {

/// Balls of kind "slow" and "fast" (one class, two schemas): symplectic Euler under impulses and gravity.
struct BallParams {
  std::int64_t count = 3;
  double mass = 1;
  Vec3 position{0, 0, 0};
  Vec3 velocity{0, 0, 0};
  double spacing = 1;   ///< between neighbours along x [m]
  double stable_s = 1;  ///< largest substep that the system claims to bear
  bool gravity = false;
  double break_time = -1;  ///< from then on positions become NaN; negative: never
  double kick = 0;         ///< velocity [m/s] added each substep ...
  double kick_time = 0;    ///< ... from then on [s]
  std::string label;       ///< no effect
};
const ParamTable<BallParams>& ball_params();

/// Called at every substep of every ball system when set: lets a test hold a step.
using Hook = std::function<void()>;
void set_substep_hook(Hook hook);

struct SpringParams {
  bool enabled = true;
  std::string a, b;
  double stiffness = 10;
  Rate rate = Rate::finer;
  double coupled = 0;  ///< what it claims towards the sides' step bounds
};

const Registry& registry();

/// An empty scene of the mock registry without gravity.
Node empty_scene();
Node& add_balls(Node& scene, const std::string& kind, const std::string& name);
Node& add_spring(Node& scene, const std::string& name = "spring");

/// Fails the test when the scene cannot be made.
std::unique_ptr<World> make_world(Node scene);

}  // namespace vw::mock
