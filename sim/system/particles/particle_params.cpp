// Table of a particle system's parameters.
#include "sim/system/particles/particle_params.h"

#include "sim/collision/surface_params.h"

namespace vw {

const ParamTable<ParticleParams>& particle_params() {
  using P = ParticleParams;
  static const ParamTable<P> table{
      Param<P>{.member = &P::capacity,
               .key = "capacity",
               .unit = Unit::count,
               .range = {1, 4e6},
               .scale = Scale::log,
               .doc = "Largest number of living particles. Emitters create no particles beyond this number."},
      Param<P>{.member = &P::mass_kg,
               .key = "mass",
               .unit = Unit::kilogram,
               .range = {1e-12, 1e6},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Mass of a particle, unless its emitter specifies another mass."},
      Param<P>{.member = &P::radius_m,
               .key = "radius",
               .unit = Unit::meter,
               .range = {1e-9, 1e3},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Contact radius of a particle, unless its emitter specifies another radius."},
      Param<P>{.member = &P::drag,
               .key = "drag",
               .live = Live::yes,
               .choices = {"time", "sphere", "follow"},
               .doc = "Drag of the air. time: exponential approach to the wind with the time constant `drag_time`. "
                      "sphere: drag of a sphere with the particle's radius and mass, from creeping flow to quadratic "
                      "drag. Buoyancy in air is neglected. follow: a weightless tracer that follows the air exactly. "
                      "Tracers collide with obstacles, but not with bodies or water."},
      Param<P>{.member = &P::drag_time_s,
               .key = "drag_time",
               .unit = Unit::second,
               .range = {0, 1e6},
               .live = Live::yes,
               .doc = "Time constant tau of the drag, for drag = \"time\". The velocity approaches wind + g tau. 0: no "
                      "drag. In a world with a medium, a particle with the value 0 has the drag of a sphere."},
      Param<P>{.member = &P::air_density_kgpm3,
               .key = "air_density",
               .unit = Unit::kilogram_per_m3,
               .range = {0, 1e4},
               .live = Live::yes,
               .doc = "Density of the air for drag = \"sphere\", if the world has no medium of its own "
                      "(`world.medium_density`)."},
      Param<P>{.member = &P::air_viscosity_pas,
               .key = "air_viscosity",
               .unit = Unit::pascal_second,
               .range = {1e-9, 1e3},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Viscosity of the air for drag = \"sphere\", if the world has no medium of its own. Air at room "
                      "temperature has 1.8e-5."},
      Param<P>{.member = &P::gravity_scale,
               .key = "gravity_scale",
               .unit = Unit::ratio,
               .range = {-10, 10},
               .live = Live::yes,
               .doc = "Factor on the world's gravity for this system."},
      surface_params(),
      scheme_params(),
      Param<P>{.member = &P::collision_dt_s,
               .key = "collision_dt",
               .label = "Collision time step",
               .unit = Unit::second,
               .range = {1e-6, 1},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Longest substep of collision handling, for example a frame or an eighth of a frame. Shorter "
                      "substeps reduce the error and raise the cost in proportion."},
      Param<P>{
          .member = &P::kill_on_contact,
          .key = "kill_on_contact",
          .live = Live::yes,
          .doc = "Whether particles that touch an obstacle are removed after the step, for example rain or sparks."},
      Param<P>{.member = &P::keep_within_m,
               .key = "keep_within",
               .unit = Unit::meter,
               .range = {1e-3, 1e6},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Distance from the origin beyond which particles are removed."},
      Param<P>{.member = &P::soft,
               .key = "soft",
               .live = Live::yes,
               .doc = "Whether particles are drawn as puffs of smoke, which are denser in the middle. The size over "
                      "the life then changes only the picture, not the contact radius."},
      Param<P>{.member = &P::color,
               .key = "color",
               .label = "Colour",
               .unit = Unit::ratio,
               .range = {0, 1},
               .live = Live::yes,
               .color = true,
               .doc = "Colour as linear red, green and blue."},
  };
  return table;
}

}  // namespace vw
