// A round drop in two dimensions (a slab, periodic along z) drawn to the middle by -Omega^2 x, that starts as u = sigma x, v = -sigma y: it stays an
// ellipse and swings (Monaghan & Rafiee 2013). With R = 1, sigma = 0.5, Omega = 1 its period is 4.567, from
// sigma' = (sigma^2 + Omega^2) (b^2 - a^2) / (a^2 + b^2), a' = sigma a, b' = -sigma b.
#include <gtest/gtest.h>

#include "tests/fluid/force_patch.h"
#include "tests/support/validation.h"

namespace vw::test {
namespace {

ForcePatch drop(int rows_a_radius) {
  ForcePatch patch;
  const double d = patch.spacing = 1.0 / rows_a_radius;
  patch.domain = {Box3(Vec3(-3, -3, 0), Vec3(3, 3, 4 * d)), {false, false, true}};
  patch.fill(Box3(Vec3(-1, -1, 0), Vec3(1, 1, 4 * d)), [](const Vec3& x) { return std::hypot(x.x(), x.y()) < 1; });
  for (std::size_t i = 0; i < patch.x.size(); ++i) patch.v[i] = Vec3(0.5 * patch.x[i].x(), -0.5 * patch.x[i].y(), 0);
  patch.field = [](const Vec3& x) { return Vec3(-x.x(), -x.y(), 0); };
  return patch;
}

double strain(const ForcePatch& patch) {
  double sum = 0, whole = 0;
  for (std::size_t i = 0; i < patch.x.size(); ++i) {
    const Vec3 &x = patch.x[i], &v = patch.v[i];
    sum += x.x() * v.x() - x.y() * v.y(), whole += x.x() * x.x() + x.y() * x.y();
  }
  return sum / whole;
}

TEST(CentralForce, ADropIsRoundAgainAfterAQuarterOfItsPeriod) {
  ForcePatch patch = drop(10);
  const double dt = 0.02;
  double t = 0;
  while (strain(patch) > 0 && t < 3) {
    patch.step(dt);
    t += dt;
  }
  // Ten rows a radius: a tenth of the quarter.
  EXPECT_NEAR(t, 4.567 / 4, 0.12);
}

TEST(CentralForceValidation, AnEllipticDropSwingsAtItsPeriod) {
  ForcePatch patch = drop(20);
  const double dt = 0.02;
  std::vector<double> turns;  // when the strain changes its sign
  double last = strain(patch), greatest = 0;
  for (double t = 0; turns.size() < 3 && t < 12; t += dt) {
    patch.step(dt);
    const double now = strain(patch);
    if (now * last < 0) turns.push_back(t + dt * last / (last - now));
    if (turns.size() >= 1) greatest = std::max(greatest, std::abs(now));
    last = now;
  }
  ASSERT_EQ(turns.size(), 3U);
  expect_case("fluid", "elliptic drop in a central force, 20 rows a radius, period", turns[2] - turns[0], 4.567, 0.03, "s");
  // How much of the swing is left after half a period: no bound is asked for, 15 % is what a solver without much damping keeps to.
  expect_case("fluid", "elliptic drop in a central force, strain rate when it is round again", greatest, 0.5, 0.15, "1/s");
}

}  // namespace
}  // namespace vw::test
