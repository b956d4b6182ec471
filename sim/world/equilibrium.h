// Result of a search for the static equilibrium of a system in a world, for display.
#pragma once

#include <string>

#include "sim/system/equilibrium.h"

namespace vw {

class System;

/// Equilibrium of a system, as the search found it.
struct Equilibrium {
  std::string system;
  StaticSolution solution;
  std::size_t voxels = 0, farthest = 0;  ///< number of voxels, and index of the voxel with the largest displacement
  Vec3 displacement = Vec3::Zero();      ///< displacement of voxel `farthest` from its position at time 0 [m]
  Vec3 center_of_mass = Vec3::Zero();
  double wall_s = 0;  ///< wall time of the search [s]
};
/// Describes the equilibrium `solution` for display. `system` must already be in this equilibrium.
[[nodiscard]] Equilibrium describe_equilibrium(System& system, const StaticSolution& solution);

}  // namespace vw
