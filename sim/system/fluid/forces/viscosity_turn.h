// Correction of viscous wall forces at rotating walls. A wall sample drags particles to its own velocity. If the wall
// rotates, this is the velocity of a point up to a spacing behind the surface of the wall. A bowl would thus drag its
// water round faster than the bowl turns. Input: particles and samples of colliders. Output: a correction that is added
// to the particles' velocities before the viscous solve. The solve is linear in these velocities, so fluid that rotates
// with its walls feels no force.
#pragma once

#include <span>

#include "sim/system/fluid/forces/forces.h"
#include "sim/system/fluid/walls/walls.h"

namespace vw {

struct TurningWalls {
  std::span<const Collider> colliders;
  std::span<const Walls::Owner> owners;  ///< Owner of each row of space.walls.
  std::span<const PhaseForces> phases;
  std::span<const std::uint8_t> phase;  ///< Phase of each row.
  const FluidForces& settings;
};
/// Applies the correction to space.motion. Costs nothing if no collider rotates or no phase is viscous.
void correct_rotating_walls(SphWorkspace& space, const TurningWalls& walls, double dt);

}  // namespace vw
