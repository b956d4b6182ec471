// Commands are the only input to a running world. They are small plain values, which are applied between fixed steps
// and recorded in the journal.
#pragma once

#include <string>
#include <variant>

#include "sim/base/data/node.h"

namespace vw {

struct SetParameter {
  std::string path;
  Value value;
};
/// Attaches a critically damped spring between an element and a target point, in place of an earlier one. The stiffness
/// is limited according to the masses of the element and its body, so that the spring stays stable (limit_spring).
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
/// Applies one impulse [N s], distributed by mass over the elements within `radius_m` of the given element. If the
/// radius is 0, the impulse acts on that element only.
struct Push {
  std::string system;
  std::int64_t element = 0;
  Vec3 impulse = Vec3::Zero();
  double radius_m = 0;
};
/// Removes elements of a flock or of particles. If `element` >= 0, that element and all elements within `radius_m` of
/// it are removed. If `element` is -1, all elements within `radius_m` of `place` are removed.
struct Remove {
  std::string system;
  std::int64_t element = -1;
  Vec3 place = Vec3::Zero();
  double radius_m = 0;
};
/// Adds `count` members of a species (empty means the first species) to a flock, around `place` [m].
struct Spawn {
  std::string system;
  std::string species;
  Vec3 place = Vec3::Zero();
  std::int64_t count = 1;
};
/// Moves a voxel body to its equilibrium under gravity, the loads of its regions and the colliders in their present
/// poses (sim/system/equilibrium.h). The body is at rest afterwards. If there is no equilibrium, the command is an
/// error and the body does not move.
struct Settle {
  std::string system;
};
/// Returns to the initial state of the scene with the edited parameters. Edits of parameters that are not live take
/// effect.
struct Reset {};
using Command = std::variant<SetParameter, Grab, MoveGrab, Release, Push, Settle, Reset, Remove, Spawn>;

/// One line of JSON without a line break that parses back to the same bits:
/// {"set":{"path":"world.gravity","value":[0,-9.81,0]}}.
[[nodiscard]] std::string to_json(const Command& command);
[[nodiscard]] Result<Command> command_from_json(std::string_view text);

}  // namespace vw
