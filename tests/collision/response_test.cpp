// The impulse, force and spring forms of the friction laws, and the response at a contact.
#include <cmath>

#include <gtest/gtest.h>

#include "sim/base/random.h"
#include "sim/collision/contact/response.h"
#include "tests/support/validation.h"

namespace vw::test {
namespace {

constexpr auto friction_laws = std::to_array<FrictionLaw>(
    {FrictionLaw::dry, FrictionLaw::wet, FrictionLaw::wet_linear, FrictionLaw::frictionless});
SurfaceMaterial surface(FrictionLaw law, double e, double mu, double wetness) {
  return {e, mu, 0.8 * mu, law, wetness};
}

TEST(Response, ImpactsAreThoseOfTheNotes) {
  const Vec3 v(3, -4, 0), n(0, 1, 0);
  const Vec3 dry = collide(v, n, {0.5, 0.2, 0.2});
  expect_case("collision", "dry impact (3,-4), e = 0.5, mu = 0.2: v_x", dry.x(), 1.8, 1e-12);
  expect_case("collision", "dry impact (3,-4), e = 0.5, mu = 0.2: v_y", dry.y(), 2.0, 1e-12);
  const Vec3 wet = collide(v, n, {0.5, 0.2, 0.2, FrictionLaw::wet, 0.1});
  expect_case("collision", "wet impact (3,-4), e = 0.5, D = 0.1: v_T", wet.x(), 3 * std::exp(-0.6), 1e-12);
  EXPECT_NEAR(wet.y(), 2, 1e-12);
  EXPECT_NEAR(collide(v, n, {0.5, 0.2, 0.2, FrictionLaw::wet_linear, 0.1}).x(), 3 * 0.4, 1e-12);
  // At a wetness of 1, the linear law would reverse the sliding speed. The speed is set to zero instead.
  EXPECT_EQ(collide(v, n, {0.5, 0.2, 0.2, FrictionLaw::wet_linear, 1}).x(), 0);
  EXPECT_EQ(collide(v, n, {0.5, 0.2, 0.2, FrictionLaw::frictionless}).x(), 3);
}

TEST(Response, NoLawTurnsTheSlidingRoundOrGivesEnergy) {
  std::uint64_t turned = 0;
  for (std::uint64_t i = 0; i < 40000; ++i) {
    const Vec3 v = 8 * random_uniform({1, 9}, i) * random_direction({1, 1}, i), n = random_direction({1, 2}, i);
    const SurfaceMaterial pair = surface(friction_laws[i % 4], random_uniform({3, 4}, i, 0),
                                         2 * random_uniform({3, 4}, i, 1), 5 * random_uniform({3, 4}, i, 2));
    const Vec3 out = collide(v, n, pair);
    ASSERT_LE(out.squaredNorm(), v.squaredNorm() * (1 + 1e-12));
    const Vec3 before = v - v.dot(n) * n, after = out - out.dot(n) * n;
    turned += before.dot(after) < -1e-12 ? 1 : 0;
    if (v.dot(n) >= 0) {
      ASSERT_EQ(out, v);
    }
  }
  expect_case("collision", "of 40000 random impacts under all laws, those that turn the sliding round",
              static_cast<double>(turned), 0, 0);
}

TEST(Response, PairsThatAreNotDryHaveNoDryFriction) {
  const SurfaceMaterial dry = surface(FrictionLaw::dry, 0.2, 0.5, 7), wet = surface(FrictionLaw::wet, 0.5, 0.9, 4);
  EXPECT_EQ(combine(dry, wet).mu_static, 0);
  EXPECT_EQ(combine(dry, wet).wetness, 4);
  EXPECT_EQ(combine(dry, dry).wetness, 0);
  const SurfaceMaterial both = combine(wet, surface(FrictionLaw::wet_linear, 0, 0, 9));
  EXPECT_EQ(both.friction, FrictionLaw::wet);
  EXPECT_NEAR(both.wetness, 6, 1e-12);
  EXPECT_EQ(combine(surface(FrictionLaw::frictionless, 0, 1, 0), wet).friction, FrictionLaw::frictionless);
  SurfaceMaterial decides = dry;
  decides.decides = true;
  EXPECT_EQ(combine(decides, wet).mu_static, dry.mu_static);
  EXPECT_EQ(combine(decides, wet).restitution, dry.restitution);
}

TEST(Response, ForcesAreTheRatesOfTheImpulses) {
  // For a small impulse over a short time, the removed fraction of the velocity, times mass over time, must equal the
  // force.
  const double mass = 2, dt = 1e-6, normal_n = 30, speed = 5;
  for (const FrictionLaw law : friction_laws) {
    const SurfaceMaterial pair = combine(surface(law, 0, 0.5, 0.3), surface(law, 0, 0.5, 0.3));
    const double share = friction_share(pair, mass * speed / dt, normal_n, dt / mass);
    EXPECT_NEAR(share * mass * speed / dt, sliding_friction(pair, normal_n, speed), 1e-4 * (1 + normal_n));
  }
  const SurfaceMaterial dry = surface(FrictionLaw::dry, 0, 0.5, 0);
  EXPECT_EQ(holding_friction(dry, 10), 5);
  EXPECT_EQ(holding_friction(surface(FrictionLaw::wet, 0, 0.5, 1), 10), 0);
}

TEST(Response, TheSpringOfImplicitStepsStaysOnTheCone) {
  const SurfaceMaterial dry = surface(FrictionLaw::dry, 0, 0.5, 0);
  EXPECT_EQ(friction_spring(dry, 10, 1e-4, 1e4, true, 0.01), 1e4);  // sticks: the force is 1 N and the limit is 5 N
  EXPECT_NEAR(friction_spring(dry, 10, 1e-2, 1e4, true, 0.01) * 1e-2, 4, 1e-12);  // slides: the force is mu_d F_n
  EXPECT_EQ(friction_spring(dry, 10, 4.5e-4, 1e4, false, 0.01), 0.4 * 10 / 4.5e-4);
  const SurfaceMaterial wet = combine(surface(FrictionLaw::wet, 0, 0, 2), surface(FrictionLaw::wet, 0, 0, 2));
  // The force is D F_n v (D: wetness, F_n: normal force, v: velocity).
  EXPECT_NEAR(friction_spring(wet, 10, 1e-3, 1e9, false, 0.01) * 1e-3, 2 * 10 * (1e-3 / 0.01), 1e-12);
  EXPECT_EQ(friction_spring(surface(FrictionLaw::frictionless, 0, 1, 1), 10, 1, 1e4, true, 0.01), 0);
}

}  // namespace
}  // namespace vw::test
