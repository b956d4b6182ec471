// Pressure gauges: hydrostatic pressure at rest, impulse of an impact, and rejected settings.
#include "tests/fluid/fluid_world.h"
#include "tests/support/validation.h"

namespace vw::test {
namespace {

std::string gauge_text(const std::string& name, const Vec3& at, const std::string& more = "") {
  return "[[system.gauge]]\nname = \"" + name + "\"\nposition = " + to_text(Value(at)) + "\n" + more;
}

TEST(FluidGauge, ReadsTheWeightOfTheWaterAboveItOnFloorsSidesAndBoxes) {
  const std::string pool = fill_text("box", "pool", "position = [0.2, 0.12, 0.12]\nsize = [0.4, 0.24, 0.24]");
  const std::string gauges = gauge_text("floor", {0.3, 0, 0.12}) + gauge_text("side", {0.4, 0.1, 0.12}) +
                             gauge_text("front", {0.16, 0.04, 0.12}) + gauge_text("top", {0.08, 0.08, 0.12}) +
                             gauge_text("dry", {0.4, 0.4, 0.12});
  const std::string stone =
      "[[collider]]\nkind = \"box\"\nname = \"stone\"\nposition = [0.08, 0.04, 0.12]\nsize = [0.16, 0.08, 0.24]\n";
  const auto world = world_from(water_text("", pool + gauges) + tank_text({0.4, 0, 0.24}) + stone);
  run_until(*world, 1.5);
  // The fill omits the particles inside the stone, so the water level stays equal to the height of the fill.
  struct Case {
    const char* name;
    double height;
  };
  for (const Case& one : {Case{"floor", 0}, Case{"side", 0.1}, Case{"front", 0.04}, Case{"top", 0.08}}) {
    const double expected = 1000 * 9.81 * (0.24 - one.height);
    expect_case("fluid", std::string("gauge at rest, ") + one.name + ": mean pressure",
                total_of(*world, std::string("gauge_") + one.name + "_mean"), expected, 0.04, "Pa");
    EXPECT_NEAR(total_of(*world, std::string("gauge_") + one.name), expected, 0.1 * expected) << one.name;
    EXPECT_GE(total_of(*world, std::string("gauge_") + one.name + "_peak"),
              total_of(*world, std::string("gauge_") + one.name))
        << one.name;
  }
  EXPECT_EQ(total_of(*world, "gauge_dry"), 0);
}

TEST(FluidGauge, OnAThinWallReadsTheSideThatItStandsOn) {
  // The water is 0.24 m deep on the left and 0.12 m on the right.
  const std::string pools = fill_text("box", "left", "position = [0.1, 0.12, 0.1]\nsize = [0.2, 0.24, 0.2]") +
                            fill_text("box", "right", "position = [0.3, 0.06, 0.1]\nsize = [0.2, 0.12, 0.2]");
  const std::string gauges = gauge_text("left", {0.199, 0.04, 0.1}, "collider = \"gate\"\n") +
                             gauge_text("right", {0.201, 0.04, 0.1}, "collider = \"gate\"\n");
  const std::string plate = "kind = \"box\"\nposition = [0.2, 0.3, 0.1]\nsize = [0.002, 0.8, 0.3]\n";
  const std::string sheet =
      "kind = \"plane\"\nposition = [0.2, 0, 0]\nrotation = [0, 0, 1.5707963267948966]\ntwo_sided = true\n";
  for (const std::string& gate : {plate, sheet}) {
    const auto world = world_from(water_text("", pools + gauges) + tank_text({0.4, 0, 0.2}) +
                                  "[[collider]]\nname = \"gate\"\n" + gate);
    run_until(*world, 1.5);
    EXPECT_NEAR(total_of(*world, "gauge_left_mean"), 9810 * 0.2, 0.05 * 9810 * 0.2) << gate;
    EXPECT_NEAR(total_of(*world, "gauge_right_mean"), 9810 * 0.08, 0.08 * 9810 * 0.08) << gate;
  }
}

TEST(FluidGauge, GoesOnFromACheckpointBitForBit) {
  const std::string pool = fill_text("box", "pool", "position = [0.1, 0.1, 0.1]\nsize = [0.2, 0.2, 0.2]");
  const std::string text = water_text("", pool + gauge_text("side", {0.4, 0.02, 0.1})) + tank_text({0.4, 0, 0.2});
  const auto world = world_from(text), other = world_from(text);
  run_until(*world, 0.3);
  StateBlock block;
  world->save_state(block);
  ASSERT_TRUE(other->load_state(block));
  for (const auto& one : {world.get(), other.get()}) run_until(*one, 0.35);
  EXPECT_GT(total_of(*world, "gauge_side_mean"), 100);
  for (const char* name : {"gauge_side", "gauge_side_mean", "gauge_side_peak"})
    EXPECT_EQ(total_of(*world, name), total_of(*other, name));
}

TEST(FluidGauge, ALargeOneGoesOnFromACheckpointBitForBit) {
  // The water spreads over the floor, whose samples exist only near water and near the smaller gauges.
  const std::string pool = fill_text("box", "pool", "position = [0.1, 0.1, 0.1]\nsize = [0.2, 0.2, 0.2]");
  const std::string gauges = gauge_text("small", {0.45, 0, 0.1}) +
                             gauge_text("middle", {0.4, 0, 0.1}, "radius = 0.2\n") +
                             gauge_text("large", {0.5, 0, 0.1}, "radius = 0.5\n");
  const std::string text = water_text("", pool + gauges) + tank_text({1.6, 0, 0.2});
  const auto world = world_from(text);
  for (int k = 1; k <= 4; ++k) {
    run_until(*world, 0.08 * k);
    StateBlock block;
    world->save_state(block);
    const auto other = world_from(text);
    ASSERT_TRUE(other->load_state(block));
    for (int i = 0; i < 6; ++i) {
      ASSERT_TRUE(world->step());
      ASSERT_TRUE(other->step());
      ASSERT_EQ(world->hash(), other->hash()) << world->time();
    }
  }
  EXPECT_GT(total_of(*world, "gauge_large_mean"), 0);
}

TEST(FluidGauge, ReadsNothingAfterAllWaterIsGone) {
  const std::string pool = fill_text("box", "pool", "position = [0.1, 0.1, 0.1]\nsize = [0.2, 0.2, 0.2]");
  const std::string drain = "[[system.drain]]\nkind = \"box\"\nname = \"hole\"\nsize = [5.0, 5.0, 5.0]\nstart = 0.1\n";
  const std::string stone =
      "[[collider]]\nkind = \"box\"\nname = \"stone\"\nposition = [0.04, 0.04, 0.1]\nsize = [0.08, 0.08, 0.2]\n";
  const auto world =
      world_from(water_text("", pool + drain + gauge_text("floor", {0.14, 0, 0.1})) + tank_text({0.2, 0, 0.2}) + stone);
  run_until(*world, 0.1);
  EXPECT_GT(total_of(*world, "gauge_floor_peak"), 0);
  EXPECT_LT(total_of(*world, "force_on_obstacles_y"), 0);
  run_until(*world, 0.12);
  EXPECT_EQ(water_of(*world).elements().size(), 0U);
  EXPECT_EQ(total_of(*world, "gauge_floor"), 0);
  EXPECT_EQ(total_of(*world, "force_on_obstacles_y"), 0);
  // The highest pressure, which limits the substep, decays to 1/e in 0.03 s without fluid as it does with fluid.
  const double highest = water_of(*world).highest_pressure();
  EXPECT_GT(highest, 0);
  run_until(*world, 0.42);
  EXPECT_LT(water_of(*world).highest_pressure(), 1e-3 * highest);
}

TEST(FluidGauge, AGaugeThatReadsNothingIsRefused) {
  EXPECT_EQ(refusal(water_text("", gauge_text("a", {0, 0, 0}))),
            "system.water.gauge.a.collider = \"\": must name a collider: this scene has none");
  EXPECT_EQ(refusal(water_text("", gauge_text("a", {0.2, 0.1, 0.1})) + tank_text({0.4, 0, 0.2})),
            "system.water.gauge.a.position = [0.2, 0.1, 0.1]: must be within a spacing (0.02 m) of a collider's "
            "surface; floor is 0.1 m away");
  EXPECT_EQ(refusal(water_text("", gauge_text("a", {0.2, 0, 0.1}, "collider = \"flor\"\n")) + tank_text({0.4, 0, 0.2})),
            "system.water.gauge.a.collider = \"flor\": must name a collider of this scene");
}

}  // namespace
}  // namespace vw::test
