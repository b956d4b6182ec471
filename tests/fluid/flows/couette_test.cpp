// Friction and adhesion of walls: Couette flow between a fixed and a moving wall, slip at walls, and drops below a
// ceiling.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/fluid/force_patch.h"
#include "tests/support/validation.h"

namespace vw::test {
namespace {

/// Returns a channel whose upper wall moves at 1 m/s.
ForcePatch sheared(int layers, double viscosity, double friction) { return channel(layers, viscosity, friction, 1); }

void run_patch(ForcePatch& patch, double until_s) {
  const double dt = 0.3 * patch.spacing;
  for (double t = 0; t < until_s; t += dt) patch.step(dt);
}

/// Returns the largest difference between the velocity profile and the linear solution u = y (y: height above the fixed
/// wall).
double worst_of(const ForcePatch& patch) {
  double worst = 0;
  for (std::size_t i = 0; i < patch.x.size(); ++i)
    worst = std::max(worst, (patch.v[i] - Vec3(patch.x[i].y(), 0, 0)).norm());
  return worst;
}

TEST(Couette, AMovingWallDragsTheFluidInAStraightProfile) {
  // The deviation from the linear profile decays as exp(-pi^2 nu t). At the end of the run, 0.3 % of it remains.
  ForcePatch patch = sheared(12, 0.2, 1);
  run_patch(patch, 3);
  expect_case("fluid", "Couette, 12 layers, worst speed over the wall's", worst_of(patch), 0, 0.1);
}

TEST(Couette, AWallWithoutFrictionDragsNobody) {
  ForcePatch patch = sheared(10, 0.2, 0);
  run_patch(patch, 1);
  double along = 0;
  for (const Vec3& v : patch.v) along = std::max(along, std::abs(v.x()));
  EXPECT_LT(along, 1e-3);
}

TEST(Couette, HalfTheFrictionDragsLess) {
  const auto flux = [](double friction) {
    ForcePatch patch = sheared(10, 0.2, friction);
    run_patch(patch, 0.3);
    double sum = 0;
    for (const Vec3& v : patch.v) sum += v.x() / static_cast<double>(patch.v.size());
    return sum;
  };
  const double none = flux(0), half = flux(0.5), all = flux(1);
  EXPECT_GT(half, none + 0.05);
  EXPECT_GT(all, half + 0.01);
}

/// Returns the distance [spacings] between a ceiling at y = 0 and the highest particle of a drop, 0.7 s after the drop
/// starts at the ceiling.
double fallen(double adhesion) {
  ForcePatch patch;
  patch.spacing = 0.01;
  const double d = patch.spacing;
  patch.domain = {Box3(Vec3::Constant(-1), Vec3::Constant(1)), {false, false, false}};
  patch.phases[0] = {.viscosity_pas = 0.5, .tension_npm = 1};
  patch.settings.wall_adhesion = adhesion;
  // Each layer of particles weighs 5 N/m^2. The surface tension is 1 N/m, and the drop is some centimetres wide.
  patch.gravity = Vec3(0, -0.5, 0);
  patch.fill(Box3(Vec3(-4 * d, -4 * d, -4 * d), Vec3(4 * d, 0, 4 * d)), [](const Vec3&) { return true; });
  for (int i = -10; i < 10; ++i)
    for (int k = -10; k < 10; ++k)
      for (const double height : {0.5 * d, 1.5 * d}) patch.wall_place.push_back({(i + 0.5) * d, height, (k + 0.5) * d});
  for (double t = 0; t < 0.7; t += 0.002) patch.step(0.002);
  double highest = -1;
  for (const Vec3& x : patch.x) highest = std::max(highest, x.y());
  return -highest / d;
}

TEST(Adhesion, HoldsADropUnderACeiling) {
  EXPECT_LT(fallen(1), 1);  // the drop still touches the ceiling
  EXPECT_GT(fallen(0), 4);  // in free fall, the drop would move by g t^2 / 2 = 12 spacings
}

}  // namespace
}  // namespace vw::test
