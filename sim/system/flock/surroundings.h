// What members of a flock meet that is no member: solids to steer clear of, threats to flee, bodies to follow, the water they are in. Systems know
// nothing of each other: rules bring what other systems are, for the substep that begins.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/collision/collider.h"
#include "sim/system/system.h"

namespace vw {

/// A solid as it stands now. Members steer clear of it by where it will be, and are never inside it at the substep's end.
struct FlockSolid {
  Shape shape;
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();
  Vec3 velocity = Vec3::Zero(), angular_velocity = Vec3::Zero();
  bool two_sided = false;
  double fright_m = 0;    ///< members that are nearer to it than that flee from it ...
  double fright_mps = 0;  ///< ... where it comes towards them faster than that
};

/// Many small balls that move by themselves: the voxels of a body, of another flock.
struct FlockBalls {
  std::vector<Vec3> position, velocity;
  std::vector<double> radius;
  bool solid = true;                    ///< kept out of; else only kept clear of
  double fright_m = 0, fright_mps = 0;  ///< as of a solid
};

/// Something hunted (a lure) or that hunts (a threat), of another system.
struct FlockStranger {
  Vec3 position = Vec3::Zero(), velocity = Vec3::Zero();
  double radius = 0;
};

/// The water at a member, as a rule last found it in this substep.
struct FlockWater {
  Vec3 velocity = Vec3::Zero();
  double share = 0;  ///< of its body that is under water; 0: none
};

/// Where bodies are that goals name.
struct FlockMark {
  std::string body;  ///< "raft" (its centre of mass), "raft.deck" or "raft.17" (an element)
  Vec3 position = Vec3::Zero(), velocity = Vec3::Zero();
  double radius = 0;
};

struct Surroundings {
  std::vector<FlockSolid> solids;
  std::vector<FlockBalls> balls;
  std::vector<FlockStranger> threats, lures;
  std::vector<FlockMark> marks;
  std::vector<FlockWater> water;  ///< one a row, or empty: there is none
  void clear();
};

}  // namespace vw
