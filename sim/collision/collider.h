// Obstacles: shapes with a pose, a velocity and a surface. Every system meets the same colliders through the same queries.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/base/node.h"
#include "sim/collision/shape.h"

namespace vw {

/// What friction does to the tangential velocity of a contact (SPEC 2).
enum class FrictionLaw { dry, wet, wet_linear, frictionless };

/// Friction and restitution of a surface; pairs combine by `combine`.
struct SurfaceMaterial {
  double restitution = 0.5;  ///< e in [0, 1]
  double mu_static = 0.6;
  double mu_dynamic = 0.5;
  FrictionLaw friction = FrictionLaw::dry;
  double wetness = 0;    ///< D of the wet laws [s/m]
  bool decides = false;  ///< its own values hold for every pair with a surface that does not decide, instead of the means
};
/// Geometric mean of friction, the larger restitution (SPEC 2), unless one side decides. A frictionless side makes a frictionless pair; a wet side
/// makes a wet one, with the geometric mean of D where both are wet.
[[nodiscard]] SurfaceMaterial combine(const SurfaceMaterial& a, const SurfaceMaterial& b);

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
  [[nodiscard]] Vec3 velocity_at(const Vec3& point) const { return velocity + angular_velocity.cross(point - position); }
};

/// Exact signed distance and normal of the nearest surface point (see Geometry::query for `reach`).
[[nodiscard]] SurfaceQuery query(const Collider& collider, const Vec3& point, double reach = std::numeric_limits<double>::infinity());

/// First touch of a ball that goes from `from` to `to` while the collider goes from pose `start` to pose `end` (else alike): the path is taken as
/// straight in the collider's own frame. Share of the way and the normal as it stands in `end`.
[[nodiscard]] std::optional<SweepHit> sweep(const Collider& start, const Collider& end, const Vec3& from, const Vec3& to, double radius);

/// The collider with its pose moved on by its constant velocity and angular velocity for `time` seconds.
[[nodiscard]] Collider at_time(const Collider& collider, double time);

/// All collider kinds as schemas (plane, sphere, box), ordered by name, and the collider that a node describes.
[[nodiscard]] std::span<const Schema* const> collider_schemas();
[[nodiscard]] Result<Collider> make_collider(const Node& self);

/// The friction cone, the only one (SPEC 2): the share of a tangential velocity, impulse or force of size `tangential` that friction takes away
/// against the normal one of size `normal` in the same unit: 1 = sticks (within mu_static normal), else mu_dynamic normal / tangential.
[[nodiscard]] double friction_factor(double tangential, double normal, double mu_static, double mu_dynamic);

/// Response of a relative velocity at a contact with unit normal n (SPEC 2): one friction cone for everything that touches.
/// Impulse form: returns the new relative velocity for v with v.n < 0: normal -e v_n, tangential dry Coulomb (stick within mu_static |dv_n|, else
/// mu_dynamic).
[[nodiscard]] Vec3 collide(const Vec3& v, const Vec3& n, double restitution, double mu_static, double mu_dynamic);

}  // namespace vw
