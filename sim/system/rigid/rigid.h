// Rigid bodies as a system of the world. Each body is one row of Elements. The position in this row is the centre of
// mass. Input: bodies of the scene, obstacles, impulses of interactions and of the mouse. Output: rows of Elements,
// meshes for display.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "sim/system/rigid/body_particles.h"
#include "sim/system/rigid/rigid_body.h"
#include "sim/system/system.h"

namespace vw {

/// Motions of a body, one per column: velocity of the centre of mass, then angular velocity, in world axes.
using BodyMotions = Eigen::Matrix<double, 6, Eigen::Dynamic>;

/// Interface of rigid bodies for interactions, in addition to the interface of all systems.
class RigidSystem : public System {
 public:
  [[nodiscard]] virtual std::span<const RigidBody> bodies() const = 0;
  /// Factor on the world's gravity.
  [[nodiscard]] virtual double gravity_scale() const = 0;
  /// Returns a basis of the motions that the body's joints to the world permit, or nullopt if no such joint constrains
  /// the body. Joints to other bodies, ropes, springs, limits, friction and motors are ignored.
  [[nodiscard]] virtual std::optional<BodyMotions> permitted_motions(std::size_t row) const = 0;
  /// Tells the system which parts of a body's surface a liquid covers. Wind does not act on these parts. The
  /// interaction with the liquid calls this function at each of its substeps. `place` holds surface points in the
  /// body's frame, relative to the centre of mass. The points must be the same at each call for a body. Points deep
  /// below the surface are ignored. `wet` holds the covered fraction at each point, from 0 to 1. If `wet` is empty, the
  /// coverage is unknown.
  virtual void note_wet(std::size_t row, std::span<const Vec3> place, std::span<const float> wet) = 0;
  /// Returns the inverse inertia tensor about the centre of mass, in world axes at the current orientation [1/(kg
  /// m^2)].
  [[nodiscard]] Mat3 inverse_inertia(std::size_t row) const {
    return bodies()[row].inertia.inverse(elements().orientation[row]);
  }
  [[nodiscard]] std::vector<std::string> file_notes() const override;
  /// Returns particles with the diameter `diameter_m` [m] that fill the bodies. The particles of a diameter are created
  /// at the first request for it. If the scene specifies no diameter for the display, the display uses the particles
  /// created last.
  [[nodiscard]] std::shared_ptr<const BodyParticles> particles(double diameter_m) const;

 protected:
  using System::System;
  /// Particles of the last four diameters for which particles were created, newest last.
  mutable std::vector<std::shared_ptr<const BodyParticles>> particles_;
};

/// Schema of `[[system]] kind = "rigid"`.
[[nodiscard]] const Schema& rigid_schema();
/// Creates the system in its initial state. Errors name line and key, for instance if a mesh cannot be read or encloses
/// no volume.
[[nodiscard]] Result<std::unique_ptr<System>> create_rigid(const Node& self, const Node& scene);

}  // namespace vw
