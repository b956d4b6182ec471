// Viscosity of liquids: shear stress mu (grad v + grad v^T) as pair forces, integrated implicitly (Weiler, Koschier,
// Brand & Bender 2018, "A physically consistent implicit viscosity solver for SPH fluids"). The method is stable at any
// viscosity and any step length. The solver finally applies the pair forces of its solution instead of the solution
// itself, so momentum is conserved to rounding whatever residual remains.
#pragma once

#include <span>
#include <vector>

#include "sim/system/fluid/bodies/guest.h"
#include "sim/system/fluid/forces/viscosity_skin.h"
#include "sim/system/fluid/forces/viscosity_sweeps.h"
#include "sim/system/fluid/rows/sph_workspace.h"
#include "sim/system/fluid/walls/walls.h"

namespace vw {

/// implicit: forces along the line between two particles (Weiler et al. 2018, eq. 6). morris: forces along the velocity
/// difference of two particles (Morris, Fox & Zhu 1997, eq. 22), which slow free rotation. The morris forces are
/// integrated explicitly in substeps in which an explicit step is stable and no guest (coupled body, guest.h) touches
/// the fluid.
enum class ViscosityMethod { implicit, morris };

struct ViscosityLimits {
  double error = 0.01;  ///< Tolerance: residual relative to the effect of viscosity in the step.
  int most = 200;
};

struct ViscosityInput {
  ViscosityMethod method = ViscosityMethod::implicit;
  ViscosityLimits limits;
  std::span<const float> viscosity;  ///< Viscosity of each particle [Pa s].
  double wall_friction = 0;  ///< Fraction of the viscosity that acts at colliders. Each guest has its own fraction.
  std::span<const Walls::Owner> owners;
  std::span<Guest> guests;
};

struct ViscosityResult {
  int iterations = 0;
  double error = 0;
};

class ViscositySolver {
 public:
  /// Changes the velocities in space.motion and the velocities of guest samples by viscosity over dt, and adds to the
  /// guests' impulses. `acceleration` is the warm start: on input the acceleration of the previous substep, on output
  /// the acceleration for the next substep.
  ViscosityResult run(SphWorkspace& space, const ViscosityInput& in, double dt, Float4s& acceleration);

 private:
  void prepare(const SphWorkspace& space, const ViscosityInput& in);
  [[nodiscard]] bool steps_stably(const SphWorkspace& space, ViscosityMethod method) const;
  void force_of(const SphWorkspace& space, Float4s& moving, const Float4s& walls);
  ViscosityResult solve(SphWorkspace& space, const ViscosityInput& in, const Float4s& begin);
  double precondition();
  void advance(double ahead);
  void turn(double keep);
  void finish(SphWorkspace& space, Float4s& acceleration);

  ViscousPairs pairs_;
  float dt_ = 0;
  std::vector<float> density_;  ///< Rest density of each particle [kg/m^3].
  Float4s velocity_;            ///< Velocities of the particles, the unknowns of the solve [m/s]. w: viscosity [Pa s].
  Float4s residual_, direction_;
  Float4s force_;                        ///< Output of the operator or of the preconditioner.
  std::vector<SymmetricBlock> inverse_;  ///< Inverses of the diagonal blocks.
  BodyFriction skin_;
};

/// Returns the longest step of an explicit integration [s]. It is half of the stability limit in a lattice.
[[nodiscard]] double stable_viscous_step(double viscosity_pas, double density_kgpm3, const SphScale& scale);

}  // namespace vw
