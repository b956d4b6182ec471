// Water and other liquids: smoothed particle hydrodynamics (SPH) as a system of the world. The persistent state holds
// the particles in double precision, in the order of birth (fluid_rows.h). Each substep copies the particles, sorted by
// position, into a workspace (sph_workspace.h). A pressure solver works on the workspace (dfsph.h, wcsph.h).
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "sim/system/fluid/bodies/guest.h"
#include "sim/system/system.h"

namespace vw {

/// Interface of a fluid to rules, in addition to the interface System.
class FluidSystem : public System {
 public:
  /// Particle spacing at rest [m]. The surfaces of guests (bodies that are coupled to the fluid, guest.h) are sampled
  /// at this spacing.
  [[nodiscard]] virtual double spacing() const = 0;
  /// Factor on the world's gravity for this fluid.
  [[nodiscard]] virtual double gravity_scale() const = 0;
  /// Lower corner of the domain [m], and length of its period along each axis [m]. The length is 0 along axes that are
  /// not periodic.
  struct Period {
    Vec3 corner = Vec3::Zero(), length = Vec3::Zero();
  };
  [[nodiscard]] virtual Period period() const = 0;
  /// Whether a phase is too viscous to settle by itself within an acceptable time. If so, rules add their bodies as
  /// guests when the world is created, and relax_at_start() lets the fluid settle around them.
  [[nodiscard]] virtual bool settles_slowly() const = 0;
  /// If settles_slowly() is true, moves particles until pressures carry their weight. The guests added so far do not
  /// move. If settles_slowly() is false, no particle moves. In both cases the guests are removed at the end.
  void relax_at_start() override = 0;
  [[nodiscard]] bool is_liquid() const final { return true; }
  /// Adds a guest to the substep that begins now, and returns it. The rule that adds the guest sets its data before it
  /// calls solve(). The reference is valid until the substep ends.
  [[nodiscard]] virtual Guest& add_guest() = 0;
  /// Solves the substep [t, t + dt] with the guests added so far. Only the first call of a substep has an effect.
  /// Writes `impulse` and `turn` of each guest.
  virtual void solve(double t, double dt) = 0;
  /// Longest substep [s] of bodies in the fluid, and of the fluid with these bodies. The bodies attract the fluid with
  /// at most `adhesion_npm` [N/m]. With WCSPH the result is finite, because the pressure reacts to displacements like a
  /// spring. With DFSPH and without adhesion it is infinite, because the pressure solve includes the bodies' response.
  [[nodiscard]] virtual double longest_dt_of_guests(double adhesion_npm) const = 0;
  /// Highest rest density of the phases [kg/m^3].
  [[nodiscard]] virtual double highest_rest_density() const = 0;
  /// Largest ratio of pressure to density during the last hundredths of a second [m^2/s^2].
  [[nodiscard]] virtual double highest_pressure() const = 0;
  /// Removes the particles at positions for which `inside` returns true, to make space for bodies that start in the
  /// fluid. If `rows` is not empty, only the particles whose row holds 1 are removed. Returns the number of removed
  /// particles.
  virtual std::size_t make_room(const std::function<bool(const Vec3&)>& inside,
                                std::span<const std::uint8_t> rows = {}) = 0;
  /// Returns the rest density at a point [kg/m^3], taken from the particles nearby, or from the first phase if no
  /// particle is near.
  [[nodiscard]] virtual double density_at(const Vec3& point) const = 0;
  /// Pressure [Pa] and velocity [m/s] of the fluid at a point, by Shepard interpolation. `share` is the fraction of the
  /// point's neighbourhood that is filled with fluid. It is 0 if the point is dry.
  struct Sample {
    double pressure_pa = 0, share = 0;
    Vec3 velocity = Vec3::Zero();
  };
  [[nodiscard]] virtual Sample sample(const Vec3& point) const = 0;
  /// Returns the height y of the free surface at (x, z) [m]. Only the fluid that is connected to the lowest particle at
  /// (x, z) counts. Returns -infinity if there is no fluid at (x, z).
  [[nodiscard]] virtual double surface_height(double x, double z) const = 0;

 protected:
  using System::System;
};

/// Schema of `[[system]] kind = "fluid"`, with slots `phase`, `fill`, `inflow`, `drain`, `gauge`.
[[nodiscard]] const Schema& fluid_schema();
/// Creates a fluid with its fills in place. `scene` is the whole scene, from which the initial colliders and gravity
/// are read. Errors arise, for example, from phases, fills, inflows, gauges and meshes, from a periodic domain that is
/// too narrow, from a capacity that is too small, and from a collider that needs too many samples. An error names file,
/// line and key.
[[nodiscard]] Result<std::unique_ptr<System>> create_fluid(const Node& self, const Node& scene);

}  // namespace vw
