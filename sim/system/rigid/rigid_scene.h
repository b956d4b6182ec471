// What the parts of a rigid substep share: the bodies, how they move, what they meet.
#pragma once

#include <span>

#include "sim/collision/collider.h"
#include "sim/system/rigid/rigid_body.h"
#include "sim/system/system.h"

namespace vw {

constexpr std::size_t no_body = static_cast<std::size_t>(-1);  ///< in a body's place: the world

/// The bodies of a system and what they meet in a substep.
struct RigidScene {
  std::span<const RigidBody> bodies;
  Elements* rows = nullptr;       ///< velocities with everything but contact
  std::span<Vec3> velocity_then;  ///< of each body at the substep's start: what bounces
  std::span<Vec3> spin_then;
  std::span<const Collider> colliders;
  double dt = 0;
  Vec3 gravity = Vec3::Zero();    ///< as the bodies feel it [m/s^2]
  double slowest_bounce_mps = 0;  ///< what comes slower comes to rest
  int rounds = 200;               ///< of the impulses, at most
  /// Of each body: whom it sleeps with, 0 while it is awake. Empty: all are awake. Who touches or is joined sleeps together: nobody awake meets
  /// anybody asleep when impulses are given.
  std::span<const std::uint32_t> asleep;

  [[nodiscard]] bool sleeps(std::size_t body) const { return !asleep.empty() && body != no_body && asleep[body] != 0; }
};

}  // namespace vw
