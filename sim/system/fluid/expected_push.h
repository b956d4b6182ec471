// What pressures will do in a substep, as far as those of the substep before tell, while the viscous forces are found (the incremental pressure
// correction of van Kan 1986). Without it viscosity would act on velocities that gravity has changed and pressure has not: at walls that hold a
// liquid it would hold back the fall of a liquid that does not fall, and what rests would be driven round by dt g.
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
