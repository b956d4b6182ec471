// Obstacles: shapes with a pose, a velocity and a surface. Every system meets the same colliders through the same queries.
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
  Vec3 velocity = Vec3::Zero();          ///< of its origin [m/s]
  Vec3 angular_velocity = Vec3::Zero();  ///< [rad/s]
  SurfaceMaterial surface;
  /// A sheet that is met from both sides, instead of a solid: distances are never negative, normals point to the side that asks.
  bool two_sided = false;
  Vec3 color{0.5, 0.5, 0.5};  ///< linear RGB, for the picture only
  double opacity = 1;         ///< for the picture only
  [[nodiscard]] Vec3 velocity_at(const Vec3& point) const { return velocity + angular_velocity.cross(point - position); }
};

/// Exact signed distance and normal of the nearest surface point (see Geometry::query for `reach`).
[[nodiscard]] SurfaceQuery query(const Collider& collider, const Vec3& point, double reach = std::numeric_limits<double>::infinity());

/// Exact at any depth inside, and outside up to `reach`; beyond that only farther than `reach`. For whoever asks about touches.
[[nodiscard]] SurfaceQuery query_near(const Collider& collider, const Vec3& point, double reach);
/// Whether a point is inside or at most `distance` outside; also where it is not finite. Far points are cheap.
[[nodiscard]] bool comes_within(const Collider& collider, const Vec3& point, double distance);

/// First touch of a ball that goes from `from` to `to` while the collider goes from pose `start` to pose `end` (else alike): the path is taken as
/// straight in the collider's own frame. Share of the way and the normal as it stands in `end`.
[[nodiscard]] std::optional<SweepHit> sweep(const Collider& start, const Collider& end, const Vec3& from, const Vec3& to, double radius);

/// The collider with its pose moved on by its constant velocity and angular velocity for `time` seconds.
[[nodiscard]] Collider at_time(const Collider& collider, double time);

/// What is drawn of it: its shape, or the hole in it where it is glass, whose nearer side has to be seen.
[[nodiscard]] const Shape& drawn_shape(const Collider& collider);

/// All collider kinds as schemas, ordered by name, and the collider that a node describes: where it is at the start (see collider_kinds.h for how it
/// moves, and for not reading files again).
[[nodiscard]] std::span<const Schema* const> collider_schemas();
[[nodiscard]] Result<Collider> make_collider(const Node& self);

}  // namespace vw
