// Correction of viscous wall forces at rotating walls. A wall sample drags particles to the velocity of the sample.
// Samples lie half a spacing or more behind the surface, so on a rotating bowl the samples move faster than the
// surface. The bowl would thus drag its water round faster than the bowl turns. Input: particles and samples of
// colliders. Output: a correction that is added to the particles' velocities before the viscous solve. The solve is
// linear in these velocities, so fluid that rotates with its walls feels no force.
#pragma once

#include <span>

#include "sim/system/fluid/forces/forces.h"
#include "sim/system/fluid/walls/walls.h"

namespace vw {

struct TurningWalls {
  std::span<const Collider> colliders;
  std::span<const Walls::Owner> owners;  ///< Owner of each sample in space.walls.
  std::span<const PhaseForces> phases;
  std::span<const std::uint8_t> phase;  ///< Phase of each particle.
  const FluidForces& settings;
};
/// Applies the correction to space.motion. Costs nothing if no collider rotates or no phase is viscous.
void correct_rotating_walls(SphWorkspace& space, const TurningWalls& walls, double dt);

}  // namespace vw
