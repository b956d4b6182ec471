// Results are bitwise identical for any number of threads.
#include <gtest/gtest.h>

#include "sim/base/parallel/parallel.h"
#include "tests/support/fluid_tank.h"

namespace vw {
namespace {

using test::FluidTank;
using test::TankSetup;

/// Returns the positions and velocities after some steps. The fluid is larger than one chunk of every parallel loop.
std::vector<Vec3> after_steps(int threads, bool weakly) {
  set_thread_count(threads);
  TankSetup setup;
  setup.weakly = weakly;
  setup.cells = {40, 30, 16};
  FluidTank tank(setup);
  tank.fill({0, 0, 0}, {20, 20, 16});
  tank.fill({24, 10, 2}, {32, 18, 14}, Vec3(0, -3, 0), 300);
  for (int i = 0; i < 12; ++i) tank.step();
  set_thread_count(0);
  std::vector<Vec3> out = tank.x;
  out.insert(out.end(), tank.v.begin(), tank.v.end());
  return out;
}

TEST(SphDeterminism, AnyNumberOfThreadsGivesTheSameBits) {
  for (const bool weakly : {false, true}) {
    const std::vector<Vec3> one = after_steps(1, weakly);
    for (const int threads : {2, 3, 8}) EXPECT_TRUE(one == after_steps(threads, weakly)) << threads << " threads";
  }
}

}  // namespace
}  // namespace vw
