// Equilibrium of a lattice under load: Newton's method on the same forces as the motion's, with the tangent stiffness.
// In: topology, constants, regions, obstacles, gravity and a start. Out: the elements at rest, and what the solver met on its way.
#pragma once

#include <functional>
#include <span>

#include "sim/system/voxel/regions.h"
#include "sim/system/voxel/tangent.h"

namespace vw {

struct StaticBody {
  const LatticeTopology* topology = nullptr;
  const LatticeConstants* constants = nullptr;
  const ResolvedRegions* regions = nullptr;
  std::span<const Collider> colliders;         ///< as they stand; pressed against without friction but for what keeps a body from drifting
  Vec3 gravity{0, -9.81, 0};
  std::span<const Vec3> force, moment;         ///< further loads on each voxel [N], [N m]; may be empty
  std::span<const double> rest_offset;         ///< added to each bond's rest length [m] (permanent set); may be empty
  std::span<const Vec3> rest_position;         ///< where prescribed motions start; empty: where the elements are at the call
  std::span<const Quat> rest_orientation;      ///< likewise
};

struct StaticOptions {
  double tolerance = 1e-8;      ///< of the residual, relative to the load
  int newton_iterations = 60;   ///< of each load step
  int load_steps = 1;           ///< at the start; halved where one does not converge
  int smallest_step = 1024;     ///< the load is never split finer than into this many
  std::size_t direct_freedoms = 40000;  ///< up to here the linear systems are factorised, above preconditioned by a smaller factor
  std::function<bool(double share, double relative_residual)> progress;  ///< called in each iteration; false stops
};

struct StaticSolution {
  double residual_n = 0;           ///< 2-norm of the loads that are left, moments divided by the edge [N]
  double load_n = 0;               ///< 2-norm of the outer loads and reactions [N]
  double relative_residual = 0;    ///< the first over the second
  int load_steps = 0, newton = 0, linear = 0;  ///< steps done; iterations in sum
  double elastic_energy = 0;       ///< [J], of the bonds
  Vec3 reaction = Vec3::Zero();    ///< force of all held voxels and obstacles on the body [N]
  int contacts = 0;                ///< voxels that press against obstacles
  bool stable = true;              ///< the tangent stiffness at the end is positive definite: the equilibrium is not that of a buckled body's saddle
};

/// Moves `elements` to the equilibrium with all prescribed motions at the end of their ramps, at zero velocity. An error when nothing holds the body
/// (it names the free motions), or when no equilibrium was found; the elements then are at the last one of a part of the load.
[[nodiscard]] Result<StaticSolution> solve_static(const StaticBody& body, const StaticOptions& options, Elements& elements);

}  // namespace vw
