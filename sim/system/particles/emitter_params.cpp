// Parameters of emitters: parameters that all kinds share, and the dimensions of each kind.
#include "sim/system/particles/emitter.h"

#include "sim/base/data/node_kind.h"

namespace vw {
namespace {

using Params = ParamTable<EmitterParams>;

Params place_params() {
  using P = EmitterParams;
  return {
      Param<P>{
          .member = &P::enabled, .key = "enabled", .live = Live::yes, .doc = "Whether the emitter creates particles."},
      Param<P>{.member = &P::position,
               .key = "position",
               .unit = Unit::meter,
               .range = {-1e6, 1e6},
               .live = Live::yes,
               .doc = "Centre of the emitter."},
      Param<P>{.member = &P::direction,
               .key = "direction",
               .range = {-1e3, 1e3},
               .live = Live::yes,
               .doc = "Mean direction in which particles start to fly. The length of the vector has no effect, but "
                      "must not be zero. The disc of a disc emitter is perpendicular to this direction. Particles that "
                      "start on a surface fly along the normal of the surface instead."},
  };
}

Params flow_params() {
  using P = EmitterParams;
  return {
      Param<P>{.member = &P::rate,
               .key = "rate",
               .unit = Unit::per_second,
               .range = {0, 1e8},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Number of particles that are emitted per second, in addition to bursts."},
      Param<P>{.member = &P::burst,
               .key = "burst",
               .label = "Particles per burst",
               .unit = Unit::count,
               .range = {0, 4e6},
               .doc = "Number of particles that are emitted at once in a burst. The first burst is at the time "
                      "`start`. 0 means no bursts."},
      Param<P>{.member = &P::burst_period_s,
               .key = "burst_period",
               .unit = Unit::second,
               .range = {0, 1e6},
               .live = Live::yes,
               .doc = "Time from one burst to the next. 0 means a single burst."},
      Param<P>{.member = &P::start_s,
               .key = "start",
               .unit = Unit::second,
               .range = {0, 1e6},
               .live = Live::yes,
               .doc = "Time at which the emitter begins to create particles."},
      Param<P>{.member = &P::duration_s,
               .key = "duration",
               .unit = Unit::second,
               .range = {0, 1e6},
               .live = Live::yes,
               .doc = "Time for which the emitter creates particles. 0 means no limit."},
      Param<P>{.member = &P::seed,
               .key = "seed",
               .range = {0, 9007199254740991.0},
               .doc = "Seed of the random numbers of the emitter. Emitters with equal seeds emit identically. 0 means "
                      "that the seed is derived from the seed of the world and the name of the emitter."},
      Param<P>{.member = &P::speed,
               .key = "speed",
               .unit = Unit::meter_per_second,
               .range = {0, 1e3},
               .live = Live::yes,
               .doc = "Mean initial speed of particles."},
      Param<P>{.member = &P::speed_jitter,
               .key = "speed_jitter",
               .unit = Unit::ratio,
               .range = {0, 1},
               .live = Live::yes,
               .doc = "Random variation of the speed. With 0.1, speeds differ from `speed` by at most 10 % in either "
                      "direction, with uniform distribution."},
      Param<P>{.member = &P::spread,
               .key = "spread",
               .unit = Unit::radian,
               .range = {0, pi},
               .live = Live::yes,
               .doc = "Largest angle between the initial velocity of a particle and its mean direction, which is "
                      "`direction` or, for a start on a surface, the surface normal. The velocities are distributed "
                      "uniformly over the cone with this half angle. At pi, particles fly in all directions."},
      Param<P>{.member = &P::lifetime_s,
               .key = "lifetime",
               .unit = Unit::second,
               .range = {0, 1e6},
               .live = Live::yes,
               .doc = "Age at which a particle is removed. 0 means never."},
      Param<P>{.member = &P::lifetime_jitter,
               .key = "lifetime_jitter",
               .unit = Unit::ratio,
               .range = {0, 1},
               .live = Live::yes,
               .doc = "Random variation of the lifetime. With 0.1, lifetimes differ from `lifetime` by at most 10 % in "
                      "either direction, with uniform distribution."},
  };
}

Params trait_params() {
  using P = EmitterParams;
  return {
      Param<P>{.member = &P::mass_kg,
               .key = "particle_mass",
               .unit = Unit::kilogram,
               .range = {0, 1e6},
               .live = Live::yes,
               .doc = "Mass of a particle from this emitter. 0 means the `mass` of the particle system."},
      Param<P>{.member = &P::mass_jitter,
               .key = "particle_mass_jitter",
               .unit = Unit::ratio,
               .range = {0, 0.95},
               .live = Live::yes,
               .doc = "Random variation of the mass of particles. With 0.1, masses differ from their mean by at most "
                      "10 % in either direction, with uniform distribution."},
      Param<P>{.member = &P::density_kgpm3,
               .key = "particle_density",
               .unit = Unit::kilogram_per_m3,
               .range = {0, 1e5},
               .live = Live::yes,
               .doc = "Density of a particle from this emitter. If it is above 0, the mass follows from the density "
                      "and the initial radius, and `particle_mass` has no effect. 0 means that `particle_mass` "
                      "determines the mass."},
      Param<P>{.member = &P::particle_radius_m,
               .key = "particle_radius",
               .unit = Unit::meter,
               .range = {0, 1e3},
               .live = Live::yes,
               .doc = "Initial radius of a particle from this emitter. 0 means the `radius` of the particle system."},
      Param<P>{.member = &P::particle_radius_jitter,
               .key = "particle_radius_jitter",
               .unit = Unit::ratio,
               .range = {0, 0.95},
               .live = Live::yes,
               .doc = "Random variation of the initial radius of particles. With 0.1, radii differ from their mean by "
                      "at most 10 % in either direction, with uniform distribution."},
      Param<P>{
          .member = &P::drag_time_s,
          .key = "particle_drag_time",
          .unit = Unit::second,
          .range = {-1, 1e6},
          .live = Live::yes,
          .doc =
              "Time constant of the drag on a particle from this emitter. It has an effect only if the particle system "
              "has drag = \"time\". 0 means no drag, or, in a world with a medium (`world.medium_density`), the drag "
              "of a sphere. A negative value means `drag_time` of the particle system."},
      Param<P>{.member = &P::drag_jitter,
               .key = "particle_drag_jitter",
               .unit = Unit::ratio,
               .range = {0, 0.95},
               .live = Live::yes,
               .doc = "Random variation of the time constant of the drag. With 0.1, time constants differ from "
                      "`particle_drag_time` (or, if this is negative, from `drag_time` of the particle system) by at "
                      "most 10 % in either direction, with uniform distribution."},
  };
}

Params life_params() {
  using P = EmitterParams;
  const Vec3 blue(0.25, 0.5, 0.9);
  const auto ratio = [](double P::*member, const char* name, double most, const char* doc) {
    return Param<P>{
        .member = member, .key = name, .unit = Unit::ratio, .range = {0, most}, .live = Live::yes, .doc = doc};
  };
  const auto color = [&](Vec3 P::*member, const char* name, const char* doc) {
    return Param<P>{.member = member,
                    .key = name,
                    .unit = Unit::ratio,
                    .range = {0, 1},
                    .live = Live::yes,
                    .color = true,
                    .doc = doc};
  };
  return {
      Param<P>{.member = &P::middle_at,
               .key = "middle_at",
               .unit = Unit::ratio,
               .range = {0.001, 0.999},
               .live = Live::yes,
               .doc = "Fraction of its lifetime at which a particle has the middle size, colour and opacity. Before "
                      "and after that time, size, colour and opacity change linearly. Particles without a lifetime "
                      "keep their initial values."},
      ratio(&P::size_birth, "size_birth", 1000,
            "Size of a particle when it starts, as a multiple of its radius. The size affects picture and contacts, "
            "but not the mass."),
      ratio(&P::size_middle, "size_middle", 1000,
            "Size of a particle at the fraction `middle_at` of its lifetime, as a multiple of its radius."),
      ratio(&P::size_death, "size_death", 1000,
            "Size of a particle at the end of its lifetime, as a multiple of its radius."),
      Param<P>{.member = &P::color_from,
               .key = "color_from",
               .live = Live::yes,
               .choices = {"system", "emitter", "life"},
               .doc = "Source of the colour of particles. system: the colour of the system. emitter: color_birth at "
                      "all times. life: a colour that changes from color_birth through color_middle to color_death."},
      color(&P::color_birth, "color_birth", "Colour of a particle when it starts, as linear red, green and blue."),
      color(&P::color_middle, "color_middle",
            "Colour of a particle at the fraction `middle_at` of its lifetime, as linear red, green and blue."),
      color(&P::color_death, "color_death",
            "Colour of a particle at the end of its lifetime, as linear red, green and blue."),
      ratio(&P::opacity_birth, "opacity_birth", 1,
            "Opacity of a particle when it starts, from 0 (invisible) to 1 (opaque)."),
      ratio(&P::opacity_middle, "opacity_middle", 1,
            "Opacity of a particle at the fraction `middle_at` of its lifetime, from 0 (invisible) to 1 (opaque)."),
      ratio(&P::opacity_death, "opacity_death", 1,
            "Opacity of a particle at the end of its lifetime, from 0 (invisible) to 1 (opaque)."),
  };
}

Params region_params() {
  using P = EmitterParams;
  return {
      Param<P>{.member = &P::rotation,
               .key = "rotation",
               .unit = Unit::radian,
               .range = {-100, 100},
               .live = Live::yes,
               .doc = "Orientation of the shape as a rotation vector, which is the rotation axis times the angle."},
      Param<P>{.member = &P::from,
               .key = "from",
               .label = "Starting place",
               .live = Live::yes,
               .choices = {"volume", "surface"},
               .doc = "Place where particles start. volume: anywhere inside the shape; particles fly along "
                      "`direction`. surface: just outside the surface of the shape; particles fly along the surface "
                      "normal."},
      Param<P>{.member = &P::spacing_m,
               .key = "spacing",
               .unit = Unit::meter,
               .range = {0, 1e4},
               .live = Live::yes,
               .doc = "Spacing of the lattice on which particles start if from = \"volume\". Particles fill the "
                      "lattice from the bottom to the top, and then again from the bottom. Particles of a burst do not "
                      "overlap if the spacing is at least their diameter. 0 means random positions."},
  };
}

Params own_params(EmitterKind kind) {
  if (kind == EmitterKind::disc) return {radius_param(Live::yes, Smallest::zero)};
  const auto shape = shape_kind(kind);
  if (!shape) return {};
  const auto rows = shape_params(*shape, Live::yes, Smallest::zero);
  return *shape == ShapeKind::mesh ? Params{rows, region_params()} : Params{region_params(), rows};
}

EmitterParams defaults_of(EmitterKind kind) {
  EmitterParams params;
  if (kind == EmitterKind::sphere) params.radius_m = 0.1;
  if (kind == EmitterKind::mesh) params.from = EmitFrom::surface;
  return params;
}

Params all_params(EmitterKind kind) {
  return {{place_params(), own_params(kind), flow_params(), trait_params(), life_params()}, defaults_of(kind)};
}

struct Kind : NodeKind<EmitterParams> {
  Kind(EmitterKind which, const char* name, const char* doc)
      : NodeKind<EmitterParams>(name, doc, all_params(which)), kind(which) {}
  EmitterKind kind;
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{
      {EmitterKind::box, "box", "Particles start in the volume or on the surface of a box."},
      {EmitterKind::capsule, "capsule", "Particles start in the volume or on the surface of a capsule."},
      {EmitterKind::cylinder, "cylinder", "Particles start in the volume or on the surface of a cylinder."},
      {EmitterKind::disc, "disc", "Particles start on a disc perpendicular to the direction."},
      {EmitterKind::mesh, "mesh", "Particles start on the surface of a mesh or in the volume of a closed mesh."},
      {EmitterKind::point, "point", "Particles start at a point."},
      {EmitterKind::sphere, "sphere", "Particles start in the volume or on the surface of a sphere."}};
  return all;
}

}  // namespace

const std::vector<const Schema*>& emitter_schemas() {
  static const std::vector<const Schema*> schemas = schemas_of(kinds());
  return schemas;
}

std::optional<ShapeKind> shape_kind(EmitterKind kind) {
  switch (kind) {
    case EmitterKind::box: return ShapeKind::box;
    case EmitterKind::capsule: return ShapeKind::capsule;
    case EmitterKind::cylinder: return ShapeKind::cylinder;
    case EmitterKind::mesh: return ShapeKind::mesh;
    case EmitterKind::sphere: return ShapeKind::sphere;
    case EmitterKind::disc:
    case EmitterKind::point: break;
  }
  return std::nullopt;
}

EmitterKind emitter_kind(const Node& self) { return kind_of(kinds(), self).kind; }

EmitterParams emitter_params(const Node& self) { return kind_of(kinds(), self).read(self); }

}  // namespace vw
