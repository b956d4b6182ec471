// Rigid bodies as a system of the world. Each body is one row of Elements, whose position is the centre of mass. Input:
// bodies of the scene, obstacles, impulses of interactions and of the mouse. Output: rows of Elements, meshes for
// display.
#pragma once

#include <memory>
#include <span>

#include "sim/system/rigid/body_particles.h"
#include "sim/system/rigid/rigid_body.h"
#include "sim/system/system.h"

namespace vw {

/// Interface of rigid bodies for interactions, beyond that of systems.
class RigidSystem : public System {
 public:
  [[nodiscard]] virtual std::span<const RigidBody> bodies() const = 0;
  /// Factor on the world's gravity.
  [[nodiscard]] virtual double gravity_scale() const = 0;
  /// Tells the system which parts of a body's surface a liquid covers. Wind does not act there. The interaction with
  /// the liquid calls this function at each of its substeps. `wet`: covered fraction at each place, 0 to 1. `place`:
  /// the surface points in the body's frame, relative to the centre of mass. They must be the same at each call for a
  /// body. Points deep below the surface are ignored. If `wet` is empty, the coverage is unknown.
  virtual void note_wet(std::size_t row, std::span<const Vec3> place, std::span<const float> wet) = 0;
  /// Inverse inertia tensor about the centre of mass, in world axes at the current orientation [1/(kg m^2)].
  [[nodiscard]] Mat3 inverse_inertia(std::size_t row) const {
    return bodies()[row].inertia.inverse(elements().orientation[row]);
  }
  [[nodiscard]] std::vector<std::string> file_notes() const override;
  /// Particles of the given diameter [m] that fill the bodies. They are created at the first request. The scene's
  /// display uses the same particles if the scene specifies no diameter.
  [[nodiscard]] std::shared_ptr<const BodyParticles> particles(double diameter_m) const;

 protected:
  using System::System;
  /// Particles for the most recently requested diameters.
  mutable std::vector<std::shared_ptr<const BodyParticles>> particles_;
};

/// Schema of `[[system]] kind = "rigid"`.
[[nodiscard]] const Schema& rigid_schema();
/// Creates the system in its initial state. Errors name line and key, for instance if a mesh cannot be read or encloses
/// no volume.
[[nodiscard]] Result<std::unique_ptr<System>> create_rigid(const Node& self, const Node& scene);

}  // namespace vw
