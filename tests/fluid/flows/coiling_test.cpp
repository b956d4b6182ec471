// A thread of honey that falls on a plate buckles and coils (Ribe, Habibi & Bonn 2012, "Liquid rope coiling"). A thread
// of water falls straight down. Both tests use the packaged scene "honey".
#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/scene/scene.h"
#include "tests/fluid/fluid_world.h"
#include "tests/support/packaged.h"

namespace vw {
namespace {

using namespace test;

struct Thread {
  /// Mean horizontal distance [m] between the centre of the thread, 35 mm above the plate, and the axis of the fall.
  double aside_m = 0;
  double turns = 0;  ///< net number of turns of the thread about the axis of the fall
  /// Final height [m] of the pile: the greatest height at which a horizontal layer contains at least twice as many
  /// particles as a layer of the thread.
  double pile_m = 0;
  int looks = 0;  ///< number of steps in which the thread was present
};

/// Runs the scene and measures the thread from `from_s` until `until_s`.
Thread fall(double viscosity_pas, double from_s, double until_s) {
  Node scene = packaged_scene("honey");
  set(scene, "system.honey.phase.honey.viscosity", viscosity_pas);
  const auto world = world_of(std::move(scene));
  const std::vector<Vec3>& places = world->find_system("honey")->elements().position;
  const auto middle_at = [&](double height_m) {
    Vec3 sum = Vec3::Zero();
    double rows = 0;
    for (const Vec3& x : places)
      if (std::abs(x.y() - height_m) < 0.004) sum += x, rows += 1;
    return std::pair(Vec3(sum / std::max(1.0, rows)), rows);
  };
  run_until(*world, from_s);
  Thread thread;
  double last = 0;
  while (world->time() < until_s && world->step()) {
    const auto [middle, rows] = middle_at(0.035);
    if (rows == 0) continue;
    const double angle = std::atan2(middle.z(), middle.x());
    if (thread.looks > 0) thread.turns += std::remainder(angle - last, 2 * std::numbers::pi) / (2 * std::numbers::pi);
    last = angle;
    thread.aside_m += std::hypot(middle.x(), middle.z());
    ++thread.looks;
  }
  thread.aside_m /= std::max(1, thread.looks);
  while (middle_at(thread.pile_m + 0.004).second > 100) thread.pile_m += 0.001;
  return thread;
}

TEST(FluidCoiling, HoneyBucklesAndCoilsAndPilesUp) {
  const Thread honey = fall(50, 0.9, 1.6);  // the thread begins to buckle at 0.8 s
  EXPECT_GT(honey.looks, 80);
  EXPECT_GT(honey.aside_m, 0.003);  // half the radius of the spoon
  // The net number of turns is large only if the thread always coils in the same direction.
  EXPECT_GT(std::abs(honey.turns), 2);
  EXPECT_GT(honey.pile_m, 0.02);  // eight particle spacings
}

TEST(FluidCoiling, WaterFallsStraightAndRunsOff) {
  const Thread water = fall(1e-3, 0.4, 0.7);
  EXPECT_GT(water.looks, 20);
  EXPECT_LT(water.aside_m, 0.0005);
  EXPECT_LT(water.pile_m, 0.01);
}

}  // namespace
}  // namespace vw
