// Walls that turn, in the viscous forces. A sample of a wall drags rows to its own velocity; where the wall turns about something, that is the
// velocity of a place up to a spacing behind its surface, and a bowl would drag its water round faster than it turns. In: rows and samples of
// colliders. Out: what makes up for it, added to the rows' velocities before the viscous solve, which is linear in it: what turns with its walls
// feels nothing.
#pragma once

#include <span>

#include "sim/system/fluid/forces.h"
#include "sim/system/fluid/walls.h"

namespace vw {

struct TurningWalls {
  std::span<const Collider> colliders;
  std::span<const Walls::Owner> owners;  ///< of the rows of space.walls
  std::span<const PhaseForces> phases;
  std::span<const std::uint8_t> phase;  ///< of each row
  const FluidForces& settings;
};
/// Costs nothing where no collider turns or nothing is viscous.
void make_up_for_turning(SphWorkspace& space, const TurningWalls& walls, double dt);

}  // namespace vw
