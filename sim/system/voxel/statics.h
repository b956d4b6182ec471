// Static equilibrium of a lattice under load: Newton's method on the same forces as in a moving body, with the tangent
// stiffness. In: topology, constants, regions, obstacles, gravity and an initial shape. Out: the elements at rest, and
// the solver's statistics.
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
  /// Colliders at their current poses. A voxel that presses against one has a lateral spring to its initial position.
  std::span<const Collider> colliders;
  Vec3 gravity{0, -9.81, 0};
  std::span<const Vec3> force, moment;     ///< further loads on each voxel [N], [N m]; may be empty
  std::span<const double> slack;           ///< plastic elongation of bonds, as in BondView; may be empty
  std::span<const Vec3> rest_position;     ///< start of prescribed motions; empty: the elements at the call
  std::span<const Quat> rest_orientation;  ///< the same for orientations
};

struct StaticOptions {
  /// Of the residual, relative to the load. Rounding of the positions limits it.
  double tolerance = 1e-8;
  int newton_iterations = 40;  ///< limit per load step; a step that needs more is halved
  int load_steps = 1;          ///< initial number of load steps
  int most_load_steps = 4096;  ///< the smallest load step is the load over this
  /// Largest system that is factorised; larger ones are solved by iteration.
  std::size_t direct_freedoms = 60000;
  /// Called in each iteration; `share` is that of the load. Return false to stop.
  std::function<bool(double share, double relative_residual)> progress;
};

struct StaticSolution {
  double residual_n = 0;  ///< 2-norm of the unbalanced loads, moments divided by the edge [N]
  /// 2-norm of external loads and reactions, at least a thousandth of the bonds' loads [N].
  double load_n = 0;
  double relative_residual = 0;  ///< residual_n over load_n
  int load_steps = 0;            ///< number of load steps taken
  /// Iterations in total, of Newton's method and of the linear solver if it iterates.
  int newton = 0, linear = 0;
  double elastic_energy = 0;     ///< of the bonds [J]
  Vec3 reaction = Vec3::Zero();  ///< force of all held voxels and obstacles on the body [N]
  int contacts = 0;              ///< number of voxels that press against obstacles
  /// Number of those whose lateral force exceeds mu_s times their pressure, so that friction could not hold them.
  int slipping = 0;
  /// True if the tangent stiffness at the end is positive definite; determined only if it was factorised.
  bool stable = true;
};

/// Moves `elements` to the equilibrium with all prescribed motions at the end of their ramps, at zero velocity. Errors:
/// nothing holds the body against its load (the error names the free motions), no equilibrium was found, or `progress`
/// stopped the solver. In the last two cases the elements are at the equilibrium of the share of the load that the
/// error names.
[[nodiscard]] Result<StaticSolution> solve_static(const StaticBody& body, const StaticOptions& options,
                                                  Elements& elements);

}  // namespace vw
