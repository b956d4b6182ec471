// Surroundings of a flock's members: solids to avoid, threats to flee from, bodies to follow, water. Systems do not
// know each other, so interactions write the data of other systems here for the current substep.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/collision/collider.h"
#include "sim/system/system.h"

namespace vw {

/// A solid in its current pose. Members avoid its predicted position, and are never inside it at the end of the
/// substep.
struct FlockSolid {
  Shape shape;
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();
  Vec3 velocity = Vec3::Zero(), angular_velocity = Vec3::Zero();
  bool two_sided = false;
  double fright_m = 0;    ///< Distance within which members flee from the solid [m]; 0: never.
  double fright_mps = 0;  ///< Smallest approach speed that makes them flee [m/s].
};

/// Many small balls that move independently, such as the voxels of a body or the members of another flock.
struct FlockBalls {
  std::vector<Vec3> position, velocity;
  std::vector<double> radius;
  bool solid = true;                    ///< Members stay outside them; else members only avoid them.
  double fright_m = 0, fright_mps = 0;  ///< As for FlockSolid.
};

/// Prey (lure) or hunter (threat) of another system.
struct FlockStranger {
  Vec3 position = Vec3::Zero(), velocity = Vec3::Zero();
  double radius = 0;
};

/// Water at a member, as the interaction found it in this substep.
struct FlockWater {
  Vec3 velocity = Vec3::Zero();
  double share = 0;  ///< Share of the member's body under water; 0: none.
};

/// Position of a body that a goal names.
struct FlockMark {
  std::string body;  ///< "raft" (its centre of mass), "raft.deck" or "raft.17" (an element).
  Vec3 position = Vec3::Zero(), velocity = Vec3::Zero();
  double radius = 0;
};

struct Surroundings {
  std::vector<FlockSolid> solids;
  std::vector<FlockBalls> balls;
  std::vector<FlockStranger> threats, lures;
  std::vector<FlockMark> marks;
  std::vector<FlockWater> water;  ///< One entry per row; empty: there is no water.
  void clear();
};

}  // namespace vw
