// Equilibrium of a lattice under load: Newton's method on the same forces as the motion's, with the tangent stiffness.
// In: topology, constants, regions, obstacles, gravity and a start. Out: the elements at rest, and what the solver met on its way.
#pragma once

#include <functional>
#include <span>

#include "sim/system/system.h"
#include "sim/system/voxel/regions.h"
#include "sim/system/voxel/tangent.h"

namespace vw {

struct StaticBody {
  const LatticeTopology* topology = nullptr;
  const LatticeConstants* constants = nullptr;
  const ResolvedRegions* regions = nullptr;
  std::span<const Collider> colliders;  ///< as they stand; a voxel that presses against one is held sideways where it began
  Vec3 gravity{0, -9.81, 0};
  std::span<const Vec3> force, moment;     ///< further loads on each voxel [N], [N m]; may be empty
  std::span<const double> slack;           ///< as in BondView: lasting elongation of yielded bonds; may be empty
  std::span<const Vec3> rest_position;     ///< where prescribed motions start; empty: where the elements are at the call
  std::span<const Quat> rest_orientation;  ///< likewise
};

struct StaticOptions {
  double tolerance = 1e-8;              ///< of the residual, relative to the load; not beyond what rounded positions allow
  int newton_iterations = 40;           ///< of each load step; a step that needs more is halved
  int load_steps = 1;                   ///< at the start
  int most_load_steps = 4096;           ///< a step is never smaller than the load over this
  std::size_t direct_freedoms = 60000;  ///< up to here the linear systems are factorised, above solved by iteration
  std::function<bool(double share, double relative_residual)> progress;  ///< called in each iteration; false stops
};

struct StaticSolution {
  double residual_n = 0;         ///< 2-norm of the loads that are left, moments divided by the edge [N]
  double load_n = 0;             ///< 2-norm of outer loads and reactions [N]; where there are next to none, a thousandth of the bonds' loads
  double relative_residual = 0;  ///< the first over the second
  int load_steps = 0;            ///< done
  int newton = 0, linear = 0;    ///< iterations in sum; of the linear solver where it iterates
  double elastic_energy = 0;     ///< [J], of the bonds
  Vec3 reaction = Vec3::Zero();  ///< force of all held voxels and obstacles on the body [N]
  int contacts = 0;              ///< voxels that press against obstacles
  int slipping = 0;              ///< of those, held sideways by more than mu_s times their pressure: friction would not hold them
  bool stable = true;            ///< the tangent stiffness at the end is positive definite (known where it was factorised)
};

/// Moves `elements` to the equilibrium with all prescribed motions at the end of their ramps, at zero velocity. An error when nothing holds the body
/// against its load (it names the free motions), or when no equilibrium was found; the elements are then at that of the share of the load which the
/// error names.
[[nodiscard]] Result<StaticSolution> solve_static(const StaticBody& body, const StaticOptions& options, Elements& elements);

}  // namespace vw
