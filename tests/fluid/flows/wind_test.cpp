// Wind on a fluid: friction along the surface, pressure on faces of the surface, and drag on spray.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/base/parallel/parallel.h"
#include "sim/field/drag/sphere_drag.h"
#include "tests/fluid/fluid_world.h"
#include "tests/support/validation.h"

namespace vw::test {
namespace {

constexpr double rho_air = 1.2;

std::string wind_text(const Vec3& velocity) {
  return "[[field]]\nkind = \"uniform\"\nname = \"wind\"\nvelocity = " + to_text(Value(velocity)) + "\n";
}

/// Returns a layer of water on a plane in wind, periodic in x and z.
std::string slab_text(const std::string& fluid, const Vec3& size, double spacing, const Vec3& wind) {
  const std::string domain = "periodic = \"xz\"\nspacing = " + to_text(Value(spacing)) +
                             "\ndomain_size = " + to_text(Value(Vec3(size.x(), 8 * size.y(), size.z()))) + "\n";
  return water_text(domain + fluid, fill_text("box", "layer",
                                              "position = " + to_text(Value(Vec3(0, 0.5 * size.y(), 0))) +
                                                  "\nsize = " + to_text(Value(size))) +
                                        "[[collider]]\nkind = \"plane\"\nname = \"floor\"\n" + wind_text(wind));
}

Vec3 wind_force(World& world) {
  return {total_of(world, "wind_x"), total_of(world, "wind_y"), total_of(world, "wind_z")};
}

/// Returns a block or ball of water that floats freely in wind.
std::string afloat_text(const std::string& kind, const std::string& values, const std::string& fluid,
                        const Vec3& wind) {
  return "format = 1\n[world]\ndt = 0.001\ngravity = [0, 0, 0]\n[[system]]\nkind = \"fluid\"\nname = \"water\"\n" +
         fluid + "\n" + fill_text(kind, "all", values) + wind_text(wind);
}

TEST(FluidWind, DragsAFlatSurfaceByItsArea) {
  const double u = 10, cf = 0.0024, tau = 0.5 * rho_air * cf * u * u;
  for (const double drag : {0.0, 1.0}) {
    const auto world =
        world_from(slab_text("wind_drag = " + to_text(Value(drag)), {0.32, 0.16, 0.32}, 0.02, {u, 0, 0}));
    ASSERT_TRUE(world);
    ASSERT_TRUE(world->step());
    EXPECT_NEAR(wind_force(*world).x() / (tau * 0.32 * 0.32), 1, 0.02) << "as it is filled";
    EXPECT_LT(std::abs(wind_force(*world).y()), 0.02 * tau * 0.32 * 0.32);
    run_until(*world, 1);
    double sum = 0;
    for (int i = 0; i < 100; ++i) {
      ASSERT_TRUE(world->step());
      sum += wind_force(*world).x() / 100;
    }
    expect_case("fluid", drag == 0 ? "wind along a surface, force over tau A" : "the same with pressure on its sides",
                sum / (tau * 0.32 * 0.32), 1, 0.05);
  }
}

TEST(FluidWind, PressesOnWhatStandsAcrossIt) {
  // A block of 12^3 particles has one face at a right angle to the wind. Friction is off. The tolerance is wide,
  // because particles at edges represent a smaller area.
  const double u = 20;
  const auto block =
      world_from(afloat_text("box", "size = [0.24, 0.24, 0.24]", "spacing = 0.01\nwind_friction = 0", {u, 0, 0}));
  ASSERT_TRUE(block);
  ASSERT_TRUE(block->step());
  expect_case("fluid", "wind on a block, drag over that of its face",
              wind_force(*block).x() / (0.5 * rho_air * u * u * 0.24 * 0.24), 1, 0.1);
  // If the pressure depends only on the local normal velocity, the drag of a ball is half the drag of a disc with the
  // same radius (tests/rigid/wind_test.cpp).
  const auto ball = world_from(afloat_text("sphere", "radius = 0.12", "spacing = 0.01\nwind_friction = 0", {u, 0, 0}));
  ASSERT_TRUE(ball);
  ASSERT_TRUE(ball->step());
  expect_case("fluid", "wind on a ball of 24 spacings, drag over its theory",
              wind_force(*ball).x() / (0.25 * rho_air * u * u * pi * 0.12 * 0.12), 1, 0.1);
}

TEST(FluidWind, ADropIsCarriedAsABallOfItsSize) {
  // One particle accelerates from rest in wind, in steps of 1 ms. The reference integrates the same drag law in steps
  // of 10 us.
  const double d = 0.004, u = 12;
  const auto world = world_from(afloat_text("box", "size = [0.004, 0.004, 0.004]", "spacing = 0.004", {u, 0, 0}));
  ASSERT_TRUE(world);
  ASSERT_EQ(water_of(*world).elements().size(), 1U);
  run_until(*world, 1);
  const double radius = d * std::cbrt(3 / (4 * pi)), mass = 1000 * d * d * d;
  double v = 0;
  for (int i = 0; i < 100'000; ++i) v += 1e-5 * sphere_drag_rate({}, radius, mass, u - v) * (u - v);
  expect_case("fluid", "speed of a lone drop after 1 s in wind", water_of(*world).elements().velocity[0].x(), v, 0.01,
              "m/s");
}

TEST(FluidWind, FineSprayIsCarriedSooner) {
  const auto speed_after = [](const std::string& size) {
    const auto world =
        world_from(afloat_text("box", "size = [0.02, 0.02, 0.02]", "spacing = 0.02\nspray_size = " + size, {10, 0, 0}));
    run_until(*world, 0.2);
    return water_of(*world).elements().velocity[0].x();
  };
  const double coarse = speed_after("0"), fine = speed_after("0.001"), mist = speed_after("0.00001");
  EXPECT_GT(fine, 3 * coarse);
  EXPECT_NEAR(mist, 10, 1e-3) << "mist moves with the air, and never beyond it";
}

TEST(FluidWind, ADropFallsWithItsTerminalVelocity) {
  const double d = 0.002;
  const auto world = world_from(
      "format = 1\n[[system]]\nkind = \"fluid\"\nname = \"water\"\nspacing = 0.002\ndomain_size = [1, 500, 1]\n" +
      fill_text("box", "all", "size = [0.002, 0.002, 0.002]\nposition = [0, 200, 0]") + wind_text(Vec3::Zero()));
  ASSERT_TRUE(world);
  run_until(*world, 4);
  const double mass = 1000 * d * d * d;
  expect_case("fluid", "terminal velocity of a lone drop", -water_of(*world).elements().velocity[0].y(),
              terminal_speed({}, d * std::cbrt(3 / (4 * pi)), 9.81 * mass), 0.01, "m/s");
}

TEST(FluidWind, SwitchedOffChangesNothing) {
  const auto places = [](const std::string& fluid, const Vec3& wind, bool blows) {
    const auto world =
        world_from(slab_text(fluid, {0.16, 0.08, 0.16}, 0.02, wind) + (blows ? "" : "enabled = false\n"));
    run_until(*world, 0.2);
    return water_of(*world).elements().position;
  };
  const auto still = places("", {0, 0, 0}, false);
  EXPECT_TRUE(places("wind = false", {20, 0, 0}, true) == still);
  EXPECT_FALSE(places("", {20, 0, 0}, true) == still);
}

TEST(FluidWind, HasTheSameBitsOnAnyThreadsAndFromASavedState) {
  const auto hash = [](int threads, bool resumed) {
    set_thread_count(threads);
    const std::string text = slab_text("wind_drag = 1", {0.32, 0.1, 0.32}, 0.02, {15, 0, 4});
    auto world = world_from(text);
    run_until(*world, 0.15);
    if (resumed) {
      StateBlock kept;
      world->save_state(kept);
      world = world_from(text);
      EXPECT_TRUE(world->load_state(kept));
    }
    for (int i = 0; i < 20; ++i) EXPECT_TRUE(world->step());
    set_thread_count(0);
    return world->hash();
  };
  const std::uint64_t one = hash(1, false);
  for (const int threads : {2, 3, 8}) EXPECT_EQ(hash(threads, false), one) << threads;
  EXPECT_EQ(hash(2, true), one);
}

TEST(FluidWindValidation, ShearsALayerAsCouetteSays) {
  // The exact profile is u = tau y / mu, with 0.06 m/s at the top (tau: wind stress). The slowest transient mode decays
  // as exp(-(pi / 2h)^2 nu t) and has vanished after a second. The test uses viscous syrup and strong wind, because a
  // lattice of particles on a floor of samples bears stresses of about one pascal without flowing.
  const double h = 0.12, mu = 50, u = 20, cf = 0.1, tau = 0.5 * rho_air * cf * u * u;
  const auto world = world_from(slab_text(
      "wind_friction = 0.1\nwind_drag = 0\nsmoothing = 0\n[[system.phase]]\nname = \"syrup\"\nviscosity = 50\n",
      {0.1, h, 0.1}, 0.01, {u, 0, 0}));
  ASSERT_TRUE(world);
  run_until(*world, 2);
  double yu = 0, yy = 0, off = 0, n = 0;
  for (int i = 0; i < 200; ++i) {
    ASSERT_TRUE(world->step());
    const Elements& rows = water_of(*world).elements();
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const double y = rows.position[k].y(), v = rows.velocity[k].x();
      yu += y * v, yy += y * y;
      off += std::pow(v - tau * y / mu, 2), n += 1;
    }
  }
  expect_case("fluid", "shear of a layer in wind, slope over tau / mu", yu / yy / (tau / mu), 1, 0.1);
  expect_case("fluid", "the same: rms difference over the surface's speed", std::sqrt(off / n) / (tau * h / mu), 0,
              0.1);
}

/// Returns the slope of the surface along x between two positions [m]: least-squares fit to surface heights on a grid
/// of points `spacing` apart.
double surface_slope(World& world, double from, double to, double spacing) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0, n = 0;
  for (double x = from; x <= to; x += spacing)
    for (double z = 0.5 * spacing; z < 0.08; z += spacing) {
      const double y = water_of(world).surface_height(x, z);
      sx += x, sy += y, sxx += x * x, sxy += x * y, n += 1;
    }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

TEST(FluidWindValidation, SetsUpAClosedBasinAsTheoryOfLaminarFlowSays) {
  // The flow along the surface returns near the bottom. For no slip at the bottom and no net flux, the slope is dh/dx =
  // 3/2 tau / (rho g h), with the wind stress tau and the water depth h.
  const double h = 0.1, length = 0.6, u = 20, cf = 0.1, tau = 0.5 * rho_air * cf * u * u;
  const Vec3 size(length, h, 0.08);
  const auto wall = [](const char* name, double x, double turn) {
    return std::string("[[collider]]\nkind = \"plane\"\nname = \"") + name +
           "\"\nposition = " + to_text(Value(Vec3(x, 0, 0))) + "\nrotation = " + to_text(Value(Vec3(0, 0, turn))) +
           "\n";
  };
  const auto world = world_from(water_text(
      "periodic = \"z\"\nspacing = 0.01\ndomain_center = [0.3, 0, 0.04]\ndomain_size = [1, 2, 0.08]\n"
      "wind_friction = 0.1\nwind_drag = 0\nsmoothing = 0\n[[system.phase]]\nname = \"syrup\"\nviscosity = 10\n",
      fill_text("box", "all", "position = [0.3, 0.05, 0.04]\nsize = " + to_text(Value(size))) + wall("floor", 0, 0) +
          wall("left", 0, -pi / 2) + wall("right", length, pi / 2) + wind_text({u, 0, 0})));
  ASSERT_TRUE(world);
  run_until(*world, 10);  // the slope oscillates before 10 s; at 6 s it is 1.2 times the theoretical value
  double slope = 0;
  for (int i = 0; i < 20; ++i) {
    run_until(*world, world->time() + 0.2);
    slope += surface_slope(*world, 0.15, 0.45, 0.01) / 20;
  }
  expect_case("fluid", "set-up of a closed basin in wind, slope over theory", slope / (1.5 * tau / (1000 * 9.81 * h)),
              1, 0.1);
}

}  // namespace
}  // namespace vw::test
