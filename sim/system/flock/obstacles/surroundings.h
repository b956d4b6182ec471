// Surroundings of a flock: solids to avoid, threats to flee from, prey and bodies to follow, and water. Systems do not
// access each other. Instead, interactions write the data of other systems here for the current substep.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/collision/collider.h"
#include "sim/system/system.h"

namespace vw {

/// A solid in the pose at the start of the substep. Members avoid its predicted positions, and the obstacle guard keeps
/// members outside it.
struct FlockSolid {
  Shape shape;
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();
  Vec3 velocity = Vec3::Zero(), angular_velocity = Vec3::Zero();
  bool two_sided = false;
  double fright_m = 0;    ///< Distance within which members flee from the solid [m]. 0 means that they never flee.
  double fright_mps = 0;  ///< Smallest approach speed of the solid at which members flee [m/s].
};

/// Many small balls that move independently, such as the voxels of a body or the members of another flock.
struct FlockBalls {
  std::vector<Vec3> position, velocity;
  std::vector<double> radius;
  /// Whether the obstacle guard keeps members outside the balls. If false, members only avoid the balls by steering.
  bool solid = true;
  double fright_m = 0, fright_mps = 0;  ///< See FlockSolid::fright_m and FlockSolid::fright_mps.
};

/// Element of another system that is prey (a lure) or a hunter (a threat).
struct FlockStranger {
  Vec3 position = Vec3::Zero(), velocity = Vec3::Zero();
  double radius = 0;
};

/// Water at a member in this substep, sampled by an interaction.
struct FlockWater {
  Vec3 velocity = Vec3::Zero();
  double share = 0;  ///< Fraction of the member's body that is under water.
};

/// Position of a body that a goal refers to.
struct FlockMark {
  /// Name of a system or of an element. For a system such as "raft", `position` is the centre of mass. An element is
  /// written as in "raft.deck".
  std::string body;
  Vec3 position = Vec3::Zero(), velocity = Vec3::Zero();
  double radius = 0;
};

struct Surroundings {
  std::vector<FlockSolid> solids;
  std::vector<FlockBalls> balls;
  std::vector<FlockStranger> threats, lures;
  std::vector<FlockMark> marks;
  std::vector<FlockWater> water;  ///< Water at each member. Empty if there is no water.
  void clear();
};

}  // namespace vw
