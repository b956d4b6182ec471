// Shapes with a pose: questions go to the shape's own frame and answers come back.
#include "sim/collision/collider.h"

#include "sim/collision/pose.h"
#include "sim/collision/shape_sweep.h"

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
  return !(query(collider, point, 1.001 * distance).distance > distance);
}

std::optional<SweepHit> sweep(const Collider& start, const Collider& end, const Vec3& from, const Vec3& to, double radius) {
  const Vec3 a = start.orientation.conjugate() * (from - start.position), b = end.orientation.conjugate() * (to - end.position);
  auto hit = end.two_sided ? sweep_sheet(end.shape, a, b, radius) : sweep(end.shape, a, b, radius);
  if (!hit) return hit;
  if (!end.two_sided && std::holds_alternative<std::shared_ptr<const Geometry>>(end.shape)) {
    // Data are met from either side; whoever is inside a solid leaves it freely.
    if (query(end.shape, a, radius).distance < 0) {
      const SurfaceQuery before = query(end.shape, a);
      if (!(before.normal.dot(b - a) < 0)) return std::nullopt;
      hit = SweepHit{0, before.normal};
    }
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

}  // namespace vw
