// Signed distances from positions in the air to a world's colliders.
#include "sim/world/step/field_obstacles.h"

#include <algorithm>

#include "sim/collision/shape/hollow.h"

namespace vw {
namespace {

/// A collider with its pose and velocity at one time.
struct Posed {
  const Collider& collider;
  ColliderSet::Motion motion;
};

/// Returns the nearest surface of the collider. Outside the collider, the distance is exact only up to `reach`.
NearSurface surface_near(const Posed& one, const Vec3& place, double reach) {
  const auto& [pose, velocity, angular_velocity] = one.motion;
  const Vec3 local = pose.orientation.conjugate() * (place - pose.position);
  SurfaceQuery found = query(one.collider.shape, local, reach);
  if (found.distance <= -reach) found = query(one.collider.shape, local);
  if (one.collider.two_sided && found.distance < 0) found = {-found.distance, -found.normal};
  const Vec3 normal = pose.orientation * found.normal;
  return {found.distance, normal, velocity + angular_velocity.cross(place - found.distance * normal - pose.position)};
}

/// Returns the radius of a sphere that contains the shape, centred in `box`, which must be bounds(shape). The result is
/// infinite for planes and for shapes that are solid around a cavity.
double radius_of_ball(const Shape& shape, const Box3& box) {
  return box.sizes().allFinite() && hole_of(shape) == nullptr ? 0.5 * box.diagonal().norm() * (1 + 1e-9) : infinite;
}

/// Replaces entries of `out` by this collider's surface if it is nearer. `around` must contain all positions; it is
/// used to skip distant colliders.
void take_nearer(const Posed& one, std::span<const Vec3> position, const Box3& around, double reach_m,
                 std::span<NearSurface> out) {
  const Box3 box = bounds(one.collider.shape);
  const double radius = radius_of_ball(one.collider.shape, box);
  const Vec3 center =
      radius < infinite ? Vec3(one.motion.pose.orientation * box.center() + one.motion.pose.position) : Vec3::Zero();
  if (radius < infinite && around.exteriorDistance(center) > radius + reach_m) return;
  for (std::size_t i = 0; i < position.size(); ++i) {
    const double reach = out[i].distance_m > 0 ? std::min(out[i].distance_m, reach_m) : reach_m;
    if (!position[i].allFinite() || (position[i] - center).squaredNorm() > (radius + reach) * (radius + reach))
      continue;
    const NearSurface found = surface_near(one, position[i], reach);
    if (found.distance_m < out[i].distance_m) out[i] = found;
  }
}

}  // namespace

void FieldObstacles::nearest(std::span<const Vec3> position, double time, double reach_m,
                             std::span<NearSurface> out) const {
  std::fill(out.begin(), out.end(), NearSurface{.distance_m = reach_m});
  Box3 around;
  for (const Vec3& place : position)
    if (place.allFinite()) around.extend(place);
  if (around.isEmpty()) return;
  for (std::size_t i = 0; i < colliders_->size(); ++i)
    take_nearer({colliders_->as_declared()[i], colliders_->motion(i, time)}, position, around, reach_m, out);
}

}  // namespace vw
