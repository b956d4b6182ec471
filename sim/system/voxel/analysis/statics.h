// Static equilibrium of a lattice under load. Newton's method is applied to the same bond forces as in a moving body.
// In: topology, constants, regions, obstacles, gravity and an initial shape. Out: the elements at rest, and the
// solver's statistics.
#pragma once

#include <functional>
#include <span>

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
  std::span<const Vec3> force, moment;  ///< further force [N] and moment [N m] on each voxel; may be empty
  std::span<const double> slack;        ///< plastic elongation of bonds, as in BondView; may be empty
  /// Position and orientation of each voxel at the start of prescribed motions. If these arrays are empty, the
  /// positions and orientations of the elements at the call of solve_static() are used.
  std::span<const Vec3> rest_position;
  std::span<const Quat> rest_orientation;
};

struct StaticOptions {
  /// Tolerance of the residual norm, relative to the norm of the load. Rounding of the positions limits the smallest
  /// residual that can be reached.
  double tolerance = 1e-8;
  int newton_iterations = 40;  ///< largest number of iterations per load step; if more are needed, the step is halved
  int load_steps = 1;          ///< initial number of load steps
  int most_load_steps = 4096;  ///< the smallest load step is 1 / most_load_steps of the load
  /// Largest number of degrees of freedom for which the tangent is factorised. Larger systems are solved iteratively.
  std::size_t direct_freedoms = 60000;
  /// Called in each iteration. `share` is the fraction of the load in the current load step. Return false to stop.
  std::function<bool(double share, double relative_residual)> progress;
};

struct StaticSolution {
  double residual_n = 0;  ///< 2-norm of the unbalanced loads [N], with moments divided by the voxel edge
  /// 2-norm of external loads and reactions [N], at least a thousandth of the norm of the bonds' loads.
  double load_n = 0;
  double relative_residual = 0;  ///< residual_n / load_n
  int load_steps = 0;            ///< number of load steps taken
  /// Total numbers of Newton iterations and of iterations of the iterative linear solver.
  int newton = 0, linear = 0;
  double elastic_energy = 0;     ///< elastic energy of the body [J]
  Vec3 reaction = Vec3::Zero();  ///< force of all constrained voxels and obstacles on the body [N]
  int contacts = 0;              ///< number of voxels that press against obstacles
  /// Number of the voxels in contact whose lateral force exceeds mu_s times the normal force. Friction could not hold
  /// these voxels.
  int slipping = 0;
  /// True if the tangent stiffness at the end is positive definite. Determined only if the tangent was factorised.
  bool stable = true;
};

/// Moves `elements` to the equilibrium at zero velocity, with all prescribed motions at the end of their ramps. Errors:
/// supports do not hold the body against the load (the message names the free motions), no equilibrium was found, or
/// `progress` stopped the solver. After the last two errors, the elements are in equilibrium at the fraction of the
/// load that the message states.
[[nodiscard]] Result<StaticSolution> solve_static(const StaticBody& body, const StaticOptions& options,
                                                  Elements& elements);

}  // namespace vw
