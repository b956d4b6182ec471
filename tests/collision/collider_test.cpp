// Distances of shapes, moving colliders, the friction cone, and the response at a contact.
#include <cmath>

#include <gtest/gtest.h>

#include "sim/base/random.h"
#include "sim/collision/collider.h"

namespace vw {
namespace {

Collider make(const char* kind, const std::vector<std::pair<const char*, Value>>& values) {
  for (const Schema* schema : collider_schemas()) {
    if (schema->kind != kind) continue;
    Node node = make_node(*schema, kind);
    for (const auto& [key, value] : values) EXPECT_TRUE(set_parameter(node, key, value)) << key;
    return *make_collider(node);
  }
  ADD_FAILURE() << kind;
  return {};
}

Vec3 collider_point(std::uint64_t i) {
  const RandomKey key{5, 6};
  return 2 * Vec3(random_uniform(key, i, 0) - 0.5, random_uniform(key, i, 1) - 0.5, random_uniform(key, i, 2) - 0.5);
}

TEST(Collider, DistanceAndNormalLeadToTheSurface) {
  const Collider shapes[] = {
      make("plane", {{"position", Value(Vec3(0, 0.1, 0))}, {"rotation", Value(Vec3(0.3, 0.1, -0.2))}}),
      make("sphere", {{"position", Value(Vec3(0.1, 0, 0.2))}, {"radius", Value(0.4)}}),
      make("box", {{"position", Value(Vec3(0.1, 0.2, 0))},
                   {"rotation", Value(Vec3(0.2, 0.7, 0.1))},
                   {"size", Value(Vec3(0.6, 0.4, 0.8))}}),
  };
  for (const Collider& shape : shapes)
    for (std::uint64_t i = 0; i < 2000; ++i) {
      const Vec3 x = collider_point(i);
      const SurfaceQuery at = query(shape, x);
      ASSERT_NEAR(at.normal.norm(), 1, 1e-12);
      // From any point inside or outside, a displacement by the distance against the normal must lead to the surface.
      ASSERT_NEAR(query(shape, x - at.distance * at.normal).distance, 0, 1e-12) << shape.name << " " << x.transpose();
    }
}

TEST(Collider, MovesWithItsVelocity) {
  Collider box = make("box", {{"velocity", Value(Vec3(1, 0, 0))}, {"angular_velocity", Value(Vec3(0, pi, 0))}});
  const Collider later = at_time(box, 0.5);
  EXPECT_LT((later.position - Vec3(0.5, 0, 0)).norm(), 1e-15);
  EXPECT_LT((later.orientation * Vec3(1, 0, 0) - Vec3(0, 0, -1)).norm(), 1e-12);  // a quarter turn about +y
  EXPECT_LT((later.velocity_at(later.position + Vec3(1, 0, 0)) - Vec3(1, 0, -pi)).norm(), 1e-12);
}

TEST(Response, SticksWithinTheStaticConeAndNeverReversesTheSliding) {
  EXPECT_EQ(collide(Vec3(0.5, -1, 0), Vec3(0, 1, 0), 0, 0.6, 0.1).x(), 0);
  for (std::uint64_t i = 0; i < 10000; ++i) {
    const Vec3 v = 5 * collider_point(i), n = random_direction({1, 2}, i);
    const double e = random_uniform({3, 4}, i, 0), mu = 2 * random_uniform({3, 4}, i, 1);
    const Vec3 out = collide(v, n, e, mu, 0.7 * mu);
    ASSERT_LE(out.squaredNorm(), v.squaredNorm() * (1 + 1e-12));  // for restitution e <= 1, no contact adds energy
    const Vec3 before = v - v.dot(n) * n, after = out - out.dot(n) * n;
    ASSERT_GE(before.dot(after), -1e-12);
    if (v.dot(n) >= 0) {
      ASSERT_EQ(out, v);
    }
  }
}

TEST(Response, PairsTakeTheGeometricMeanOfFrictionAndTheLargerRestitution) {
  const SurfaceMaterial pair = combine({0.2, 0.4, 0.9}, {0.5, 0.9, 0.4});
  EXPECT_EQ(pair.restitution, 0.5);
  EXPECT_NEAR(pair.mu_static, 0.6, 1e-15);
  EXPECT_NEAR(pair.mu_dynamic, 0.6, 1e-15);
}

}  // namespace
}  // namespace vw
