// Obstacles: shapes with a pose, a velocity and a surface material. All systems use the same colliders through the same
// queries.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/base/data/node.h"
#include "sim/collision/contact/response.h"
#include "sim/collision/shape/shape.h"

namespace vw {

struct Collider {
  std::string name;
  Shape shape;
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();
  Vec3 velocity = Vec3::Zero();          ///< Velocity of the origin [m/s].
  Vec3 angular_velocity = Vec3::Zero();  ///< Angular velocity [rad/s].
  SurfaceMaterial surface;
  /// Whether the surface is a sheet with two sides instead of the boundary of a solid. The distances of a sheet are
  /// never negative, and its normals point to the side of the query point.
  bool two_sided = false;
  Vec3 color{0.5, 0.5, 0.5};  ///< Linear RGB, used only for drawing.
  double opacity = 1;         ///< Opacity in [0, 1], used only for drawing.
  [[nodiscard]] Vec3 velocity_at(const Vec3& point) const {
    return velocity + angular_velocity.cross(point - position);
  }
};

/// Signed distance and normal of the nearest surface point. The distance and the normal are exact if the distance is at
/// most `reach` (see Geometry::query).
[[nodiscard]] SurfaceQuery query(const Collider& collider, const Vec3& point,
                                 double reach = std::numeric_limits<double>::infinity());

/// Signed distance and normal for a contact test. The distance is exact everywhere inside, and outside up to `reach`.
/// Beyond `reach` it is only a lower bound.
[[nodiscard]] SurfaceQuery query_near(const Collider& collider, const Vec3& point, double reach);
/// Whether a point is inside the collider or at most `distance` outside. Returns true for points that are not finite.
/// The cost for distant points is low.
[[nodiscard]] bool comes_within(const Collider& collider, const Vec3& point, double distance);

/// First contact of a ball that moves from `from` to `to` while the collider moves from the pose of `start` to the pose
/// of `end`. For a collider at rest, `start` and `end` are equal. The path is assumed to be straight in the collider's
/// frame. The result contains the fraction of the path and the normal in the pose of `end`.
[[nodiscard]] std::optional<SweepHit> sweep(const Collider& start, const Collider& end, const Vec3& from,
                                            const Vec3& to, double radius);

/// Collider after it has moved for `time` seconds with its constant velocity and angular velocity.
[[nodiscard]] Collider at_time(const Collider& collider, double time);

/// Shape to draw. An inverted shape (solid around a hole, hollow.h) shows only the far side of the hole, so that an
/// observer can look into it. If the collider is transparent, the shape of the hole is drawn instead, so that the near
/// side of the hole is visible as well.
[[nodiscard]] const Shape& drawn_shape(const Collider& collider);

/// Schemas of all collider kinds, ordered by name.
[[nodiscard]] std::span<const Schema* const> collider_schemas();
/// Creates the collider that a node describes, in its start pose. collider_kinds.h declares the functions for motion,
/// and an overload that reuses files that were already read.
[[nodiscard]] Result<Collider> make_collider(const Node& self);

}  // namespace vw
