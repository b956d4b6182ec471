// Parameters of emitters: those that all kinds share, and the dimensions of each kind.
#include "sim/system/particles/emitter.h"

#include "sim/base/node_kind.h"

namespace vw {
namespace {

using P = EmitterParams;
using Params = std::vector<Param<EmitterParams>>;

Params place_params() {
  return {
      {&P::enabled, "enabled", true, Live::yes, "The emitter creates particles."},
      {&P::position, "position", Unit::meter, Vec3(0, 0.5, 0), {-1e6, 1e6}, Live::yes, "Centre of the emitter."},
      {&P::direction,
       "direction",
       Unit::none,
       Vec3(0, 1, 0),
       {-1e3, 1e3},
       Live::yes,
       "Mean direction of flight (any length but zero); the axis of a disc. From a surface particles fly along its "
       "normal instead."},
  };
}

Params flow_params() {
  return {
      {&P::rate, "rate", Unit::per_second, 100.0, {0, 1e8}, Scale::log, Live::yes, "Particles per second."},
      {&P::burst,
       "burst",
       Unit::count,
       std::int64_t{0},
       {0, 4e6},
       Scale::linear,
       Live::no,
       "Number of particles emitted at once at the start."},
      {&P::burst_period_s,
       "burst_period",
       Unit::second,
       0.0,
       {0, 1e6},
       Scale::linear,
       Live::yes,
       "Time from one burst to the next; 0: a single burst at the start."},
      {&P::start_s, "start", Unit::second, 0.0, {0, 1e6}, Scale::linear, Live::yes, "Time at which emission starts."},
      {&P::duration_s,
       "duration",
       Unit::second,
       0.0,
       {0, 1e6},
       Scale::linear,
       Live::yes,
       "Duration of emission; 0: unlimited."},
      {&P::seed,
       "seed",
       Unit::none,
       std::int64_t{0},
       {0, 9007199254740991.0},
       Scale::linear,
       Live::no,
       "Seed of the random numbers; emitters with equal seeds emit identically. 0: from the world's seed and the "
       "emitter's name."},
      {&P::speed, "speed", Unit::meter_per_second, 1.0, {0, 1e3}, Scale::linear, Live::yes, "Speed at birth."},
      {&P::speed_jitter,
       "speed_jitter",
       Unit::ratio,
       0.0,
       {0, 1},
       Scale::linear,
       Live::yes,
       "Uniform relative spread of the speed, plus and minus."},
      {&P::spread,
       "spread",
       Unit::radian,
       0.0,
       {0, pi},
       Scale::linear,
       Live::yes,
       "Half angle of the cone of directions, filled uniformly; pi = all directions."},
      {&P::lifetime_s,
       "lifetime",
       Unit::second,
       5.0,
       {0, 1e6},
       Scale::linear,
       Live::yes,
       "Age at which a particle is removed; 0: never."},
      {&P::lifetime_jitter,
       "lifetime_jitter",
       Unit::ratio,
       0.0,
       {0, 1},
       Scale::linear,
       Live::yes,
       "Uniform relative spread of the lifetime, plus and minus."},
  };
}

Params trait_params() {
  return {
      {&P::mass_kg,
       "particle_mass",
       Unit::kilogram,
       0.0,
       {0, 1e6},
       Scale::linear,
       Live::yes,
       "Mass of a particle; 0: that of the system."},
      {&P::mass_jitter,
       "particle_mass_jitter",
       Unit::ratio,
       0.0,
       {0, 0.95},
       Scale::linear,
       Live::yes,
       "Uniform relative spread of the mass, plus and minus."},
      {&P::density_kgpm3,
       "particle_density",
       Unit::kilogram_per_m3,
       0.0,
       {0, 1e5},
       Scale::linear,
       Live::yes,
       "If not zero, a particle's mass is this density times its volume at birth, and `particle_mass` is not used."},
      {&P::particle_radius_m,
       "particle_radius",
       Unit::meter,
       0.0,
       {0, 1e3},
       Scale::linear,
       Live::yes,
       "Radius of a particle at birth; 0: that of the system."},
      {&P::particle_radius_jitter,
       "particle_radius_jitter",
       Unit::ratio,
       0.0,
       {0, 0.95},
       Scale::linear,
       Live::yes,
       "Uniform relative spread of the radius, plus and minus."},
      {&P::drag_time_s,
       "particle_drag_time",
       Unit::second,
       -1.0,
       {-1, 1e6},
       Scale::linear,
       Live::yes,
       "Time constant of the drag of a particle; 0: no drag; negative: that of the system."},
      {&P::drag_jitter,
       "particle_drag_jitter",
       Unit::ratio,
       0.0,
       {0, 0.95},
       Scale::linear,
       Live::yes,
       "Uniform relative spread of the time constant of the drag, plus and minus."},
  };
}

Params life_params() {
  const Vec3 blue(0.25, 0.5, 0.9);
  const auto ratio = [](double P::*member, const char* name, double most, const char* doc) {
    return Param<P>{member, name, Unit::ratio, 1.0, {0, most}, Scale::linear, Live::yes, doc};
  };
  const auto color = [&](Vec3 P::*member, const char* name, const char* doc) {
    return Param<P>{member, name, Unit::ratio, blue, {0, 1}, Live::yes, doc, ParamType::color};
  };
  return {
      {&P::middle_at,
       "middle_at",
       Unit::ratio,
       0.5,
       {0.001, 0.999},
       Scale::linear,
       Live::yes,
       "Share of the life at which the middle size, colour and opacity apply, with linear changes before and after. "
       "Particles with unlimited "
       "lifetime keep their initial values."},
      ratio(&P::size_birth, "size_birth", 1000,
            "Size at birth, as a multiple of the particle's radius. It applies to display and contact; the "
            "mass does not change."),
      ratio(&P::size_middle, "size_middle", 1000,
            "Size in the middle of the life, as a multiple of the particle's radius."),
      ratio(&P::size_death, "size_death", 1000, "Size at the end of the life, as a multiple of the particle's radius."),
      {&P::color_from,
       "color_from",
       ColorFrom::system,
       {"system", "emitter", "life"},
       Live::yes,
       "Source of the particles' colour. system: the system's colour; emitter: color_birth during the whole life; "
       "life: color_birth, "
       "color_middle and color_death over the life."},
      color(&P::color_birth, "color_birth", "Colour at birth, linear red, green, blue."),
      color(&P::color_middle, "color_middle", "Colour in the middle of the life."),
      color(&P::color_death, "color_death", "Colour at the end of the life."),
      ratio(&P::opacity_birth, "opacity_birth", 1, "Opacity at birth."),
      ratio(&P::opacity_middle, "opacity_middle", 1, "Opacity in the middle of the life."),
      ratio(&P::opacity_death, "opacity_death", 1, "Opacity at the end of the life."),
  };
}

Params shape_params(EmitFrom usual) {
  return {
      {&P::rotation,
       "rotation",
       Unit::radian,
       Vec3(0, 0, 0),
       {-100, 100},
       Live::yes,
       "Rotation vector of the shape: axis times angle."},
      {&P::from,
       "from",
       usual,
       {"volume", "surface"},
       Live::yes,
       "Region that emits. volume: anywhere inside, along the direction; surface: anywhere on the surface, along its "
       "normal, so that the "
       "particle just touches it."},
      {&P::spacing_m,
       "spacing",
       Unit::meter,
       0.0,
       {0, 1e4},
       Scale::linear,
       Live::yes,
       "If not zero, particles from the volume start on a lattice of this spacing, from the bottom up, so that the "
       "grains of a burst do not "
       "overlap. After the last site the first one follows. 0: anywhere."},
  };
}

Params radius_param(double value, const char* doc) {
  return {{&P::radius_m, "radius", Unit::meter, value, {0, 1e4}, Scale::linear, Live::yes, doc}};
}

Params length_param(const char* doc) {
  return {{&P::length_m, "length", Unit::meter, 0.2, {0, 1e4}, Scale::linear, Live::yes, doc}};
}

Params mesh_params() {
  return {
      {&P::source, "source", "", Live::no, "File of the mesh (OBJ, STL, PLY, glTF), relative to the scene."},
      {&P::scale, "scale", Unit::ratio, 1.0, {1e-6, 1e6}, Scale::log, Live::no, "Metres per unit of the file."},
  };
}

Params own_params(EmitterKind kind) {
  switch (kind) {
    case EmitterKind::point: return {};
    case EmitterKind::disc: return radius_param(0.05, "Radius of the disc.");
    case EmitterKind::box:
      return joined(
          shape_params(EmitFrom::volume),
          {{&P::size_m, "size", Unit::meter, Vec3(0.1, 0.1, 0.1), {0, 1e4}, Live::yes, "Edge lengths of the box."}});
    case EmitterKind::sphere: return joined(shape_params(EmitFrom::volume), radius_param(0.1, "Radius of the sphere."));
    case EmitterKind::capsule:
      return joined(joined(shape_params(EmitFrom::volume), radius_param(0.05, "Radius of the capsule.")),
                    length_param("Length between the centres of the hemispheres, along y."));
    case EmitterKind::cylinder:
      return joined(joined(shape_params(EmitFrom::volume), radius_param(0.05, "Radius of the cylinder.")),
                    length_param("Length of the cylinder, along y."));
    case EmitterKind::mesh: return joined(mesh_params(), shape_params(EmitFrom::surface));
  }
  return {};
}

Params all_params(EmitterKind kind) {
  return joined(joined(joined(joined(place_params(), own_params(kind)), flow_params()), trait_params()), life_params());
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

EmitterKind emitter_kind(const Node& self) { return kind_of(kinds(), self).kind; }

EmitterParams emitter_params(const Node& self) { return kind_of(kinds(), self).read(self); }

}  // namespace vw
