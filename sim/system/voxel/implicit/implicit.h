// Backward Euler for voxel bodies. A step is stable at any length and stiffness. Newton's method solves for positions
// and rotations. Preconditioned conjugate gradients in 6 x 6 blocks solve the linear systems. Input: topology,
// constants, regions, obstacles, gravity. Output: the elements one step later. In a step of length h, a mode of angular
// frequency w has the damping ratio numerical_damping_ratio(w, h). Rigid motion is not damped, because the momentum and
// angular momentum of each piece (connected part of the body) are corrected at the end of a step.
#pragma once

#include <memory>
#include <span>

#include "sim/system/voxel/contact/contact.h"
#include "sim/system/voxel/implicit/implicit_pairs.h"
#include "sim/system/voxel/lattice/regions.h"

namespace vw {

/// Input of a step besides the elements.
struct ImplicitBody {
  const LatticeTopology* topology = nullptr;
  const LatticeConstants* constants = nullptr;
  const ResolvedRegions* regions = nullptr;
  std::span<const Vec3> rest_position;     ///< position of each voxel at time 0, where prescribed paths start
  std::span<const Quat> rest_orientation;  ///< orientation of each voxel at time 0
  std::span<const Collider> colliders;     ///< colliders with their poses at the start of the step
  std::span<const std::uint32_t> near;     ///< indices of the colliders that the body may reach
  std::span<ContactState> contacts;        ///< contact state of each voxel, updated by the step
  std::span<const VoxelPair> pairs;        ///< pairs of voxels that may touch in the step, ascending
  std::span<const Vec3> force, moment;     ///< additional force [N] and moment [N m] on each voxel; may be empty
  std::span<const double> slack;           ///< plastic elongation of bonds (BondView::slack); empty means 0
  Vec3 gravity{0, -9.81, 0};
  /// Tolerance of the residual norm, relative to the larger of the load and 0.3 times the residual of the initial
  /// guess.
  double tolerance = 1e-4;
  int iterations = 100;                  ///< largest number of linear solver iterations per Newton iteration
  int newton_iterations = 6;             ///< largest number of Newton iterations without self-contact
  int newton_iterations_in_pieces = 30;  ///< largest number of Newton iterations if voxels of the body are in contact
};

class ImplicitStepper {
 public:
  ImplicitStepper();
  ~ImplicitStepper();
  ImplicitStepper(ImplicitStepper&&) noexcept;
  ImplicitStepper& operator=(ImplicitStepper&&) noexcept;

  struct Report {
    int newton = 0;       ///< number of Newton iterations
    int cg = 0;           ///< number of conjugate gradient iterations, summed over the Newton iterations
    double residual = 0;  ///< relative residual at the end of the step (see ImplicitBody::tolerance)
    bool converged = true;
    /// Displacement of the lightest voxel under the remaining residual force during the step [m].
    double residual_displacement_m = 0;
  };
  /// Advances from t to t + dt and consumes the pending impulses. Elements::radius must contain the half edges at t +
  /// dt. If the step does not converge, the result is still finite, and velocities equal displacements over dt.
  Report step(const ImplicitBody& body, Elements& elements, double t, double dt);
  /// Returns the pairs of ImplicitBody::pairs that pressed on each other at the end of the last step. Valid until the
  /// next step.
  [[nodiscard]] std::span<const VoxelPair> touching() const;
  /// True if some pair was in contact at any iterate of the last step.
  [[nodiscard]] bool met_itself() const;

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

/// Returns the damping ratio that backward Euler with step h [s] gives to an undamped mode of angular frequency `omega`
/// [rad/s]. In each step the amplitude is multiplied by 1 / sqrt(1 + (omega h)^2) while the phase advances by
/// atan(omega h).
[[nodiscard]] double numerical_damping_ratio(double omega, double h);

}  // namespace vw
