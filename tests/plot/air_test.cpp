// Curves of the air: a plot's value at a point equals the value of the fields at that point.
#include "plot_scene.h"
#include "sim/api/analysis/fields.h"

namespace vw {
namespace {

using plot_test::scene_error;
using plot_test::scene_of;
using plot_test::two_balls;

const std::string fields = R"(
[[field]]
kind = "vortex"
name = "whirl"
profile = "rankine"
circulation = 2
core = 0.5
position = [3, 0, 0]
[[field]]
kind = "uniform"
name = "gusty"
velocity = [4, 0, 0]
gust = 0.5
gust_period = 0.4
)";

std::string air_curve(const std::string& name, const std::string& quantity, const std::string& more = "") {
  return "[[plot.curve]]\nkind = \"measured\"\nname = \"" + name + "\"\nquantity = \"" + quantity + "\"\n" + more;
}

PlotSet plots_with_air(const Node& scene) {
  PlotSet plots = test::checked(PlotSet::compile(scene));
  EXPECT_TRUE(plots.wants_air());
  plots.set_air(api::make_air_gauge(scene));
  return plots;
}

std::vector<double> measured_at(PlotSet& plots, double time_s) {
  Snapshot snapshot;
  snapshot.time_s = time_s, snapshot.dt_s = 0.01;
  std::vector<double> row;
  plots.measure(snapshot, row);
  return row;
}

TEST(PlotOfTheAir, EqualsTheValuesOfTheFields) {
  const std::string at = "point = [3, 1, 2]\n", one = at + "field = \"whirl\"\n",
                    core = "point = [3, 0, 0.2]\nfield = \"whirl\"\n";
  const auto scene = scene_of(
      two_balls(fields + "[[plot]]\nname = \"air\"\n" + air_curve("speed", "air_speed", at) +
                air_curve("x", "air_velocity_x", at) + air_curve("y", "air_velocity_y", at) +
                air_curve("z", "air_velocity_z", at) + air_curve("whirl", "air_velocity_x", one) +
                air_curve("spin", "air_vorticity_y", core) + air_curve("turning", "air_vorticity", core) +
                air_curve("across", "air_vorticity_x", core) + air_curve("low", "air_pressure", core) +
                air_curve("none", "air_pressure", at + "field = \"gusty\"\n") + air_curve("noise", "air_value", at)));
  ASSERT_TRUE(scene) << scene.error().message();
  PlotSet plots = plots_with_air(*scene);
  for (const double time : {0.0, 0.1, 0.37}) {
    const double wind = 4 * (1 + 0.5 * std::sin(2 * pi * time / 0.4)), swirl = 2 / (2 * pi * 2);
    const auto row = measured_at(plots, time);
    ASSERT_EQ(row.size(), 11U);
    EXPECT_NEAR(row[0], wind + swirl, 1e-12);
    EXPECT_NEAR(row[1], wind + swirl, 1e-12);
    EXPECT_EQ(row[2], 0);
    EXPECT_NEAR(row[3], 0, 1e-12);
    EXPECT_NEAR(row[4], swirl, 1e-12) << "velocity of one field alone";
    const double turning = 2 / (pi * 0.25), gamma = 2 / (2 * pi);
    EXPECT_NEAR(row[5], turning, 1e-6 * turning);
    EXPECT_NEAR(row[6], turning, 1e-6 * turning);
    EXPECT_NEAR(row[7], 0, 1e-6 * turning);
    EXPECT_NEAR(row[8], -0.5 * gamma * gamma / 0.25 * (2 - 0.04 / 0.25), 1e-12);
    EXPECT_TRUE(std::isnan(row[9])) << "a uniform wind has no pressure";
    EXPECT_TRUE(std::isnan(row[10])) << "there is no noise";
  }
}

TEST(PlotOfTheAir, WithoutAGaugeHasNoValueAndWithoutFieldsItIsStill) {
  const std::string plot = "[[plot]]\nname = \"air\"\n" + air_curve("speed", "air_speed");
  const auto windy = scene_of(two_balls(fields + plot)), still = scene_of(two_balls(plot));
  ASSERT_TRUE(windy && still);
  auto blind = PlotSet::compile(*windy);
  ASSERT_TRUE(blind);
  EXPECT_TRUE(std::isnan(measured_at(*blind, 0)[0]));
  PlotSet calm = plots_with_air(*still);
  EXPECT_EQ(measured_at(calm, 0)[0], 0);
}

TEST(PlotOfTheAir, AnErrorCurveTakesTheFormula) {
  const auto scene = scene_of(two_balls(
      fields +
      "[[plot]]\nname = \"air\"\n[[plot.curve]]\nkind = \"error\"\nname = \"off\"\nquantity = \"air_velocity_x\"\n"
      "field = \"gusty\"\nformula = \"4 + 3 * t\"\n"));
  ASSERT_TRUE(scene) << scene.error().message();
  PlotSet plots = plots_with_air(*scene);
  EXPECT_NEAR(measured_at(plots, 0.1)[0], 1.7, 1e-12);
}

TEST(PlotOfTheAir, TurnsAsideAtObstaclesAsTheWorldDoes) {
  const std::string eddies =
      "[[field]]\nkind = \"turbulence\"\nname = \"eddies\"\nmean = [0, 0, 0]\nstrength = 3\nlength = "
      "0.5\nobstacle_distance = 0.5\n";
  const auto scene = scene_of(two_balls(eddies + "[[plot]]\nname = \"air\"\n" +
                                        air_curve("up", "air_velocity_y", "point = [0.3, 0.001, 0.2]\n") +
                                        air_curve("along", "air_velocity_x", "point = [0.3, 0.001, 0.2]\n") +
                                        air_curve("high", "air_velocity_y", "point = [0.3, 1.5, 0.2]\n")));
  ASSERT_TRUE(scene) << scene.error().message();
  PlotSet plots = plots_with_air(*scene);
  const auto row = measured_at(plots, 0.2);
  // No air flows through the floor. The normal velocity is zero at the floor and reaches its full value at the distance
  // `obstacle_distance`.
  EXPECT_LT(std::abs(row[0]), 0.05) << "normal velocity, one millimetre above the floor";
  EXPECT_GT(std::abs(row[1]), 0.3) << "velocity along the floor";
  EXPECT_GT(std::abs(row[2]), 0.3);
}

TEST(PlotOfTheAir, KeepsItsAirUntilThatIsEdited) {
  const std::string plot = "[[plot]]\nname = \"air\"\n" + air_curve("speed", "air_speed", "point = [9, 0, 0]\n");
  auto scene = scene_of(two_balls(fields + plot));
  ASSERT_TRUE(scene);
  const auto before = api::make_air_gauge(*scene);
  ASSERT_TRUE(set_parameter(*scene, "system.left.collision_dt", 0.02));
  EXPECT_TRUE(api::make_air_gauge(*scene)->is_like(*before));
  ASSERT_TRUE(set_parameter(*scene, "field.gusty.velocity", Vec3(1, 0, 0)));
  EXPECT_FALSE(api::make_air_gauge(*scene)->is_like(*before));
}

TEST(PlotOfTheAir, MistakesAreSentences) {
  const std::string plot = fields + "[[plot]]\nname = \"air\"\n";
  EXPECT_NE(scene_error(two_balls(plot + air_curve("speed", "air_speed", "field = \"wirl\"\n")))
                .find("must name a field of this scene"),
            std::string::npos);
  EXPECT_NE(scene_error(two_balls(plot + "x = \"collision_dt\"\n" + air_curve("speed", "air_speed")))
                .find("is possible only in a plot over time"),
            std::string::npos);
}

}  // namespace
}  // namespace vw
