// Viscosity of liquids: shear stress mu (grad v + grad v^T) as pair forces, solved for at the substep's end (Weiler, Koschier, Brand & Bender 2018,
// "A physically consistent implicit viscosity solver for SPH fluids"): stable at any viscosity and step. The solver ends by applying the pair forces
// that it has found, so momentum is exact to rounding whatever residual is left.
#pragma once

#include <span>
#include <vector>

#include "sim/system/fluid/guest.h"
#include "sim/system/fluid/sph_workspace.h"
#include "sim/system/fluid/viscosity_skin.h"
#include "sim/system/fluid/viscosity_sweeps.h"
#include "sim/system/fluid/walls.h"

namespace vw {

/// implicit: forces along the line between two rows (Weiler et al. 2018, eq. 6); morris: along the difference of their velocities (Morris, Fox & Zhu
/// 1997, eq. 22), which slows what spins freely, and is stepped explicitly where that is stable.
enum class ViscosityMethod { implicit, morris };

struct ViscosityLimits {
  double error = 0.01;  ///< of what viscosity does in the step, that may be left
  int most = 200;
};

struct ViscosityInput {
  ViscosityMethod method = ViscosityMethod::implicit;
  ViscosityLimits limits;
  std::span<const float> viscosity;  ///< of each row [Pa s]
  double wall_friction = 0;          ///< share of it that colliders' skins feel; guests have their own
  std::span<const Walls::Owner> owners;
  std::span<Guest> guests;
};

struct ViscosityResult {
  int iterations = 0;
  double error = 0;
};

class ViscositySolver {
 public:
  /// Changes space.motion by viscosity over dt, and the motion of guests' samples; adds to their impulses. `acceleration` goes on from one substep to
  /// the next: where the solve begins.
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
  std::vector<float> density_;  ///< at rest, of each row [kg/m^3]
  Float4s velocity_;            ///< what is solved for; w: viscosity
  Float4s residual_, direction_;
  Float4s force_;                        ///< the operator's or the preconditioner's output, in turn
  std::vector<SymmetricBlock> inverse_;  ///< of the diagonal blocks
  GuestSkin skin_;
};

/// The longest substep in which an explicit step is stable [s]; half of what the lattice could bear.
[[nodiscard]] double stable_viscous_step(double viscosity_pas, double density_kgpm3, const SphScale& scale);

}  // namespace vw
