// Table of a particle system's parameters.
#include "sim/system/particles/particle_params.h"

#include "sim/collision/surface_params.h"

namespace vw {

const ParamTable<ParticleParams>& particle_params() {
  using P = ParticleParams;
  static const P usual;
  static const std::vector<Param<P>> at_obstacles = scheme_params<P>();
  static const ParamTable<P> table{
      {&P::capacity,
       "capacity",
       Unit::count,
       std::int64_t{100000},
       {1, 4e6},
       Scale::log,
       Live::no,
       "Largest number of living particles. Emitters create no particles beyond it."},
      {&P::mass_kg,
       "mass",
       Unit::kilogram,
       1e-3,
       {1e-12, 1e6},
       Scale::log,
       Live::yes,
       "Mass of a particle, unless its emitter specifies another."},
      {&P::radius_m,
       "radius",
       Unit::meter,
       0.005,
       {1e-9, 1e3},
       Scale::log,
       Live::yes,
       "Contact radius of a particle, unless its emitter specifies another."},
      {&P::drag,
       "drag",
       AirDrag::time,
       {"time", "sphere", "follow"},
       Live::yes,
       "Drag of the air. time: exponential approach with the time constant `drag_time`; sphere: drag of a sphere with "
       "the particle's radius and "
       "mass at its Reynolds number, from creeping flow to quadratic drag (buoyancy in air is neglected); follow: a "
       "weightless tracer that "
       "follows the air exactly and collides with obstacles, but not with bodies or water."},
      {&P::drag_time_s,
       "drag_time",
       Unit::second,
       0.0,
       {0, 1e6},
       Scale::linear,
       Live::yes,
       "Time constant of the drag towards the wind if `drag` is `time`: v -> wind + g tau. 0: no drag; in a world with "
       "a medium, that of "
       "a sphere."},
      {&P::air_density_kgpm3,
       "air_density",
       Unit::kilogram_per_m3,
       1.2,
       {0, 1e4},
       Scale::linear,
       Live::yes,
       "Density of the air if `drag` is `sphere` and the world has no medium of its own (`world.medium_density`)."},
      {&P::air_viscosity_pas,
       "air_viscosity",
       Unit::none,
       1.8e-5,
       {1e-9, 1e3},
       Scale::log,
       Live::yes,
       "Viscosity of that air [Pa s]; 1.8e-5 at room temperature."},
      {&P::gravity_scale,
       "gravity_scale",
       Unit::ratio,
       1.0,
       {-10, 10},
       Scale::linear,
       Live::yes,
       "Factor on the world's gravity for this system."},
      restitution_param<P>(usual),
      mu_static_param<P>(usual),
      mu_dynamic_param<P>(usual),
      friction_law_param<P>(usual),
      wetness_param<P>(usual),
      decides_param<P>(usual),
      at_obstacles[0],
      at_obstacles[1],
      at_obstacles[2],
      at_obstacles[3],
      at_obstacles[4],
      at_obstacles[5],
      at_obstacles[6],
      at_obstacles[7],
      at_obstacles[8],
      {&P::collision_dt_s,
       "collision_dt",
       Unit::second,
       1.0 / 120,
       {1e-6, 1},
       Scale::log,
       Live::yes,
       "Longest substep of collision handling: a frame, an eighth of a frame, ... Shorter substeps reduce the error "
       "and raise "
       "the cost in proportion."},
      {&P::kill_on_contact, "kill_on_contact", false, Live::yes,
       "Particles that touch an obstacle are removed after the step, for example rain or sparks."},
      {&P::keep_within_m,
       "keep_within",
       Unit::meter,
       1000.0,
       {1e-3, 1e6},
       Scale::log,
       Live::yes,
       "Particles farther than this from the origin are removed."},
      {&P::soft, "soft", false, Live::yes,
       "Particles are drawn as puffs of smoke, denser in the middle. The size over the life then changes only the "
       "picture, not the contact "
       "radius."},
      {&P::color,
       "color",
       Unit::ratio,
       Vec3(0.25, 0.5, 0.9),
       {0, 1},
       Live::yes,
       "Colour, linear red, green, blue.",
       ParamType::color},
  };
  return table;
}

}  // namespace vw
