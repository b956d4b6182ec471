// Wind on a fluid: along its free surface, against the sides of its waves, and on its spray. In: a workspace whose lists and densities are made, the
// world's fields. Out: changed velocities (space.motion, images too). Stepped once a substep, between gravity and the pressures.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/parameter.h"
#include "sim/field/field.h"
#include "sim/system/fluid/guest.h"
#include "sim/system/fluid/sph_workspace.h"
#include "sim/system/fluid/walls.h"

namespace vw {

/// Settings of a fluid: FluidParams derive from it and list surface_wind_params<FluidParams>().
struct SurfaceWindParams {
  bool wind = true;
  double wind_friction = 0.0024;  ///< tau = 1.2e-3 rho u^2 for wind as it is 10 m above the sea (Large & Pond 1981)
  double wind_drag = 1;
  double spray_size_m = 0;
  double air_density = 1.2;
};
template <class P>
[[nodiscard]] std::array<Param<P>, 5> surface_wind_params();

/// The air over a fluid in a substep.
struct AirAbove {
  const FieldSet* fields = nullptr;  ///< null: nothing blows
  double time = 0;                   ///< that fields are asked for [s]
};

/// How a row lies.
struct SurfaceRow {
  std::uint32_t row = 0;
  Vec3 normal = Vec3::Zero();  ///< outward, unit, of the surface about it
  double area = 0;             ///< of the free surface that it stands for [m^2]
  double lone = 0;             ///< share of a drop of its own: 1 where no other is near
};

/// Rows of the free surface and of spray, in the workspace's order. A row's area is one over how many of the surface's rows there are about it on its
/// surface, which is half a spacing further out: layers that weight has pressed together have more rows than a lattice. Keeps scratch.
class FluidSurface {
 public:
  [[nodiscard]] const std::vector<SurfaceRow>& find(const SphWorkspace& space);

 private:
  void even_normals(const SphWorkspace& space);
  void find_areas(const SphWorkspace& space);

  Float4s normal_, even_;                       ///< toward the fluid, w: whether it is a row of the surface, 0 to 1
  std::vector<std::vector<SurfaceRow>> found_;  ///< by chunk of the lists
  std::vector<SurfaceRow> rows_;
};

class SurfaceWind {
 public:
  /// Returns the impulse that the fluid was given [N s].
  Vec3 push(SphWorkspace& space, const AirAbove& air, const SurfaceWindParams& params, double dt);
  /// Where wind blows: tells guests what of them is under water.
  static void find_wet(const SphWorkspace& space, const AirAbove& air, std::span<const Walls::Owner> owners, std::span<Guest> guests);

 private:
  FluidSurface surface_;
  std::vector<Vec3> place_, wind_, given_;
};

template <class P>
std::array<Param<P>, 5> surface_wind_params() {
  using W = SurfaceWindParams;
  const W usual;
  return {{
      {static_cast<bool P::*>(&W::wind), "wind", usual.wind, Live::yes, "The free surface and spray feel the wind."},
      {static_cast<double P::*>(&W::wind_friction),
       "wind_friction",
       Unit::ratio,
       usual.wind_friction,
       {0, 1},
       Scale::linear,
       Live::yes,
       "Friction coefficient of the surface: wind drags along it with wind_friction / 2 air_density u^2. 0.0024 is that of the sea for the wind 10 m "
       "above it."},
      {static_cast<double P::*>(&W::wind_drag),
       "wind_drag",
       Unit::ratio,
       usual.wind_drag,
       {0, 10},
       Scale::linear,
       Live::yes,
       "Pressure coefficient of the sides of waves that the wind blows against: the pressure is wind_drag / 2 air_density u_n^2."},
      {static_cast<double P::*>(&W::spray_size_m),
       "spray_size",
       Unit::meter,
       usual.spray_size_m,
       {0, 1},
       Scale::linear,
       Live::yes,
       "Diameter of the drops that a particle without neighbours stands for: the finer, the sooner the wind takes them along. 0: one drop of all of "
       "it."},
      {static_cast<double P::*>(&W::air_density),
       "air_density",
       Unit::kilogram_per_m3,
       usual.air_density,
       {0, 1e4},
       Scale::linear,
       Live::yes,
       "Density of the air that a field blows, where the world has no medium of its own (`world.medium_density`)."},
  }};
}

}  // namespace vw
