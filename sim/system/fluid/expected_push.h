// Adds the pressure acceleration of the previous substep to the velocities while the viscous forces are computed (incremental pressure correction,
// van Kan 1986). Otherwise viscosity would act on velocities that include gravity but no pressure. Walls would then resist a fall that pressure
// prevents anyway, and a liquid at rest would circulate at speeds of about dt g.
#pragma once

#include <span>
#include <vector>

#include "sim/system/fluid/guest_answer.h"
#include "sim/system/fluid/sph_workspace.h"

namespace vw {

class ExpectedPush {
 public:
  /// Adds the push of space.kappa in dt to velocities in space.motion (images too) and in space.walls.motion,
  /// of guests. Less of it where all of it would add energy. The w of space.rows is written over.
  void add(SphWorkspace& space, const GuestAnswer& guests, double dt);
  /// Takes it away again.
  void remove(SphWorkspace& space);

 private:
  Float4s push_, guest_push_;
  std::vector<float> kappa_;
};

}  // namespace vw
