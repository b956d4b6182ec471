// The table of a particle system's parameters.
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
       "Particles alive at most; what emitters give while it is full is left out."},
      {&P::mass_kg, "mass", Unit::kilogram, 1e-3, {1e-12, 1e6}, Scale::log, Live::yes, "Mass of one particle, unless its emitter says another."},
      {&P::radius_m,
       "radius",
       Unit::meter,
       0.005,
       {1e-9, 1e3},
       Scale::log,
       Live::yes,
       "Radius of one particle, unless its emitter says another: it touches as a sphere."},
      {&P::drag_time_s,
       "drag_time",
       Unit::second,
       0.0,
       {0, 1e6},
       Scale::linear,
       Live::yes,
       "Time constant of the drag toward the wind, v -> wind + g tau; 0 = no drag."},
      {&P::gravity_scale, "gravity_scale", Unit::ratio, 1.0, {-10, 10}, Scale::linear, Live::yes, "Share of the world's gravity that it feels."},
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
       "Longest substep in which obstacles are met: a frame, an eighth of one, ... Shorter is more exact, in proportion, and as much slower."},
      {&P::kill_on_contact, "kill_on_contact", false, Live::yes,
       "Whether a particle that touches an obstacle is removed after the step: rain, sparks."},
      {&P::keep_within_m,
       "keep_within",
       Unit::meter,
       1000.0,
       {1e-3, 1e6},
       Scale::log,
       Live::yes,
       "Particles farther than this from the origin are removed."},
      {&P::color, "color", Unit::ratio, Vec3(0.25, 0.5, 0.9), {0, 1}, Live::yes, "Colour, linear red, green, blue.", ParamType::color},
  };
  return table;
}

}  // namespace vw
