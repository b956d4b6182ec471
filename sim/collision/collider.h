// Colliders (obstacles): shapes with a pose, a velocity and a surface material. All systems test contacts with the same
// colliders, through the functions of this file.
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
  /// Whether the surface is a two-sided sheet instead of the boundary of a solid. Distances to a sheet are never
  /// negative. The normal of a sheet points towards the query point.
  bool two_sided = false;
  Vec3 color{0.5, 0.5, 0.5};  ///< Linear RGB, used only for drawing.
  double opacity = 1;         ///< Opacity in [0, 1], used only for drawing.
  [[nodiscard]] Vec3 velocity_at(const Vec3& point) const {
    return velocity + angular_velocity.cross(point - position);
  }
};

/// Returns the signed distance and normal of the nearest surface point. Both are exact if the distance is at most
/// `reach` (see Geometry::query).
[[nodiscard]] SurfaceQuery query(const Collider& collider, const Vec3& point,
                                 double reach = std::numeric_limits<double>::infinity());

/// Returns the signed distance and normal for a contact test. Inside the collider, the distance is always exact.
/// Outside, it is exact up to `reach`; beyond, it is only a lower bound.
[[nodiscard]] SurfaceQuery query_near(const Collider& collider, const Vec3& point, double reach);
/// Returns whether a point is inside the collider or at most `distance` outside. Also returns true if the point is not
/// finite. The test is fast for distant points.
[[nodiscard]] bool comes_within(const Collider& collider, const Vec3& point, double distance);

/// Returns the first contact of a ball that moves from `from` to `to`, while the collider moves from the pose of
/// `start` to the pose of `end` (equal poses if the collider is at rest). The ball's path is assumed to be straight in
/// the frame of the collider. The result contains the fraction of the path, and the normal in the pose of `end`.
[[nodiscard]] std::optional<SweepHit> sweep(const Collider& start, const Collider& end, const Vec3& from,
                                            const Vec3& to, double radius);

/// Returns the collider after it has moved for `time` seconds with its constant velocity and angular velocity.
[[nodiscard]] Collider at_time(const Collider& collider, double time);

/// Returns the shape to draw. This is the collider's own shape, except for a transparent inverted shape (hollow.h). The
/// triangles of an opaque inverted shape face into its hole, so that only the far side of the hole is drawn and an
/// observer can see the inside. For a transparent inverted shape, the result is the shape of the hole, so that the near
/// side is visible as well.
[[nodiscard]] const Shape& drawn_shape(const Collider& collider);

/// Returns the schemas of all collider kinds, ordered by name.
[[nodiscard]] std::span<const Schema* const> collider_schemas();
/// Creates the collider that a node describes, in its initial pose. collider_kinds.h declares the functions for its
/// motion, and an overload that reuses files already read.
[[nodiscard]] Result<Collider> make_collider(const Node& self);

}  // namespace vw
