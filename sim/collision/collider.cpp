// Shapes: exact distances, and the nodes that describe them.
#include "sim/collision/collider.h"

#include <algorithm>
#include <cmath>

#include "sim/collision/shape_sweep.h"

namespace vw {
namespace {

/// What every collider's node declares; the kinds add their dimensions.
struct ColliderParams {
  Vec3 position{0, 0, 0};
  Vec3 rotation{0, 0, 0};
  Vec3 velocity{0, 0, 0};
  Vec3 angular_velocity{0, 0, 0};
  double restitution = 0.5;
  double mu_static = 0.6;
  double mu_dynamic = 0.5;
  Vec3 color{0.5, 0.5, 0.5};
  double radius_m = 0.1;
  Vec3 size_m{0.2, 0.2, 0.2};
};

std::vector<Param<ColliderParams>> common_params() {
  using P = ColliderParams;
  return {
      {&P::position, "position", Unit::meter, Vec3(0, 0, 0), {-1e6, 1e6}, Live::yes, "Where its origin is; for a plane, any point of it."},
      {&P::rotation,
       "rotation",
       Unit::radian,
       Vec3(0, 0, 0),
       {-100, 100},
       Live::yes,
       "Rotation vector: axis times angle. A plane's normal is +y turned by it."},
      {&P::velocity, "velocity", Unit::meter_per_second, Vec3(0, 0, 0), {-1e3, 1e3}, Live::no, "Constant velocity of its origin."},
      {&P::angular_velocity,
       "angular_velocity",
       Unit::radian_per_second,
       Vec3(0, 0, 0),
       {-1e3, 1e3},
       Live::no,
       "Constant angular velocity about its origin."},
      {&P::restitution,
       "restitution",
       Unit::ratio,
       0.5,
       {0, 1},
       Scale::linear,
       Live::yes,
       "Share of the normal speed that a bounce gives back; the larger of the pair counts."},
      {&P::mu_static, "mu_static", Unit::ratio, 0.6, {0, 10}, Scale::linear, Live::yes, "Static friction; a pair takes the geometric mean."},
      {&P::mu_dynamic, "mu_dynamic", Unit::ratio, 0.5, {0, 10}, Scale::linear, Live::yes, "Dynamic friction; a pair takes the geometric mean."},
      {&P::color, "color", Unit::ratio, Vec3(0.5, 0.5, 0.5), {0, 1}, Live::yes, "Colour, linear red, green, blue.", ParamType::color},
  };
}

std::vector<Param<ColliderParams>> sphere_params() {
  auto params = common_params();
  params.push_back({&ColliderParams::radius_m, "radius", Unit::meter, 0.1, {1e-6, 1e4}, Scale::log, Live::yes, "Radius."});
  return params;
}

std::vector<Param<ColliderParams>> box_params() {
  auto params = common_params();
  params.push_back({&ColliderParams::size_m, "size", Unit::meter, Vec3(0.2, 0.2, 0.2), {1e-6, 1e4}, Live::yes, "Edge lengths."});
  return params;
}

std::vector<ParamSpec> specs_of(const std::vector<Param<ColliderParams>>& params) {
  std::vector<ParamSpec> specs;
  for (const auto& p : params) specs.push_back(p.spec());
  return specs;
}

/// A kind of collider: its declarations and the shape that they describe.
struct ColliderKind {
  std::vector<Param<ColliderParams>> params;
  Schema schema;
  Shape (*shape)(const ColliderParams&);
};

const std::vector<ColliderKind>& kinds() {
  static const std::vector<ColliderKind> all = [] {
    std::vector<ColliderKind> k{
        {box_params(), {"box", "A solid box.", {}, {}}, [](const ColliderParams& p) { return Shape(BoxShape{0.5 * p.size_m}); }},
        {common_params(),
         {"plane", "A half space: everything below the plane is solid.", {}, {}},
         [](const ColliderParams&) { return Shape(PlaneShape{}); }},
        {sphere_params(), {"sphere", "A solid sphere.", {}, {}}, [](const ColliderParams& p) { return Shape(SphereShape{p.radius_m}); }},
    };
    for (auto& kind : k) kind.schema.params = specs_of(kind.params);
    return k;
  }();
  return all;
}

Quat rotation_of(const Vec3& rotation_vector) {
  const double angle = rotation_vector.norm();
  return angle > 0 ? Quat(Eigen::AngleAxisd(angle, rotation_vector / angle)) : Quat::Identity();
}

}  // namespace

SurfaceQuery query(const Collider& collider, const Vec3& point, double reach) {
  const Vec3 local = collider.orientation.conjugate() * (point - collider.position);
  SurfaceQuery found = query(collider.shape, local, reach);
  found.normal = collider.orientation * found.normal;
  if (collider.two_sided && found.distance < 0) found = {-found.distance, -found.normal};
  return found;
}

std::optional<SweepHit> sweep(const Collider& start, const Collider& end, const Vec3& from, const Vec3& to, double radius) {
  const Vec3 a = start.orientation.conjugate() * (from - start.position), b = end.orientation.conjugate() * (to - end.position);
  auto hit = end.two_sided ? sweep_sheet(end.shape, a, b, radius) : sweep(end.shape, a, b, radius);
  if (!hit) return hit;
  if (!end.two_sided && std::holds_alternative<std::shared_ptr<const Geometry>>(end.shape)) {
    // Data are met from either side; whoever is inside a solid leaves it freely.
    const SurfaceQuery before = query(end.shape, a, radius);
    if (before.distance < 0 && !(before.normal.dot(b - a) < 0)) return std::nullopt;
    if (before.distance < 0) hit = SweepHit{0, before.normal};
  }
  hit->normal = end.orientation * hit->normal;
  return hit;
}

Collider at_time(const Collider& collider, double time) {
  Collider moved = collider;
  moved.position += time * collider.velocity;
  moved.orientation = (rotation_of(time * collider.angular_velocity) * collider.orientation).normalized();
  return moved;
}

std::span<const Schema* const> collider_schemas() {
  static const std::vector<const Schema*> schemas = [] {
    std::vector<const Schema*> all;
    for (const auto& kind : kinds()) all.push_back(&kind.schema);
    return all;
  }();
  return schemas;
}

Result<Collider> make_collider(const Node& self) {
  for (const auto& kind : kinds()) {
    if (&kind.schema != self.schema) continue;
    ColliderParams params;
    for (std::size_t i = 0; i < kind.params.size(); ++i) kind.params[i].set(params, self.values[i]);
    Collider collider;
    collider.name = self.name;
    collider.shape = kind.shape(params);
    collider.position = params.position;
    collider.orientation = rotation_of(params.rotation);
    collider.velocity = params.velocity;
    collider.angular_velocity = params.angular_velocity;
    collider.surface = {params.restitution, params.mu_static, params.mu_dynamic};
    collider.color = params.color;
    return collider;
  }
  return fail("\"" + self.name + "\" is no collider");
}

}  // namespace vw
