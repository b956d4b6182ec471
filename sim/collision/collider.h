// Obstacles: shapes with a pose, a velocity and a surface material. All systems use the same colliders through the same
// queries.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/base/node.h"
#include "sim/collision/contact/response.h"
#include "sim/collision/shape/shape.h"

namespace vw {

struct Collider {
  std::string name;
  Shape shape;
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();
  Vec3 velocity = Vec3::Zero();          ///< Velocity of the origin [m/s].
  Vec3 angular_velocity = Vec3::Zero();  ///< [rad/s]
  SurfaceMaterial surface;
  /// A sheet with two sides instead of a solid: distances are never negative, and normals point to the side of the
  /// query point.
  bool two_sided = false;
  Vec3 color{0.5, 0.5, 0.5};  ///< Linear RGB, only for drawing.
  double opacity = 1;         ///< Only for drawing.
  [[nodiscard]] Vec3 velocity_at(const Vec3& point) const {
    return velocity + angular_velocity.cross(point - position);
  }
};

/// Exact signed distance and normal of the nearest surface point (see Geometry::query for `reach`).
[[nodiscard]] SurfaceQuery query(const Collider& collider, const Vec3& point,
                                 double reach = std::numeric_limits<double>::infinity());

/// Contact query: exact at any depth inside, and outside up to `reach`. Beyond `reach` the distance is only a lower
/// bound.
[[nodiscard]] SurfaceQuery query_near(const Collider& collider, const Vec3& point, double reach);
/// Whether a point is inside or at most `distance` outside. True for points that are not finite. Distant points are
/// cheap.
[[nodiscard]] bool comes_within(const Collider& collider, const Vec3& point, double distance);

/// First contact of a ball that moves from `from` to `to` while the collider moves from the pose of `start` to that of
/// `end` (otherwise both are equal). The path is taken as straight in the collider's frame. The result has the fraction
/// of the path, and the normal in the pose of `end`.
[[nodiscard]] std::optional<SweepHit> sweep(const Collider& start, const Collider& end, const Vec3& from,
                                            const Vec3& to, double radius);

/// The collider, moved on by its constant velocity and angular velocity for `time` seconds.
[[nodiscard]] Collider at_time(const Collider& collider, double time);

/// Shape to draw. For a transparent collider that is solid around a hole, the hole, whose near side must be visible.
[[nodiscard]] const Shape& drawn_shape(const Collider& collider);

/// Schemas of all collider kinds, ordered by name; and the collider that a node describes, at its start pose. See
/// collider_kinds.h for motion, and for reuse of files that were already read.
[[nodiscard]] std::span<const Schema* const> collider_schemas();
[[nodiscard]] Result<Collider> make_collider(const Node& self);

}  // namespace vw
