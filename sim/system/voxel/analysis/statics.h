// Static equilibrium of a lattice under load. Newton's method is applied to the same bond forces as in a moving body.
// Input: topology, constants, regions, obstacles, gravity and an initial shape. Output: the elements at rest, and the
// solver's statistics.
#pragma once

#include <span>

#include "sim/system/equilibrium.h"
#include "sim/system/system.h"
#include "sim/system/voxel/implicit/tangent.h"
#include "sim/system/voxel/lattice/regions.h"

namespace vw {

struct StaticBody {
  const LatticeTopology* topology = nullptr;
  const LatticeConstants* constants = nullptr;
  const ResolvedRegions* regions = nullptr;
  /// Colliders at their current poses. A lateral spring joins each voxel that presses against a collider to the voxel's
  /// initial position.
  std::span<const Collider> colliders;
  Vec3 gravity{0, -9.81, 0};
  std::span<const Vec3> force, moment;  ///< additional force [N] and moment [N m] on each voxel; may be empty
  std::span<const double> slack;        ///< plastic elongation of bonds (BondView::slack); empty means 0
  /// Position and orientation of each voxel at the start of prescribed motions. If these arrays are empty, the
  /// positions and orientations of the elements at the call of solve_static() are used.
  std::span<const Vec3> rest_position;
  std::span<const Quat> rest_orientation;
};

/// Moves `elements` to the equilibrium at zero velocity, with all prescribed motions at the end of their ramps. Errors:
/// supports do not hold the body against the load (the message names the free motions), no equilibrium was found, or
/// `progress` stopped the solver. After the last two errors, the elements are in equilibrium at the fraction of the
/// load that the message states.
[[nodiscard]] Result<StaticSolution> solve_static(const StaticBody& body, const StaticOptions& options,
                                                  Elements& elements);

}  // namespace vw
