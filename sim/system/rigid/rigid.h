// Rigid bodies as a system of the world: one row of Elements each, whose position is the centre of mass. Flows in: bodies of the scene, obstacles,
// impulses of rules and of the mouse. Flows out: rows, pictures as meshes.
#pragma once

#include <memory>
#include <span>

#include "sim/system/rigid/body_particles.h"
#include "sim/system/rigid/rigid_body.h"
#include "sim/system/system.h"

namespace vw {

/// What rules see of rigid bodies beyond the interface of systems.
class RigidSystem : public System {
 public:
  [[nodiscard]] virtual std::span<const RigidBody> bodies() const = 0;
  /// Share of the world's gravity that they feel.
  [[nodiscard]] virtual double gravity_scale() const = 0;
  /// Told by who brings a liquid, at each of its substeps: how far each `place` of a body's surface, from the centre of mass in the body's frame, is
  /// `wet`, 0 to 1. No wind blows there. A body's places are the same at each call; those deep behind its surface do not count. Empty: not known.
  virtual void note_wet(std::size_t row, std::span<const Vec3> place, std::span<const float> wet) = 0;
  /// About the centre of mass, in the world as the body stands now [1/(kg m^2)].
  [[nodiscard]] Mat3 inverse_inertia(std::size_t row) const { return bodies()[row].inertia.inverse(elements().orientation[row]); }
  /// What there is to say about the files of its bodies, a sentence each.
  [[nodiscard]] std::vector<std::string> notes() const;
  /// The particles of that diameter [m] that fill the bodies: made when first asked for, and shown where the scene names no diameter.
  [[nodiscard]] std::shared_ptr<const BodyParticles> particles(double diameter_m) const;

 protected:
  using System::System;
  mutable std::vector<std::shared_ptr<const BodyParticles>> particles_;  ///< of the diameters last asked for
};

/// Schema of `[[system]] kind = "rigid"`.
[[nodiscard]] const Schema& rigid_schema();
/// Rigid bodies at their start. Errors name line and key: a mesh that cannot be read or holds no volume.
[[nodiscard]] Result<std::unique_ptr<System>> create_rigid(const Node& self, const Node& scene);

}  // namespace vw
