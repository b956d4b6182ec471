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
               .doc = "Largest number of particles that live at the same time. While the system has this number, "
                      "emitters create no particles."},
      Param<P>{.member = &P::mass_kg,
               .key = "mass",
               .unit = Unit::kilogram,
               .range = {1e-12, 1e6},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Mass of a particle. An emitter can specify another mass for its particles."},
      Param<P>{.member = &P::radius_m,
               .key = "radius",
               .unit = Unit::meter,
               .range = {1e-9, 1e3},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Radius of a particle. An emitter can specify another radius for its particles."},
      Param<P>{
          .member = &P::drag,
          .key = "drag",
          .live = Live::yes,
          .choices = {"time", "sphere", "follow"},
          .doc = "Effect of the air on particles. time: the velocity approaches the wind exponentially, with the time "
                 "constant `drag_time`. sphere: drag of a sphere with the radius and mass of the particle, from "
                 "creeping flow to quadratic drag. Buoyancy in air is neglected. follow: particles are weightless "
                 "tracers that follow the air exactly. They collide with obstacles, but not with bodies or water."},
      Param<P>{.member = &P::drag_time_s,
               .key = "drag_time",
               .unit = Unit::second,
               .range = {0, 1e6},
               .live = Live::yes,
               .doc = "Time constant of the drag, if drag = \"time\". The velocity of a particle approaches the "
                      "velocity of the wind plus gravity times this time constant. 0 means no drag. In a world with a "
                      "medium (`world.medium_density`), 0 means the drag of a sphere instead."},
      Param<P>{.member = &P::air_density_kgpm3,
               .key = "air_density",
               .unit = Unit::kilogram_per_m3,
               .range = {0, 1e4},
               .live = Live::yes,
               .doc = "Density of the air, if drag = \"sphere\". If the world has a medium, `world.medium_density` "
                      "replaces this value."},
      Param<P>{.member = &P::air_viscosity_pas,
               .key = "air_viscosity",
               .unit = Unit::pascal_second,
               .range = {1e-9, 1e3},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Viscosity of the air, if drag = \"sphere\". If the world has a medium, `world.medium_viscosity` "
                      "replaces this value. Air at room temperature has 1.8e-5."},
      Param<P>{
          .member = &P::gravity_scale,
          .key = "gravity_scale",
          .unit = Unit::ratio,
          .range = {-10, 10},
          .live = Live::yes,
          .doc =
              "Factor by which the gravity of the world is multiplied for this system. 0 makes the system weightless."},
      surface_params(),
      scheme_params(),
      Param<P>{.member = &P::spin,
               .key = "spin",
               .doc =
                   "Whether particles spin, as solid balls of uniform density. Friction with obstacles and with other "
                   "particles (rule `grains`) then turns them, so that they roll. Friction with bodies, voxels and "
                   "water does not turn them. Spin requires scheme = \"loop\" or \"collision_then_contact\"."},
      Param<P>{.member = &P::collision_dt_s,
               .key = "collision_dt",
               .label = "Collision time step",
               .unit = Unit::second,
               .range = {1e-6, 1},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Longest time step with which particles move and collide with obstacles, for example 1/60 s or "
                      "1/480 s. Shorter steps reduce the error and increase the cost in proportion."},
      Param<P>{.member = &P::kill_on_contact,
               .key = "kill_on_contact",
               .label = "Removal on contact",
               .live = Live::yes,
               .doc = "Whether particles are removed at the end of a step in which they touched an obstacle. This is "
                      "useful for rain and sparks."},
      Param<P>{.member = &P::keep_within_m,
               .key = "keep_within",
               .label = "Largest distance from origin",
               .unit = Unit::meter,
               .range = {1e-3, 1e6},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Distance from the origin of the world beyond which particles are removed."},
      Param<P>{.member = &P::soft,
               .key = "soft",
               .label = "Smoke puffs",
               .live = Live::yes,
               .doc = "Whether particles are drawn as puffs of smoke, which are denser in the middle. Changes of a "
                      "particle's size over its lifetime then affect only the picture, not contacts."},
      Param<P>{.member = &P::color,
               .key = "color",
               .label = "Colour",
               .unit = Unit::ratio,
               .range = {0, 1},
               .live = Live::yes,
               .color = true,
               .doc = "Colour in pictures, as linear red, green and blue from 0 to 1."},
  };
  return table;
}

}  // namespace vw
