// Water and other liquids: smoothed particle hydrodynamics as a system of the world. The lasting state is in double in rows by birth
// (fluid_rows.h); each substep sorts it by place into a workspace (sph_workspace.h) on which a pressure solver works (dfsph.h, wcsph.h).
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "sim/system/fluid/guest.h"
#include "sim/system/system.h"

namespace vw {

/// What rules see of a fluid beyond the interface of systems.
class FluidSystem : public System {
 public:
  /// The spacing of particles at rest [m]: guests sample their surfaces at it.
  [[nodiscard]] virtual double spacing() const = 0;
  /// Share of the world's gravity that it feels.
  [[nodiscard]] virtual double gravity_scale() const = 0;
  /// What there is to say about its fills, a sentence each: warnings for the user.
  [[nodiscard]] virtual std::vector<std::string> notes() const = 0;
  /// How often it repeats: lengths [m], 0 along axes where it does not, and the lowest corner of what is repeated, where its rows are.
  struct Period {
    Vec3 corner = Vec3::Zero(), length = Vec3::Zero();
  };
  [[nodiscard]] virtual Period period() const = 0;
  /// Whether it has to settle before time begins, as it is too viscous to do so by itself: rules then bring their bodies as guests when the world is
  /// made, and settle() follows.
  [[nodiscard]] virtual bool settles_slowly() const = 0;
  /// Moves particles until pressures carry their weight, around the guests added so far, which stand still and are forgotten. Nothing where it does
  /// not settle slowly.
  virtual void settle() = 0;
  /// A place among the guests of the substep that begins now, for rules: filled before solve() is asked, valid until the substep ends.
  [[nodiscard]] virtual Guest& add_guest() = 0;
  /// Solves the substep [t, t + dt] with the guests added so far, once; later calls return at once. The guests' `impulse` is filled.
  virtual void solve(double t, double dt) = 0;
  /// The longest substep [s] of bodies in it: where they have gone to presses back as springs do (WCSPH); infinite where the solve answers for them.
  [[nodiscard]] virtual double longest_dt_of_guests() const = 0;
  /// Highest pressure over density of the last hundredths of a second [m^2/s^2].
  [[nodiscard]] virtual double highest_pressure() const = 0;
  /// Removes the particles inside of something, as fills place none in obstacles: for bodies that start in the fluid. Returns how many.
  virtual std::size_t make_room(const std::function<bool(const Vec3&)>& inside) = 0;
  /// Rest density where the point is: of the nearest fluid particles, or of the first phase [kg/m^3].
  [[nodiscard]] virtual double density_at(const Vec3& point) const = 0;
  /// Pressure [Pa] and velocity interpolated at a point (Shepard); `share` is how full of fluid the place is, 0 = dry.
  struct Sample {
    double pressure_pa = 0, share = 0;
    Vec3 velocity = Vec3::Zero();
  };
  [[nodiscard]] virtual Sample sample(const Vec3& point) const = 0;
  /// Height of the free surface above (x, z) [m]: of the highest connected fluid; -infinity where dry.
  [[nodiscard]] virtual double surface_height(double x, double z) const = 0;

 protected:
  using System::System;
};

/// Schema of `[[system]] kind = "fluid"`, with slots `phase`, `fill`, `inflow`, `drain`.
[[nodiscard]] const Schema& fluid_schema();
/// A fluid with its fills in place. `scene` is the whole scene: obstacles and gravity at the start are read from it. Errors name file, line and key:
/// of phases, fills, inflows, meshes, a domain too narrow to be periodic, a capacity too small.
[[nodiscard]] Result<std::unique_ptr<System>> create_fluid(const Node& self, const Node& scene);

}  // namespace vw
