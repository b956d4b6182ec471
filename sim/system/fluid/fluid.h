// Water and other liquids: smoothed particle hydrodynamics (SPH) as a system of the world. The persistent state is in
// double precision in birth order (fluid_rows.h). Each substep sorts it by position into a workspace (sph_workspace.h),
// on which a pressure solver works (dfsph.h, wcsph.h).
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
  /// Particle spacing at rest [m]. The surfaces of guests are sampled at this spacing.
  [[nodiscard]] virtual double spacing() const = 0;
  /// Factor of the world's gravity that acts on the fluid.
  [[nodiscard]] virtual double gravity_scale() const = 0;
  /// Period of the domain: lengths [m], 0 along axes that are not periodic, and the lower corner of the domain.
  struct Period {
    Vec3 corner = Vec3::Zero(), length = Vec3::Zero();
  };
  [[nodiscard]] virtual Period period() const = 0;
  /// Whether a phase is too viscous to settle by itself. In that case rules add their bodies as guests when the world
  /// is created, and then relax_at_start() is called.
  [[nodiscard]] virtual bool settles_slowly() const = 0;
  /// Moves particles until pressures carry their weight. The guests added so far are fixed meanwhile. If
  /// settles_slowly() is false, no particle moves. In both cases the guests are removed at the end.
  void relax_at_start() override = 0;
  [[nodiscard]] bool is_liquid() const final { return true; }
  /// Adds a guest to the substep that begins now. Rules fill it before they call solve(). The reference is valid until
  /// the substep ends.
  [[nodiscard]] virtual Guest& add_guest() = 0;
  /// Solves the substep [t, t + dt] with the guests added so far. Only the first call of a substep has an effect.
  /// Writes the guests' `impulse`.
  virtual void solve(double t, double dt) = 0;
  /// Longest substep [s] of bodies in the fluid. It is finite for WCSPH, where the pressure reacts to displacements
  /// like a spring. It is infinite for DFSPH, whose solve includes the bodies' response.
  [[nodiscard]] virtual double longest_dt_of_guests() const = 0;
  /// Largest ratio of pressure to density during the last hundredths of a second [m^2/s^2].
  [[nodiscard]] virtual double highest_pressure() const = 0;
  /// Removes the particles inside a region, for bodies that start in the fluid. Returns the number of removed
  /// particles.
  virtual std::size_t make_room(const std::function<bool(const Vec3&)>& inside) = 0;
  /// Rest density at a point [kg/m^3], taken from the particles nearby, or from the first phase if no particle is near.
  [[nodiscard]] virtual double density_at(const Vec3& point) const = 0;
  /// Pressure [Pa] and velocity [m/s] interpolated at a point (Shepard). `share`: fraction of the neighbourhood that is
  /// filled with fluid, 0 if the point is dry.
  struct Sample {
    double pressure_pa = 0, share = 0;
    Vec3 velocity = Vec3::Zero();
  };
  [[nodiscard]] virtual Sample sample(const Vec3& point) const = 0;
  /// Height of the free surface above (x, z) [m], for the fluid connected to the lowest particle there. -infinity if
  /// there is no fluid.
  [[nodiscard]] virtual double surface_height(double x, double z) const = 0;

 protected:
  using System::System;
};

/// Schema of `[[system]] kind = "fluid"`, with slots `phase`, `fill`, `inflow`, `drain`.
[[nodiscard]] const Schema& fluid_schema();
/// Creates a fluid with its fills in place. `scene` is the whole scene, from which the initial colliders and gravity
/// are read. Errors name file, line and key. Errors arise from phases, fills, inflows, gauges and meshes, from a
/// periodic domain that is too narrow, and from a capacity that is too small.
[[nodiscard]] Result<std::unique_ptr<System>> create_fluid(const Node& self, const Node& scene);

}  // namespace vw
