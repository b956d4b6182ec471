// Data that all stages of a rigid substep use: bodies, their motion, obstacles.
#pragma once

#include <span>

#include "sim/collision/collider.h"
#include "sim/system/rigid/rigid_body.h"
#include "sim/system/system.h"

namespace vw {

constexpr std::size_t no_body = static_cast<std::size_t>(-1);  ///< Body index that stands for the world.

/// The bodies of a system, and the conditions of one substep.
struct RigidScene {
  std::span<const RigidBody> bodies;
  /// State of the bodies. Velocities include all impulses except contact and joint impulses.
  Elements* rows = nullptr;
  /// Velocity of each body at the start of the substep. The coefficient of restitution is applied to this velocity.
  std::span<Vec3> velocity_then;
  std::span<Vec3> spin_then;
  std::span<const Collider> colliders;
  double dt = 0;
  Vec3 gravity = Vec3::Zero();    ///< Acceleration of the bodies by gravity [m/s^2].
  double slowest_bounce_mps = 0;  ///< Contacts with a lower approach speed do not bounce.
  int rounds = 200;               ///< Largest number of solver iterations.
  /// For each body: number of its sleeping group, or 0 if it is awake. An empty span means that all bodies are awake.
  /// Sleeping bodies that touch or are joined belong to the same group. A sleeping body that touches an awake body
  /// wakes before the impulses are computed, so no contact then connects an awake and a sleeping body.
  std::span<const std::uint32_t> asleep;

  [[nodiscard]] bool sleeps(std::size_t body) const { return !asleep.empty() && body != no_body && asleep[body] != 0; }
};

}  // namespace vw
