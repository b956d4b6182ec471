// Quantities at fixed positions: probes, gauges and gates. They are evaluated on a lattice of particles whose pressure,
// surface and flow are known.
#include "plot_scene.h"
#include "sim/plot/place_measure.h"

namespace vw {
namespace {

constexpr double d = 0.02;

/// Returns a block of water 0.6 m x 0.4 m wide and 0.4 m deep, with hydrostatic pressure and uniform `velocity`.
SystemSnapshot still_water(const Vec3f& velocity = Vec3f::Zero()) {
  SystemSnapshot s;
  s.name = "water";
  s.use_look<FluidLook>();
  s.use_look<FluidLook>().spacing_m = static_cast<float>(d);
  Channel pressure{"pressure", {}};
  for (int x = 0; x < 30; ++x)
    for (int y = 0; y < 20; ++y)
      for (int z = 0; z < 20; ++z) {
        s.position.emplace_back(
            static_cast<float>(d) *
            (Vec3f(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)) + Vec3f::Constant(0.5F)));
        s.velocity.push_back(velocity);
        s.id.push_back(static_cast<std::uint32_t>(s.id.size()));
        pressure.values.push_back(static_cast<float>(1000 * 9.81 * (0.4 - static_cast<double>(s.position.back().y()))));
      }
  s.channels = {pressure};
  return s;
}

const Vec3 gravity(0, -9.81, 0);

TEST(PlaceMeasure, PressureIsReadInsideAndAtWallsAlike) {
  const SystemSnapshot water = still_water();
  // The fit of the pressure includes its gradient, so a linear pressure is reproduced up to float rounding. The points
  // lie on a particle in the middle, between particles, on the floor and in a corner.
  for (const Vec3& point : {Vec3(0.3, 0.2, 0.2), Vec3(0.307, 0.213, 0.199), Vec3(0.3, 0, 0.2), Vec3(0, 0, 0)})
    EXPECT_NEAR(channel_at(water, "pressure", point), 1000 * 9.81 * (0.4 - point.y()), 0.5) << point.transpose();
  EXPECT_TRUE(std::isnan(channel_at(water, "pressure", {0.3, 0.5, 0.2}))) << "dry";
  EXPECT_TRUE(std::isnan(channel_at(water, "temperature", {0.3, 0.2, 0.2}))) << "not known";
}

TEST(PlaceMeasure, AFewParticlesAreReadByTheirMean) {
  SystemSnapshot drop = still_water();
  drop.position = {Vec3f(0, 1, 0), Vec3f(0.02F, 1, 0)};
  drop.velocity.resize(2);
  drop.channels[0].values = {100, 300};
  EXPECT_NEAR(channel_at(drop, "pressure", {0.01, 1, 0}), 200, 1e-3);
}

TEST(PlaceMeasure, TheSurfaceIsTheTopOfWhatIsConnected) {
  SystemSnapshot water = still_water();
  std::vector<double> scratch;
  EXPECT_NEAR(surface_height_at(water, {0.3, 5, 0.2}, gravity, scratch), 0.4, 1e-6);
  water.position.emplace_back(0.3F, 0.9F, 0.2F);  // a drop above the water
  EXPECT_NEAR(surface_height_at(water, {0.3, 0, 0.2}, gravity, scratch), 0.4, 1e-6);
  EXPECT_TRUE(std::isnan(surface_height_at(water, {2, 0, 0.2}, gravity, scratch))) << "dry";
  EXPECT_NEAR(surface_height_at(water, {0.5, 0.2, 0.2}, {-3, 0, 0}, scratch), 0.6, 1e-6)
      << "heights count against gravity";
}

TEST(PlaceMeasure, FlowIsVelocityTimesArea) {
  const SystemSnapshot water = still_water({0.5F, 0, 0});
  // The water is 0.4 m deep and 0.4 m wide. The result is exact, because the spacing of the lattice divides the width
  // of the gate's tent kernel.
  EXPECT_NEAR(flow_through(water, {{0.3, 0.2, 0.2}, {1, 0, 0}, 2, 2}, gravity), 0.5 * 0.16, 1e-6);
  EXPECT_NEAR(flow_through(water, {{0.3, 0.2, 0.2}, {-2, 0, 0}, 2, 2}, gravity), -0.5 * 0.16, 1e-6);
  EXPECT_NEAR(flow_through(water, {{0.3, 0.1, 0.2}, {1, 0, 0}, 0.2, 0.2}, gravity), 0.5 * 0.04, 1e-6)
      << "flow beside the gate does not count";
  EXPECT_NEAR(flow_through(water, {{0.3, 0.2, 0.2}, {0, 1, 0}, 2, 2}, gravity), 0, 1e-9);
  EXPECT_NEAR(flow_through(still_water({0, -1, 0}), {{0.3, 0.2, 0.2}, {0, 1, 0}, 1, 1}, gravity), -0.24, 1e-6)
      << "flow through a horizontal gate";
}

TEST(PlaceMeasure, PeriodicSidesAreNoPlace) {
  SystemSnapshot water = still_water({0.5F, 0, 0});
  water.period = Vec3f(0.6F, 0, 0);
  std::vector<double> scratch;
  for (const double x : {0.0, 0.3, 0.6, 1.2}) {
    EXPECT_NEAR(flow_through(water, {{x, 0.2, 0.2}, {1, 0, 0}, 2, 2}, gravity), 0.5 * 0.16, 1e-5) << x;
    EXPECT_NEAR(channel_at(water, "pressure", {x, 0.2, 0.2}), 1000 * 9.81 * 0.2, 0.5) << x;
    EXPECT_NEAR(surface_height_at(water, {x, 0, 0.2}, gravity, scratch), 0.4, 1e-6) << x;
  }
}

TEST(PlotSet, ElementsOfAFluidAreFoundWhereverTheirRowsAre) {
  SystemSnapshot water = still_water({1, 0, 0});
  Beginning beginning;
  beginning.take(water);
  // A fluid sorts its rows by position, so an element's row changes.
  std::swap(water.position[3], water.position[900]);
  std::swap(water.id[3], water.id[900]);
  for (Vec3f& p : water.position) p.x() += 0.1F;
  for (const std::uint32_t id : {3U, 4U, 900U}) {
    const auto row = row_of(water, id);
    ASSERT_TRUE(row);
    EXPECT_NEAR((element_state(water, beginning, *row).x - element_state(water, beginning, *row).x0).x(), 0.1, 1e-6);
  }
  std::swap(water.position[5], water.position[70]);
  std::swap(water.id[5], water.id[70]);
  Beginning shuffled;
  shuffled.take(water);
  const auto row = row_of(water, 70);
  ASSERT_TRUE(row);
  EXPECT_EQ(element_state(water, shuffled, *row).x0, element_state(water, shuffled, *row).x)
      << "the start may be recorded in any order of rows";
}

std::string with_curve(const std::string& rest) {
  return plot_test::two_balls(
      "[[plot]]\nname = \"p\"\n[[plot.curve]]\nkind = \"measured\"\nname = \"c\"\nsystem = \"left\"\n" + rest);
}

TEST(PlotSet, MistakesInQuantitiesOfPlacesAreSentences) {
  using plot_test::scene_error;
  EXPECT_EQ(scene_error(with_curve("quantity = \"at_point\"\nchannel = \"speed\"\npoint = [0, 2, 0]\n")), "accepted");
  EXPECT_EQ(scene_error(with_curve("quantity = \"surface_height\"\npoint = [0, 0, 0]\n")), "accepted");
  EXPECT_EQ(scene_error(with_curve("quantity = \"flow_rate\"\ndirection = [0, 1, 0]\nwidth = 0.2\nheight = 0.1\n")),
            "accepted");
  const std::string no_channel = scene_error(with_curve("quantity = \"at_point\"\n"));
  EXPECT_NE(no_channel.find("plot.p.curve.c.channel = \"\": must name the channel or total that is measured"),
            std::string::npos)
      << no_channel;
  const std::string no_way = scene_error(with_curve("quantity = \"flow_rate\"\ndirection = [0, 0, 0]\n"));
  EXPECT_NE(no_way.find("plot.p.curve.c.direction"), std::string::npos) << no_way;
  EXPECT_NE(no_way.find("must not be zero"), std::string::npos) << no_way;
}

TEST(PlotSet, MeasuresPlacesOfAWorldThatRuns) {
  auto scene = plot_test::scene_of(with_curve("quantity = \"at_point\"\nchannel = \"speed\"\npoint = [0, 2, 0]\n"));
  ASSERT_TRUE(scene) << scene.error().message();
  plot_test::Measured measured(std::move(*scene));
  EXPECT_NEAR(measured.last("p", "c"), 3, 1e-6) << "the ball starts at the probe";
  measured.run(0.05);
  EXPECT_TRUE(std::isnan(measured.last("p", "c"))) << "the ball has left the probe";
}

}  // namespace
}  // namespace vw
