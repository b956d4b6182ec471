// Backward Euler for voxel bodies: one step of any length, stable at any stiffness. Newton's method on positions and
// rotations; the linear systems are solved by preconditioned conjugate gradients in 6 x 6 blocks. In: topology,
// constants, regions, obstacles, gravity. Out: the elements one step later. A mode of angular frequency w is damped by
// numerical_damping_ratio(w, h). Rigid motion is not damped, because the momentum and angular momentum of each piece
// are corrected at the end of a step.
#pragma once

#include <memory>
#include <span>

#include "sim/system/voxel/contact.h"
#include "sim/system/voxel/implicit_pairs.h"
#include "sim/system/voxel/regions.h"

namespace vw {

/// Input of a step besides the elements.
struct ImplicitBody {
  const LatticeTopology* topology = nullptr;
  const LatticeConstants* constants = nullptr;
  const ResolvedRegions* regions = nullptr;
  std::span<const Vec3> rest_position;     ///< of each voxel at time 0: start of prescribed paths
  std::span<const Quat> rest_orientation;  ///< of each voxel at time 0
  std::span<const Collider> colliders;     ///< at the start of the step
  std::span<const std::uint32_t> near;     ///< indices of the colliders that the body may reach
  std::span<ContactState> contacts;        ///< one per voxel; updated by the step
  std::span<const VoxelPair> pairs;        ///< voxels of the body that may touch in the step, ascending
  std::span<const Vec3> force, moment;     ///< further loads on each voxel (wind) [N], [N m]; may be empty
  std::span<const double> slack;           ///< plastic elongation of bonds, as in BondView; may be empty
  Vec3 gravity{0, -9.81, 0};
  /// Tolerance of the residual, relative to the larger of the load and 0.3 of the imbalance at the first guess.
  double tolerance = 1e-4;
  int iterations = 100;  ///< most iterations of the linear solver per Newton iteration
  int newton_iterations = 6;
  int newton_iterations_in_pieces = 30;  ///< limit if voxels of the body touch each other
};

class ImplicitStepper {
 public:
  ImplicitStepper();
  ~ImplicitStepper();
  ImplicitStepper(ImplicitStepper&&) noexcept;
  ImplicitStepper& operator=(ImplicitStepper&&) noexcept;

  struct Report {
    int newton = 0;       ///< Newton iterations
    int cg = 0;           ///< iterations of the linear solver, in total
    double residual = 0;  ///< relative to the load, at the end of the step
    bool converged = true;
    /// Displacement that the remaining residual would give the lightest voxel in the step [m].
    double residual_displacement_m = 0;
  };
  /// Advances from t to t + dt and consumes the impulses. The elements' radius must hold the half edges at t + dt. The
  /// result of a step that did not converge is finite, and its velocities match its displacements.
  Report step(const ImplicitBody& body, Elements& elements, double t, double dt);
  /// The members of `pairs` that pressed on each other at the end of the last step. Valid until the next step.
  [[nodiscard]] std::span<const VoxelPair> touching() const;
  /// True if some pair was in contact at any guess of the last step.
  [[nodiscard]] bool met_itself() const;

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

/// Damping ratio that backward Euler with step h [s] gives to an undamped mode of angular frequency `omega` [rad/s]. In
/// each step the amplitude falls by 1 / sqrt(1 + (omega h)^2) while the phase advances by atan(omega h).
[[nodiscard]] double numerical_damping_ratio(double omega, double h);

}  // namespace vw
