#include "sim/system/rigid/rigid_body.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_set>

#include <fmt/format.h>

#include "sim/base/data/node_kind.h"
#include "sim/base/random.h"
#include "sim/collision/surface_params.h"

namespace vw {
namespace {

using BodyRows = ParamTable<RigidBodyParams>;

BodyRows copy_rows() {
  using P = RigidBodyParams;
  return {
      Param<P>{.member = &P::repeat,
               .key = "repeat",
               .label = "Number of copies",
               .unit = Unit::count,
               .range = {1, 1e5},
               .doc = "Number of copies of the body along x, y and z, at most 100,000 in total. The first copy is at "
                      "`position`, apart from `repeat_jitter`. The copies are called NAME-1, NAME-2 and so on. A "
                      "system has at most 2,000,000 bodies."},
      Param<P>{.member = &P::repeat_step,
               .key = "repeat_step",
               .label = "Distance between copies",
               .unit = Unit::meter,
               .range = {-1e6, 1e6},
               .doc = "Distance from one copy of the body to the next along x, y and z, if `repeat` is above 1 along "
                      "that axis."},
      Param<P>{.member = &P::repeat_jitter_m,
               .key = "repeat_jitter",
               .label = "Random displacement of copies",
               .unit = Unit::meter,
               .range = {0, 1e6},
               .doc = "Largest random displacement of a copy of the body along each axis. The displacements depend on "
                      "the seed of the world."},
      Param<P>{.member = &P::repeat_turn,
               .key = "repeat_turn",
               .label = "Random rotation of copies",
               .unit = Unit::radian,
               .range = {0, pi},
               .doc = "Largest random rotation of a copy of the body, about a random axis. The rotations depend on the "
                      "seed of the world."},
  };
}

BodyRows common_body_rows() {
  using P = RigidBodyParams;
  return {
      Param<P>{.member = &P::position,
               .key = "position",
               .unit = Unit::meter,
               .range = {-1e6, 1e6},
               .doc = "Initial position of the centre of the body. For a mesh, this is the position of the origin of "
                      "the mesh."},
      Param<P>{.member = &P::rotation,
               .key = "rotation",
               .unit = Unit::radian,
               .range = {-100, 100},
               .doc = "Initial orientation as a rotation vector, which is the rotation axis times the angle."},
      Param<P>{.member = &P::velocity,
               .key = "velocity",
               .unit = Unit::meter_per_second,
               .range = {-1e3, 1e3},
               .doc = "Initial velocity of the centre of mass."},
      Param<P>{.member = &P::angular_velocity,
               .key = "angular_velocity",
               .unit = Unit::radian_per_second,
               .range = {-1e3, 1e3},
               .doc = "Initial angular velocity of the body."},
      Param<P>{.member = &P::density,
               .key = "density",
               .unit = Unit::kilogram_per_m3,
               .range = {1e-2, 1e5},
               .scale = Scale::log,
               .live = Live::yes,
               .doc = "Density of the body. It has no effect if `mass` is not 0."},
      Param<P>{.member = &P::mass_kg,
               .key = "mass",
               .unit = Unit::kilogram,
               .range = {0, 1e9},
               .live = Live::yes,
               .doc = "Mass of the body, distributed evenly over its volume. 0 means automatic, from `density`."},
      surface_params(),
      Param<P>{.member = &P::wind_drag,
               .key = "wind_drag",
               .unit = Unit::ratio,
               .range = {0, 100},
               .live = Live::yes,
               .doc = "Factor by which `wind_drag` and `wind_suction` of the system are multiplied for this body."},
      Param<P>{.member = &P::color,
               .key = "color",
               .label = "Colour",
               .unit = Unit::ratio,
               .range = {0, 1},
               .live = Live::yes,
               .color = true,
               .doc = "Colour in pictures, as linear red, green and blue from 0 to 1."},
      copy_rows(),
  };
}

Unexpected wrong_source(const RigidBodyParams& p, const std::string& expected) {
  return wrong_value(0, "source", '"' + p.source.substr(0, 160) + '"', expected);
}

/// Returns the shape of a body. The frame of a mesh shape has its origin at the centre of the bounding box.
Result<SourcedShape> body_shape(ShapeKind kind, const RigidBodyParams& p) {
  const bool is_mesh = kind == ShapeKind::mesh;
  if (is_mesh && p.source.empty()) return wrong_source(p, "must name a closed mesh (.obj, .stl, .ply, .gltf, .glb)");
  auto made = make_shape(kind, p, {.centred = true});
  if (!made)
    return wrong_source(p, "must be a readable mesh (.obj, .stl, .ply, .gltf, .glb): " + made.error().message());
  const auto [least_m, most_m] = solid_range_m;
  const double size_m = bounds(made->shape).sizes().maxCoeff();
  if (is_mesh && !(size_m >= least_m && size_m <= most_m))
    return wrong_source(
        p, fmt::format("must be {:g} to {:g} m across: this mesh is {:.3g} m across", least_m, most_m, size_m));
  return made;
}

/// Schema and parameter table of a kind of body, and the kind of its shape.
struct BodyKind : NodeKind<RigidBodyParams> {
  BodyKind(ShapeKind which, const char* name, const char* doc)
      : NodeKind<RigidBodyParams>(name, doc, BodyRows{common_body_rows(), shape_params(which, Live::no)}),
        shape(which) {}
  ShapeKind shape;
};

const std::vector<BodyKind>& body_kinds() {
  static const std::vector<BodyKind> all{
      {ShapeKind::box, "box", "A solid box."},
      {ShapeKind::capsule, "capsule", "A round rod along y with hemispherical ends."},
      {ShapeKind::cylinder, "cylinder", "A solid cylinder along y."},
      {ShapeKind::mesh, "mesh", "A solid bounded by a closed mesh. Mass, centre and inertia follow from the mesh."},
      {ShapeKind::sphere, "sphere", "A solid ball."},
  };
  return all;
}

void give_mass(const RigidBodyParams& params, RigidBody& body) {
  const MassProperties& solid = body.solid;
  body.mass_kg = params.mass_kg > 0 ? params.mass_kg : params.density * solid.volume_m3;
  body.volume_m3 = solid.volume_m3;
  body.center = solid.center;
  body.inertia = Inertia::of(solid.inertia * (body.mass_kg / solid.volume_m3));
}

constexpr double most_copies = 1e5;
/// Largest number of bodies of a system. Without a limit, a small file with many copies could exhaust the memory.
constexpr double most_bodies = 2e6;

/// Returns the error in the parameters of copies. The key of the error is empty if the parameters are valid.
Error wrong_copies(const RigidBodyParams& p) {
  const auto wrong = [](const char* key, const Vec3& found, const char* expected) {
    return wrong_value(0, key, fmt::format("[{}, {}, {}]", found.x(), found.y(), found.z()), expected).value();
  };
  if (p.repeat != Vec3(p.repeat.array().round())) return wrong("repeat", p.repeat, "must be three whole numbers");
  if (p.repeat.prod() > most_copies) return wrong("repeat", p.repeat, "must give at most 100,000 copies in total");
  for (int axis = 0; axis < 3; ++axis)
    if (p.repeat[axis] > 1 && p.repeat_step[axis] == 0)
      return wrong("repeat_step", p.repeat_step,
                   "must not be 0 along an axis with several copies: the copies would coincide");
  return {};
}

/// Returns an error if the bodies of a system and their copies are too many.
Result<void> check_number_of_bodies(const Node& system) {
  double all = 0;
  for (const Node* node : system.all("body")) {
    const Value& repeat = node->value("repeat");
    all += std::min(std::get<Vec3>(repeat).prod(), most_copies);
    if (all > most_bodies)
      return wrong_value(node->line, "system." + system.name + ".body." + node->name + ".repeat", to_text(repeat),
                         "must give at most 2,000,000 bodies in the system, with all copies of all bodies");
  }
  return {};
}

/// Returns the initial pose of copy number `index`, which is `at` steps away from the first body.
Pose copy_start(const Pose& first, const RigidBodyParams& p, const Vec3& at, RandomKey key, std::uint64_t index) {
  const auto uniform = [&](std::uint64_t lane) { return 2 * random_uniform(key, index, lane) - 1; };
  Pose pose = first;
  pose.position += at.cwiseProduct(p.repeat_step) + p.repeat_jitter_m * Vec3(uniform(0), uniform(1), uniform(2));
  if (p.repeat_turn > 0)
    pose.orientation = rotation_of(p.repeat_turn * uniform(3) * random_direction(key, index, 4)) * pose.orientation;
  return pose;
}

void add_copies(const RigidBodyParams& p, const RigidBody& body, RandomKey key, std::vector<RigidBody>& out) {
  if (p.repeat == Vec3(1, 1, 1)) return out.push_back(body);
  std::uint64_t index = 0;
  for (double y = 0; y < p.repeat.y(); ++y)
    for (double z = 0; z < p.repeat.z(); ++z)
      for (double x = 0; x < p.repeat.x(); ++x) {
        out.push_back(body);
        out.back().name = fmt::format("{}-{}", body.name, index + 1);
        out.back().start = copy_start(body.start, p, {x, y, z}, key, index++);
      }
}

/// Returns the first body that has the same name as an earlier body, or null if all names differ.
const RigidBody* find_namesake(const std::vector<RigidBody>& bodies) {
  std::unordered_set<std::string_view> names;
  for (const RigidBody& body : bodies)
    if (!names.insert(body.name).second) return &body;
  return nullptr;
}

double farthest_from(const Vec3& center, const Shape& shape) {
  if (const auto* sphere = std::get_if<SphereShape>(&shape)) return sphere->radius_m;
  const Box3 box = bounds(shape);
  return (box.max() - center).cwiseAbs().cwiseMax((box.min() - center).cwiseAbs()).norm();
}

}  // namespace

const std::vector<const Schema*>& rigid_body_schemas() {
  static const std::vector<const Schema*> schemas = schemas_of(body_kinds());
  return schemas;
}

Result<RigidBody> make_rigid_body(const Node& self) {
  const BodyKind& kind = kind_of(body_kinds(), self);
  const RigidBodyParams params = kind.read(self);
  auto made = body_shape(kind.shape, params);
  if (!made) return Unexpected(made.error());
  RigidBody body;
  body.name = self.name;
  body.shape = std::move(made->shape);
  body.note = std::move(made->note);
  body.solid = mass_properties(body.shape);
  if (!(body.solid.volume_m3 > 0)) return wrong_source(params, "must be a closed mesh: this mesh encloses no volume");
  if (!body.solid.exact)
    body.note += (body.note.empty() ? params.source + ": " : "; ") +
                 "the mass, centre and inertia of the body are computed from the grid cells inside the mesh";
  give_mass(params, body);
  body.reach_m = farthest_from(body.center, body.shape);
  body.surface = params;
  body.wind_drag = params.wind_drag;
  body.color = params.color;
  const Quat turn = rotation_of(params.rotation);
  body.start = {params.position + turn * made->middle, turn};
  body.velocity = params.velocity;
  body.angular_velocity = params.angular_velocity;
  return body;
}

Result<std::vector<RigidBody>> make_rigid_bodies(const Node& system, std::uint64_t seed) {
  if (auto good = check_number_of_bodies(system); !good) return Unexpected(good.error());
  std::vector<RigidBody> bodies;
  std::size_t number = 0;
  for (const Node* node : system.all("body")) {
    const RigidBodyParams params = kind_of(body_kinds(), *node).read(*node);
    Error error = wrong_copies(params);
    if (error.key.empty()) {
      auto body = make_rigid_body(*node);
      if (body) {
        body->node = number++;
        add_copies(params, *body, {seed, stream_id(system.name + "." + node->name)}, bodies);
        continue;
      }
      error = body.error();
    }
    error.line = node->line;
    error.key = "system." + system.name + ".body." + node->name + "." + error.key;
    return fail(std::move(error));
  }
  if (const RigidBody* body = find_namesake(bodies); body != nullptr) {
    const Node& node = *system.all("body")[body->node];
    return wrong_value(node.line, "system." + system.name + ".body." + node.name, '"' + body->name + '"',
                       "must be unique: another body or a copy of a body has the same name");
  }
  return bodies;
}

void update_rigid_body(const Node& self, RigidBody& body) {
  const RigidBodyParams params = kind_of(body_kinds(), self).read(self);
  give_mass(params, body);
  body.surface = params;
  body.wind_drag = params.wind_drag;
  body.color = params.color;
}

}  // namespace vw
