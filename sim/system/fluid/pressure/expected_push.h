// Adds the pressure acceleration of the previous substep to the velocities while the viscous forces are computed
// (incremental pressure correction, van Kan 1986). Otherwise viscosity would act on velocities that include gravity but
// no pressure. Walls would then resist a fall that pressure prevents anyway, and a liquid at rest would circulate at
// speeds of about dt g.
#pragma once

#include <span>
#include <vector>

#include "sim/system/fluid/bodies/body_coupling.h"
#include "sim/system/fluid/rows/sph_workspace.h"
#include "sim/system/fluid/walls/walls.h"

namespace vw {

class ExpectedPush {
 public:
  /// Adds the velocity change that the pressures in space.kappa (p / density^2) cause in dt: to the fluid's velocities
  /// in space.motion (periodic images included), and to the velocities of the samples of guests (coupled bodies,
  /// guest.h) in space.walls.motion. Both changes are multiplied by the factor between 0 and 1 that minimises the
  /// kinetic energy of the fluid minus the work of moving colliders on it. Overwrites w of space.rows. `owners`: owner
  /// of each sample in space.walls.
  void add(SphWorkspace& space, std::span<const Walls::Owner> owners, const BodyCoupling& guests, double dt);
  /// Subtracts the change that add() added.
  void remove(SphWorkspace& space);

 private:
  /// Work that moving colliders do on the fluid in dt under the pressures `kappa_`, divided by the volume of a particle
  /// [J/m^3]. It is the sum of kappa times the change of density by the motion of the colliders.
  [[nodiscard]] double collider_work(const SphWorkspace& space, std::span<const Walls::Owner> owners, double dt);

  Float4s push_, guest_push_, still_, collider_motion_;
  std::vector<float> kappa_, rate_;
};

}  // namespace vw
