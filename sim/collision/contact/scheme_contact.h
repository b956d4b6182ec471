// Contact without bounce over a step: the second phase of the schemes `loop` and `collision_then_contact`. The scheme
// `exact` also uses it, for particles that are wedged between two obstacles.
#pragma once

#include "sim/collision/contact/scheme.h"

namespace vw {

/// Friction of a particle at a contact.
struct Rubbing {
  Vec3 sliding;  ///< Tangential velocity of the particle's surface at the contact, relative to the obstacle [m/s].
  double taken;  ///< The velocity of the particle's centre changes by -`taken * sliding`.
};
/// Returns the friction of a contact with the unit normal `normal` on a particle whose centre has the tangential
/// velocity `tangential` relative to the obstacle. `change` is the change of the normal velocity. If the particle
/// spins, friction acts on the velocity of its surface and changes `spin`. Sticking friction on a solid ball changes
/// the velocity of the centre by 2/7 of the velocity of the surface.
[[nodiscard]] Rubbing rub(const SurfaceMaterial& pair, const Particle& particle, const Vec3& tangential,
                          const Vec3& normal, double change, Vec3& spin);

/// Changes the normal velocity until the step ends outside all obstacles. Each change is just large enough for the step
/// to end on the surface (v_n = -gap / dt) and causes the corresponding friction. A particle that was inside at the
/// start is moved to the surface without gaining speed. `met` is the first collision of the step. `out` is the state at
/// the end of a step of dt that began at particle.x, and is updated. If 20 passes do not suffice, the particle moves
/// rigidly with the obstacle that it hit last, and `capped` is set.
void rest_in_contact(const Particle& particle, double dt, const Barriers& barriers, Meeting met, StepOutcome& out);

}  // namespace vw
