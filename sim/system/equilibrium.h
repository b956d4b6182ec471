// Static equilibrium of a system under load: options and result of the search, and the interface of systems that can
// compute it. System::equilibrium_solver() returns the interface.
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "sim/base/error.h"
#include "sim/base/math.h"
#include "sim/collision/collider.h"

namespace vw {

struct StaticOptions {
  /// Tolerance of the residual norm, relative to the norm of the load. Rounding of the positions limits the smallest
  /// residual that can be reached.
  double tolerance = 1e-8;
  int newton_iterations = 40;  ///< largest number of Newton iterations in a load step before the step is halved
  int load_steps = 1;          ///< initial number of load steps
  int most_load_steps = 4096;  ///< the smallest load step is 1 / most_load_steps of the load
  /// Largest number of degrees of freedom for which the tangent stiffness matrix is factorised. Larger systems are
  /// solved iteratively.
  std::size_t direct_freedoms = 60000;
  /// Called in each iteration. `share` is the fraction of the load that acts in the current load step. Return false to
  /// stop the search.
  std::function<bool(double share, double relative_residual)> progress = {};
};

struct StaticSolution {
  double residual_n = 0;  ///< 2-norm of the unbalanced loads [N], with moments divided by the voxel edge
  /// Scale of the residual [N]: 2-norm of external loads and reactions, but at least 1/1000 of the 2-norm of bond
  /// loads.
  double load_n = 0;
  double relative_residual = 0;  ///< residual_n / load_n
  int load_steps = 0;            ///< number of load steps taken
  /// Total number of Newton iterations, and total number of iterations of the iterative linear solver.
  int newton = 0, linear = 0;
  double elastic_energy = 0;     ///< elastic energy of the body [J]
  Vec3 reaction = Vec3::Zero();  ///< force of all constrained voxels and obstacles on the body [N]
  int contacts = 0;              ///< number of voxels that press against obstacles
  /// Number of voxels in contact whose tangential force exceeds the limit of static friction, which is mu_s times the
  /// normal force.
  int slipping = 0;
  /// True if the tangent stiffness at the equilibrium is positive definite. Determined only if the tangent stiffness
  /// was factorised.
  bool stable = true;
};

/// Interface of systems that have a static equilibrium.
class EquilibriumSolver {
 public:
  virtual ~EquilibriumSolver() = default;
  EquilibriumSolver() = default;
  EquilibriumSolver(const EquilibriumSolver&) = delete;
  EquilibriumSolver& operator=(const EquilibriumSolver&) = delete;

  /// Moves the elements from their present positions to the equilibrium under gravity [m/s^2], the loads and supports
  /// of the system, and `colliders` in their present poses. The elements are at rest afterwards. Returns an error if
  /// the system's solver fails. In this case the elements may have moved.
  [[nodiscard]] virtual Result<StaticSolution> solve_equilibrium(std::span<const Collider> colliders,
                                                                 const Vec3& gravity, const StaticOptions& options) = 0;
  /// Position of an element at time 0 [m].
  [[nodiscard]] virtual Vec3 rest_position(std::size_t element) const = 0;
};

}  // namespace vw
