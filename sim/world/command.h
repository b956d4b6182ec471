// Commands: the only thing that flows from outside into a running world. Small plain values, applied between fixed steps and journalled.
#pragma once

#include <string>
#include <variant>

#include "sim/base/node.h"

namespace vw {

struct SetParameter {
  std::string path;
  Value value;
};
/// Hangs a spring [N/m] with damping ratio 1 between an element and a target point; replaces an earlier grab. The spring's stiffness is
/// limited by the element's body so that it stays stable.
struct Grab {
  std::string system;
  std::int64_t element = 0;
  Vec3 target = Vec3::Zero();
  double stiffness_npm = 10;
};
struct MoveGrab {
  Vec3 target = Vec3::Zero();
};
struct Release {};
/// One impulse [N s], shared over the elements within `radius_m` of the element (mass weighted); 0 = that element alone.
struct Push {
  std::string system;
  std::int64_t element = 0;
  Vec3 impulse = Vec3::Zero();
  double radius_m = 0;
};
/// Takes elements out of a flock or out of particles: one, with all within `radius_m` of it; or (element -1) all within `radius_m` of a place.
struct Remove {
  std::string system;
  std::int64_t element = -1;
  Vec3 place = Vec3::Zero();
  double radius_m = 0;
};
/// Members of a species (empty: the first) more in a flock, about a place.
struct Spawn {
  std::string system;
  std::string species;
  Vec3 place = Vec3::Zero();
  std::int64_t count = 1;
};
/// Moves a voxel body to its equilibrium under gravity, its regions and the obstacles as they stand, at rest (sim/world/analysis.h). An error, and
/// nothing moves, when it has none.
struct Settle {
  std::string system;
};
/// Back to the start of the scene with the parameters as they are now (not live ones take effect).
struct Reset {};
using Command = std::variant<SetParameter, Grab, MoveGrab, Release, Push, Settle, Reset, Remove, Spawn>;

/// One line of JSON, without line break, that reads back to the same bits: {"set":{"path":"world.gravity","value":[0,-9.81,0]}}.
[[nodiscard]] std::string to_json(const Command& command);
[[nodiscard]] Result<Command> command_from_json(std::string_view text);

}  // namespace vw
