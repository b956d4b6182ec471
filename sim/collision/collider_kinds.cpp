// The table of the kinds of colliders with their schemas, and the creation of a collider from a node.
#include "sim/collision/collider_kinds.h"

#include "sim/base/data/node_kind.h"
#include "sim/collision/shape/hollow.h"
#include "sim/collision/shape/shape_params.h"
#include "sim/collision/shape/shape_sources.h"
#include "sim/collision/surface_params.h"

namespace vw {
namespace {

enum class SolidSide { within, around };

/// Parameters of all kinds of colliders. Each kind uses a subset.
struct ColliderParams : SurfaceMaterial, ShapeParams {
  Vec3 position{0, 0, 0};
  Vec3 rotation{0, 0, 0};
  Vec3 velocity{0, 0, 0};
  Vec3 angular_velocity{0, 0, 0};
  KeyPath key_path = KeyPath::smooth;
  KeyEnd key_end = KeyEnd::loop;
  std::string carried_by;
  std::int64_t carried_element = -1;
  bool two_sided = false;
  Vec3 color{0.5, 0.5, 0.5};
  double opacity = 1;

  SolidSide solid = SolidSide::within;
  std::int64_t resolution = 64;
  double size_x_m = 1, size_z_m = 1;
  double low_m = 0, high_m = 0.1;
  double depth_m = 1;
};

using Rows = ParamTable<ColliderParams>;

Rows motion_rows() {
  using P = ColliderParams;
  return {
      Param<P>{.member = &P::position,
               .key = "position",
               .unit = Unit::meter,
               .range = {-1e6, 1e6},
               .live = Live::yes,
               .doc = "Position of the collider's origin. The origin is the centre of the shape, or the origin of the "
                      "coordinates in a mesh file. For a plane, the origin can be any point of the plane."},
      Param<P>{.member = &P::rotation,
               .key = "rotation",
               .unit = Unit::radian,
               .range = {-100, 100},
               .live = Live::yes,
               .doc = "Orientation as a rotation vector, which is the rotation axis times the angle. At zero, the "
                      "normal of a plane is +y, and the axes of capsules and cylinders are parallel to y."},
      Param<P>{.member = &P::velocity,
               .key = "velocity",
               .unit = Unit::meter_per_second,
               .range = {-1e3, 1e3},
               .doc = "Constant velocity of the collider's origin. It must be zero if the collider has keys (poses at "
                      "given times)."},
      Param<P>{.member = &P::angular_velocity,
               .key = "angular_velocity",
               .unit = Unit::radian_per_second,
               .range = {-1e3, 1e3},
               .doc = "Constant angular velocity about the collider's origin. It must be zero if the collider has keys "
                      "(poses at given times)."},
      Param<P>{
          .member = &P::key_path,
          .key = "key_path",
          .label = "Motion between keys",
          .live = Live::yes,
          .choices = {"smooth", "linear"},
          .doc = "Motion between two keys, which are poses at given times. It has no effect without keys. smooth: the "
                 "velocity is continuous. linear: the velocity is constant between two keys and jumps at each key."},
      Param<P>{.member = &P::key_end,
               .key = "key_end",
               .label = "Motion outside keys",
               .live = Live::yes,
               .choices = {"loop", "hold"},
               .doc = "Motion before the first key and after the last key. Keys are poses at given times. loop: the "
                      "motion between the first and the last key repeats. hold: before the first key, the collider has "
                      "the pose of the first key. After the last key, it keeps the pose of the last key."},
      Param<P>{.member = &P::carried_by,
               .key = "carried_by",
               .label = "Carrying system",
               .refers_to = "system",
               .doc = "Name of the system with the element that carries the collider. The collider moves and rotates "
                      "with that element as if attached to it, and does not collide with the system. If empty, the "
                      "collider is not carried."},
      Param<P>{.member = &P::carried_element,
               .key = "carried_element",
               .label = "Carrying element",
               .range = {-1, 1e9},
               .doc = "Index of the element that carries the collider, counted from 0 within the system `carried_by`. "
                      "-1 means the element nearest to the collider at the start."},
  };
}

Rows common_rows() {
  using P = ColliderParams;
  return {
      motion_rows(),
      surface_params(),
      Param<P>{.member = &P::two_sided,
               .key = "two_sided",
               .live = Live::yes,
               .doc = "Whether the collider is a thin sheet without an inside, which can be hit from both sides. If "
                      "off, the collider is solid."},
      Param<P>{.member = &P::color,
               .key = "color",
               .label = "Colour",
               .unit = Unit::ratio,
               .range = {0, 1},
               .live = Live::yes,
               .color = true,
               .doc = "Colour in pictures, as linear red, green and blue from 0 to 1."},
      Param<P>{.member = &P::opacity,
               .key = "opacity",
               .unit = Unit::ratio,
               .range = {0, 1},
               .live = Live::yes,
               .doc = "Opacity of the collider in pictures. 1 draws it opaque, lower values draw it transparent with "
                      "marked edges, and 0 hides it."},
  };
}

/// Returns the table row of the parameter `solid`, which only closed shapes have.
Param<ColliderParams> solid_row(Live live) {
  using P = ColliderParams;
  return Param<P>{.member = &P::solid,
                  .key = "solid",
                  .label = "Solid side",
                  .live = live,
                  .choices = {"within", "around"},
                  .doc =
                      "Side of the collider's surface that is solid. within: the inside, as in a block. around: all "
                      "space outside, so that the collider encloses a hollow, as in a tank, a pipe or a hollow ball."};
}

/// Returns the table rows of the parameters of a shape that is given by its dimensions.
Rows dimension_rows(ShapeKind kind) { return {shape_params(kind, Live::yes), solid_row(Live::yes)}; }

Rows mesh_rows() { return {shape_params(ShapeKind::mesh, Live::no), solid_row(Live::no)}; }

Rows distance_grid_rows() {
  using P = ColliderParams;
  return {
      mesh_rows(),
      Param<P>{.member = &P::resolution,
               .key = "resolution",
               .unit = Unit::count,
               .range = {4, 400},
               .scale = Scale::log,
               .doc = "Number of cells of the distance grid along the longest side of the mesh. The grid rounds edges "
                      "of the mesh by about one cell. The memory use grows with the third power of this number."},
  };
}

Rows heightfield_rows() {
  using P = ColliderParams;
  return {
      Param<P>{.member = &P::source,
               .key = "source",
               .doc = "Path of a file with heights, relative to the scene file. The file is a greyscale image (.png) "
                      "or a text file with rows of numbers in metres. The first row is the edge with the smallest z, "
                      "and the first column is the edge with the smallest x."},
      Param<P>{.member = &P::size_x_m,
               .key = "size_x",
               .unit = Unit::meter,
               .range = {1e-6, 1e6},
               .scale = Scale::log,
               .doc = "Length of the ground along x. The origin of the collider is in the middle of this length."},
      Param<P>{.member = &P::size_z_m,
               .key = "size_z",
               .unit = Unit::meter,
               .range = {1e-6, 1e6},
               .scale = Scale::log,
               .doc = "Length of the ground along z. The origin of the collider is in the middle of this length."},
      Param<P>{.member = &P::low_m,
               .key = "low",
               .label = "Height of black",
               .unit = Unit::meter,
               .range = {-1e5, 1e5},
               .doc = "Height at black pixels of the image. It has no effect if the source is a text file."},
      Param<P>{.member = &P::high_m,
               .key = "high",
               .label = "Height of white",
               .unit = Unit::meter,
               .range = {-1e5, 1e5},
               .doc = "Height at white pixels of the image. It has no effect if the source is a text file."},
      Param<P>{.member = &P::depth_m,
               .key = "depth",
               .unit = Unit::meter,
               .range = {1e-6, 1e6},
               .scale = Scale::log,
               .doc = "Thickness of the solid ground below the lowest point of its surface."},
  };
}

/// Calls `load`, which reads a file. Returns an error for the key "source" if the scene names no file or if the file is
/// invalid. If no file is named, the error says that `what` is required.
template <class Load>
Result<SourcedShape> from_file(const ColliderParams& p, const char* what, Load&& load) {
  Error error;
  error.key = "source";
  if (p.source.empty()) {
    error.found = "\"\"";
    error.expected = std::string("must name ") + what;
    return fail(std::move(error));
  }
  Result<SourcedShape> got = load();
  if (got) return got;
  error.what = got.error().message();
  return fail(std::move(error));
}

Result<SourcedShape> mesh_shape(const ColliderParams& p) {
  return from_file(p, "a mesh file (.obj, .stl, .ply, .gltf, .glb)",
                   [&] { return make_shape(ShapeKind::mesh, p, {.two_sided = p.two_sided}); });
}
Result<SourcedShape> distance_grid_shape(const ColliderParams& p) {
  return from_file(p, "a mesh file (.obj, .stl, .ply, .gltf, .glb)", [&] {
    return load_distance_grid({{p.source, p.scale}, static_cast<int>(p.resolution)}).map(sourced_shape);
  });
}
Result<SourcedShape> heightfield_shape(const ColliderParams& p) {
  return from_file(p, "a file of heights (.png, .txt)", [&] {
    return load_heightfield({p.source, p.size_x_m, p.size_z_m, p.low_m, p.high_m, p.depth_m}).map(sourced_shape);
  });
}
Result<SourcedShape> plane_shape(const ColliderParams& p) {
  (void)p;
  return SourcedShape{PlaneShape{}};
}
template <ShapeKind kind>
Result<SourcedShape> shape_by_dimensions(const ColliderParams& p) {
  return make_shape(kind, p);
}

enum class ShapeOrigin { parameters, file };

/// A kind of collider: its parameters and the function that creates its shape.
struct ColliderKind : NodeKind<ColliderParams> {
  using MakeShape = Result<SourcedShape> (*)(const ColliderParams&);
  ColliderKind(std::string kind, std::string doc, const Rows& own, MakeShape make, ShapeOrigin origin)
      : NodeKind<ColliderParams>(std::move(kind), std::move(doc), Rows{common_rows(), own},
                                 {{.name = "key",
                                   .kinds = {&keyframe_schema()},
                                   .doc = "Poses at given times. The collider moves from one pose to the next."}}),
        first_own(table.size() - own.size()),
        shape(make),
        from_file(origin == ShapeOrigin::file) {}
  std::size_t first_own;  ///< Index of the first parameter that determines the shape.
  MakeShape shape;
  bool from_file;
};

const std::vector<ColliderKind>& kinds() {
  using enum ShapeOrigin;
  static const std::vector<ColliderKind> all{
      {"box", "A solid box.", dimension_rows(ShapeKind::box), shape_by_dimensions<ShapeKind::box>, parameters},
      {"capsule", "A solid capsule along y: a cylinder with hemispherical ends.", dimension_rows(ShapeKind::capsule),
       shape_by_dimensions<ShapeKind::capsule>, parameters},
      {"cylinder", "A solid cylinder along y.", dimension_rows(ShapeKind::cylinder),
       shape_by_dimensions<ShapeKind::cylinder>, parameters},
      {"distance_grid",
       "A mesh from a file, stored as distances from its surface on a grid. The cost of a contact test does not depend "
       "on the number of triangles.",
       distance_grid_rows(), distance_grid_shape, file},
      {"heightfield", "Ground whose heights are read from a file.", heightfield_rows(), heightfield_shape, file},
      {"mesh", "A triangle mesh from a file.", mesh_rows(), mesh_shape, file},
      {"plane", "A plane. All space below it is solid.", {}, plane_shape, parameters},
      {"sphere", "A solid sphere.", dimension_rows(ShapeKind::sphere), shape_by_dimensions<ShapeKind::sphere>,
       parameters},
  };
  return all;
}

/// Returns the cache key of a shape: its kind and all parameters that determine it.
std::string shape_key(const ColliderKind& kind, const Node& self) {
  std::string key = kind.schema.kind;
  for (std::size_t i = kind.first_own; i < self.values.size(); ++i) key += '\n' + to_text(self.values[i]);
  return key;
}

Result<Shape> find_or_make_shape(const ColliderKind& kind, const ColliderParams& params, const Node& self,
                                 ShapeStore& shapes) {
  // Inverted shapes (solid = "around") are cached too, because sampling code identifies a shape by its address.
  const bool kept = kind.from_file || params.solid == SolidSide::around;
  const std::string key = kept ? shape_key(kind, self) : std::string();
  if (const Shape* there = kept ? shapes.find(key) : nullptr) return *there;
  auto made = kind.shape(params);
  if (!made) return Unexpected(made.error());
  if (params.solid == SolidSide::around) {
    auto turned = turned_inside_out(std::move(made->shape));
    if (!turned)
      return wrong_value(0, "solid", "\"around\"",
                         "must be \"within\" for a mesh that is not closed: " + turned.error().message());
    made->shape = std::move(*turned);
  }
  if (kept) shapes.keep(key, made->shape, made->note);
  return std::move(made->shape);
}

Unexpected no_collider(const Node& self) { return fail("\"" + self.name + "\" is not a collider"); }

}  // namespace

std::span<const Schema* const> collider_schemas() {
  static const std::vector<const Schema*> schemas = schemas_of(kinds());
  return schemas;
}

const Shape* ShapeStore::find(const std::string& key) {
  const auto there = shapes_.find(key);
  if (there == shapes_.end()) return nullptr;
  there->second.used = true;
  return &there->second.shape;
}

std::vector<std::string> ShapeStore::notes() const {
  std::vector<std::string> all;
  for (const auto& [key, row] : shapes_)
    if (!row.note.empty()) all.push_back(row.note);
  return all;
}

void ShapeStore::forget_unused() {
  std::erase_if(shapes_, [](const auto& row) { return !row.second.used; });
  for (auto& [key, row] : shapes_) row.used = false;
}

Result<Collider> make_collider(const Node& self, ShapeStore& shapes) {
  const ColliderKind* kind = find_kind(kinds(), self);
  if (kind == nullptr) return no_collider(self);
  const ColliderParams params = kind->read(self);
  auto shape = find_or_make_shape(*kind, params, self, shapes);
  if (!shape) return Unexpected(shape.error());
  Collider collider;
  collider.name = self.name;
  collider.shape = std::move(*shape);
  collider.position = params.position;
  collider.orientation = rotation_of(params.rotation);
  collider.velocity = params.velocity;
  collider.angular_velocity = params.angular_velocity;
  collider.surface = params;
  collider.two_sided = params.two_sided;
  collider.color = params.color;
  collider.opacity = params.opacity;
  return collider;
}

Result<Collider> make_collider(const Node& self) {
  ShapeStore shapes;
  return make_collider(self, shapes);
}

Result<ColliderMotion> make_motion(const Node& self) {
  const ColliderKind* kind = find_kind(kinds(), self);
  if (kind == nullptr) return no_collider(self);
  const ColliderParams params = kind->read(self);
  auto keys = read_keyframes(self);
  if (!keys) return Unexpected(keys.error());
  for (const auto& [name, value] :
       {std::pair{"velocity", params.velocity}, {"angular_velocity", params.angular_velocity}}) {
    if (keys->empty() || value.isZero(0)) continue;
    return wrong_value(0, name, to_text(Value(value)), "must be zero if the collider has keys");
  }
  return ColliderMotion{KeyTrack(std::move(*keys), params.key_path, params.key_end), params.carried_by,
                        params.carried_element, self.line};
}

Result<MovingCollider> read_collider(const Node& self, ShapeStore& shapes) {
  const auto located = [&](Error error) {
    if (error.line == 0) error.line = self.line;
    error.key = "collider." + self.name + (error.key.empty() ? "" : ".") + error.key;
    return fail(std::move(error));
  };
  auto collider = make_collider(self, shapes);
  if (!collider) return located(collider.error());
  auto motion = make_motion(self);
  if (!motion) return located(motion.error());
  return MovingCollider{std::move(*collider), std::move(*motion)};
}

Pose pose_at(const Collider& collider, const ColliderMotion& motion, double time) {
  return pose_reached(collider, motion, time, time);
}

Pose pose_reached(const Collider& collider, const ColliderMotion& motion, double from, double to) {
  Pose start{collider.position, collider.orientation};
  if (!motion.keys.empty()) return start * motion.keys.reached(from, to);
  if (collider.velocity.isZero(0) && collider.angular_velocity.isZero(0)) return start;
  return {start.position + to * collider.velocity,
          (rotation_of(to * collider.angular_velocity) * start.orientation).normalized()};
}

}  // namespace vw
