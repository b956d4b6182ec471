// Queries of colliders. Points are transformed to the shape's frame, and results back to the world frame.
#include "sim/collision/collider.h"

#include "sim/collision/pose.h"
#include "sim/collision/shape/hollow.h"
#include "sim/collision/shape/shape_sweep.h"

namespace vw {

SurfaceQuery query(const Collider& collider, const Vec3& point, double reach) {
  const Vec3 local = collider.orientation.conjugate() * (point - collider.position);
  SurfaceQuery found = query(collider.shape, local, reach);
  found.normal = collider.orientation * found.normal;
  if (collider.two_sided && found.distance < 0) found = {-found.distance, -found.normal};
  return found;
}

SurfaceQuery query_near(const Collider& collider, const Vec3& point, double reach) {
  const SurfaceQuery found = query(collider, point, reach);
  return found.distance <= -reach ? query(collider, point) : found;
}

bool comes_within(const Collider& collider, const Vec3& point, double distance) {
  return !point.allFinite() || !(query(collider, point, 1.001 * distance).distance > distance);
}

namespace {

/// Returns the first contact of a ball with a solid. Geometry::sweep() also reports hits on the surface from inside.
/// Here, a ball that starts inside may leave freely. Such a ball has a hit only if it moves deeper, and the hit is at
/// the start of the path.
std::optional<SweepHit> sweep_solid(const Geometry& geometry, const Vec3& from, const Vec3& to, double radius) {
  if (geometry.query(from, radius).distance >= 0) return geometry.sweep(from, to, radius);
  const SurfaceQuery inside = geometry.query(from, std::numeric_limits<double>::infinity());
  if (!(inside.normal.dot(to - from) < 0)) return std::nullopt;
  return SweepHit{0, inside.normal};
}

}  // namespace

std::optional<SweepHit> sweep(const Collider& start, const Collider& end, const Vec3& from, const Vec3& to,
                              double radius) {
  const Vec3 a = start.orientation.conjugate() * (from - start.position),
             b = end.orientation.conjugate() * (to - end.position);
  const auto* geometry = std::get_if<std::shared_ptr<const Geometry>>(&end.shape);
  auto hit = end.two_sided         ? sweep_sheet(end.shape, a, b, radius)
             : geometry != nullptr ? sweep_solid(**geometry, a, b, radius)
                                   : sweep(end.shape, a, b, radius);
  if (hit) hit->normal = end.orientation * hit->normal;
  return hit;
}

const Shape& drawn_shape(const Collider& collider) {
  const Shape* hole = collider.opacity < 1 ? hole_of(collider.shape) : nullptr;
  return hole != nullptr ? *hole : collider.shape;
}

Collider at_time(const Collider& collider, double time) {
  Collider moved = collider;
  moved.position += time * collider.velocity;
  moved.orientation = (rotation_of(time * collider.angular_velocity) * collider.orientation).normalized();
  return moved;
}

}  // namespace vw
