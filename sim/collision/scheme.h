// Moving a particle through one step among obstacles (SPEC 2, after Bridson's collision notes). A scheme says how the step and its contacts fit
// together.
#pragma once

#include <span>

#include "sim/collision/collider.h"

namespace vw {

enum class Scheme { single, loop, collision_then_contact };

/// What one step of length dt does to a free particle's velocity: v_new = gain v + offset (gravity: gain 1; linear drag: exp(-dt / tau)).
struct VelocityMap {
  double dt = 0;
  double gain = 1;
  Vec3 offset = Vec3::Zero();
  [[nodiscard]] Vec3 operator()(const Vec3& v) const { return gain * v + offset; }
};

struct Particle {
  Vec3 x, v;
  double radius = 0;
  SurfaceMaterial surface;
};

struct StepOutcome {
  Vec3 x, v;
  bool touched = false;
  bool capped = false;  ///< the contact loop reached its cap: the particle stayed at x(t) with v = 0
};

/// One step. `start` and `end` are the same obstacles where they stand at the two ends of the step. The candidate is x + dt v_new.
/// single: one response of the candidate's velocity, replayed; cheap, creeps and may end inside.
/// loop: repeated until outside, losing energy after the first pass; what starts outside ends outside.
/// collision_then_contact: bounces with the velocity of the step's start (up to 3 times), then rests by inelastic contact; a body at rest does not
/// bounce.
[[nodiscard]] StepOutcome advance(Scheme scheme, const Particle& particle, const VelocityMap& map, std::span<const Collider> start,
                                  std::span<const Collider> end);

}  // namespace vw
