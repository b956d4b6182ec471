// Parameters of emitters: parameters that all kinds share, and the dimensions of each kind.
#include "sim/system/particles/emitter.h"

#include "sim/base/data/node_kind.h"

namespace vw {
namespace {

using P = EmitterParams;
using Params = ParamTable<EmitterParams>;

Params place_params() {
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
               .doc = "Mean direction of flight (any non-zero length), and axis of a disc. Particles from a surface "
                      "fly along the surface normal instead."},
  };
}

Params flow_params() {
  return {
      Param<P>{.member = &P::rate,
               .key = "rate",
               .unit = Unit::per_second,
               .range = {0, 1e8},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Number of particles emitted per second."},
      Param<P>{.member = &P::burst,
               .key = "burst",
               .label = "Burst at start",
               .unit = Unit::count,
               .range = {0, 4e6},
               .doc = "Number of particles emitted at once at the start."},
      Param<P>{.member = &P::burst_period_s,
               .key = "burst_period",
               .unit = Unit::second,
               .range = {0, 1e6},
               .live = Live::yes,
               .doc = "Time from one burst to the next; 0: a single burst at the start."},
      Param<P>{.member = &P::start_s,
               .key = "start",
               .unit = Unit::second,
               .range = {0, 1e6},
               .live = Live::yes,
               .doc = "Time at which emission starts."},
      Param<P>{.member = &P::duration_s,
               .key = "duration",
               .unit = Unit::second,
               .range = {0, 1e6},
               .live = Live::yes,
               .doc = "Duration of emission; 0: unlimited."},
      Param<P>{.member = &P::seed,
               .key = "seed",
               .range = {0, 9007199254740991.0},
               .doc = "Seed of the random numbers. Emitters with equal seeds emit identically. 0: from the world's "
                      "seed and the emitter's name."},
      Param<P>{.member = &P::speed,
               .key = "speed",
               .unit = Unit::meter_per_second,
               .range = {0, 1e3},
               .live = Live::yes,
               .doc = "Speed at birth."},
      Param<P>{
          .member = &P::speed_jitter,
          .key = "speed_jitter",
          .unit = Unit::ratio,
          .range = {0, 1},
          .live = Live::yes,
          .doc = "Largest relative deviation of the speed. Deviations are uniformly distributed in both directions."},
      Param<P>{.member = &P::spread,
               .key = "spread",
               .unit = Unit::radian,
               .range = {0, pi},
               .live = Live::yes,
               .doc = "Half angle of the cone of directions. The directions are distributed uniformly over the cone; "
                      "pi = all directions."},
      Param<P>{.member = &P::lifetime_s,
               .key = "lifetime",
               .unit = Unit::second,
               .range = {0, 1e6},
               .live = Live::yes,
               .doc = "Age at which a particle is removed; 0: never."},
      Param<P>{
          .member = &P::lifetime_jitter,
          .key = "lifetime_jitter",
          .unit = Unit::ratio,
          .range = {0, 1},
          .live = Live::yes,
          .doc =
              "Largest relative deviation of the lifetime. Deviations are uniformly distributed in both directions."},
  };
}

Params trait_params() {
  return {
      Param<P>{.member = &P::mass_kg,
               .key = "particle_mass",
               .unit = Unit::kilogram,
               .range = {0, 1e6},
               .live = Live::yes,
               .doc = "Mass of a particle; 0: the mass of the system."},
      Param<P>{
          .member = &P::mass_jitter,
          .key = "particle_mass_jitter",
          .unit = Unit::ratio,
          .range = {0, 0.95},
          .live = Live::yes,
          .doc = "Largest relative deviation of the mass. Deviations are uniformly distributed in both directions."},
      Param<P>{.member = &P::density_kgpm3,
               .key = "particle_density",
               .unit = Unit::kilogram_per_m3,
               .range = {0, 1e5},
               .live = Live::yes,
               .doc = "Density of a particle. If the density is not zero, the mass is density times volume at birth, "
                      "and `particle_mass` is not used."},
      Param<P>{.member = &P::particle_radius_m,
               .key = "particle_radius",
               .unit = Unit::meter,
               .range = {0, 1e3},
               .live = Live::yes,
               .doc = "Radius of a particle at birth; 0: the radius of the system."},
      Param<P>{
          .member = &P::particle_radius_jitter,
          .key = "particle_radius_jitter",
          .unit = Unit::ratio,
          .range = {0, 0.95},
          .live = Live::yes,
          .doc = "Largest relative deviation of the radius. Deviations are uniformly distributed in both directions."},
      Param<P>{
          .member = &P::drag_time_s,
          .key = "particle_drag_time",
          .unit = Unit::second,
          .range = {-1, 1e6},
          .live = Live::yes,
          .doc = "Time constant of the drag of a particle; 0: no drag; negative: the time constant of the system."},
      Param<P>{.member = &P::drag_jitter,
               .key = "particle_drag_jitter",
               .unit = Unit::ratio,
               .range = {0, 0.95},
               .live = Live::yes,
               .doc = "Largest relative deviation of the time constant of the drag. Deviations are uniformly "
                      "distributed in both directions."},
  };
}

Params life_params() {
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
               .doc = "Fraction of the life at which the middle size, colour and opacity apply. The changes before and "
                      "after are linear. Particles with unlimited lifetime keep their initial values."},
      ratio(&P::size_birth, "size_birth", 1000,
            "Size at birth, as a multiple of the particle's radius. The size applies to display and contact, but not "
            "to the mass."),
      ratio(&P::size_middle, "size_middle", 1000,
            "Size in the middle of the life, as a multiple of the particle's radius."),
      ratio(&P::size_death, "size_death", 1000, "Size at the end of the life, as a multiple of the particle's radius."),
      Param<P>{.member = &P::color_from,
               .key = "color_from",
               .live = Live::yes,
               .choices = {"system", "emitter", "life"},
               .doc = "Source of the particles' colour. system: the system's colour. emitter: color_birth during the "
                      "whole life. life: color_birth, color_middle and color_death over the life."},
      color(&P::color_birth, "color_birth", "Colour at birth, as linear red, green and blue."),
      color(&P::color_middle, "color_middle", "Colour in the middle of the life."),
      color(&P::color_death, "color_death", "Colour at the end of the life."),
      ratio(&P::opacity_birth, "opacity_birth", 1, "Opacity at birth."),
      ratio(&P::opacity_middle, "opacity_middle", 1, "Opacity in the middle of the life."),
      ratio(&P::opacity_death, "opacity_death", 1, "Opacity at the end of the life."),
  };
}

Params region_params() {
  return {
      Param<P>{.member = &P::rotation,
               .key = "rotation",
               .unit = Unit::radian,
               .range = {-100, 100},
               .live = Live::yes,
               .doc = "Rotation vector of the shape: axis times angle."},
      Param<P>{.member = &P::from,
               .key = "from",
               .live = Live::yes,
               .choices = {"volume", "surface"},
               .doc = "Region that emits. volume: particles start anywhere inside and fly along the direction. "
                      "surface: particles start anywhere on the surface, just touching it, and fly along its normal."},
      Param<P>{.member = &P::spacing_m,
               .key = "spacing",
               .unit = Unit::meter,
               .range = {0, 1e4},
               .live = Live::yes,
               .doc =
                   "Spacing of the lattice on which particles from the volume start, from the bottom up. On a lattice, "
                   "the grains of a burst do not overlap. After the last site, the first site follows. 0: anywhere."},
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
