// Backward Euler for voxel bodies: one step of any length, stable at any stiffness. Newton's method on positions and rotations, the linear systems by
// preconditioned conjugate gradients in blocks of 6 x 6. In: topology, constants, regions, obstacles, gravity. Out: the elements one step later.
// The method damps a mode of angular frequency w by numerical_damping_ratio(w, h); rigid motion is not damped: momentum and angular momentum of each
// piece are put right at the end of a step.
#pragma once

#include <memory>
#include <span>

#include "sim/system/voxel/contact.h"
#include "sim/system/voxel/implicit_pairs.h"
#include "sim/system/voxel/regions.h"

namespace vw {

/// What a step needs beyond the elements.
struct ImplicitBody {
  const LatticeTopology* topology = nullptr;
  const LatticeConstants* constants = nullptr;
  const ResolvedRegions* regions = nullptr;
  std::span<const Vec3> rest_position;     ///< of each voxel at time 0: where prescribed paths start
  std::span<const Quat> rest_orientation;  ///< likewise
  std::span<const Collider> colliders;     ///< as they are at the step's start
  std::span<const std::uint32_t> near;     ///< indices of the colliders that the body may reach
  std::span<ContactState> contacts;        ///< one a voxel
  std::span<const VoxelPair> pairs;        ///< voxels of the body that may meet in the step, ascending
  std::span<const Vec3> force, moment;     ///< further loads on each voxel (wind); may be empty
  std::span<const double> slack;           ///< as in BondView: lasting elongation of yielded bonds; may be empty
  Vec3 gravity{0, -9.81, 0};
  double tolerance = 1e-4;  ///< of the residual, relative to the load or to 0.3 of what is out of balance at the first guess
  int iterations = 100;     ///< of the linear solver in a Newton iteration
  int newton_iterations = 6;
  int newton_iterations_in_pieces = 30;  ///< where voxels of the body meet
};

class ImplicitStepper {
 public:
  ImplicitStepper();
  ~ImplicitStepper();
  ImplicitStepper(ImplicitStepper&&) noexcept;
  ImplicitStepper& operator=(ImplicitStepper&&) noexcept;

  struct Report {
    int newton = 0;       ///< iterations
    int cg = 0;           ///< iterations of the linear solver in sum
    double residual = 0;  ///< relative to the load, at the end
    bool converged = true;
    double misplaced_m = 0;  ///< how far what is left of the residual would take the lightest voxel in the step
  };
  /// Advances from t to t + dt. Consumes the impulses. Elements' radius must hold the half edges of t + dt. A step that did not converge is still
  /// finite: its velocities are those of its displacements.
  Report step(const ImplicitBody& body, Elements& elements, double t, double dt);
  /// Of `pairs`, those that pressed on each other at the end of the last step.
  [[nodiscard]] std::span<const VoxelPair> touching() const;
  /// Whether some of them did so at any guess.
  [[nodiscard]] bool met_itself() const;

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

/// Damping ratio that backward Euler with step h [s] gives to a mode of angular frequency `omega` [rad/s] that has none: of the decay by
/// 1 / sqrt(1 + (omega h)^2) a step while the phase turns by atan(omega h).
[[nodiscard]] double numerical_damping_ratio(double omega, double h);

}  // namespace vw
