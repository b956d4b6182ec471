// Plots of the packaged water scenes: finite values from the first step, and pressures known from theory.
#include "plot_scene.h"

namespace vw {
namespace {

using plot_test::Measured;

TEST(WaterScenes, HavePlotsWithTitlesAndLabels) {
  for (const char* name : {"dam-break", "double-dam-break", "dam-break-obstacle", "filling-tank", "wave-maker",
                           "floating-boxes", "sinking-bodies", "swimmer", "droplet", "water-column"}) {
    const auto plots = PlotSet::compile(test::packaged_scene(name));
    ASSERT_TRUE(plots) << name << ": " << plots.error().message();
    EXPECT_GE(plots->plans().size(), 1U) << name;
    for (const PlotPlan& plan : plots->plans()) {
      EXPECT_FALSE(plan.params.title.empty()) << name << "." << plan.name;
      for (const PlotCurve& curve : plan.curves)
        EXPECT_FALSE(curve.node.params.label.empty()) << name << "." << plan.name << "." << curve.name;
    }
  }
}

TEST(WaterScenes, AColumnAtRestPressesAsItsDepthSays) {
  Measured column(test::packaged_scene("water-column"));
  column.run(0.4);
  // The tolerance is 3 % of rho g h, with the density rho and the depth h. The shallowest probe is only 5 cm deep,
  // where one particle more or less changes the pressure by a quarter. Its tolerance is therefore 3 % of the pressure
  // at 20 cm.
  for (const auto& [curve, bound] :
       {std::pair{"low", 0.03 * 3433.5}, std::pair{"middle", 0.03 * 1962.0}, std::pair{"high", 0.03 * 1962.0}}) {
    double sum = 0;
    int rows = 0;
    for (std::size_t row = 0; row < column.rows(); ++row)
      if (column.time(row) > 0.2) sum += column.value(row, column.column("pressure", curve)), ++rows;
    EXPECT_NEAR(sum / rows, column.value(column.rows() - 1, column.column("pressure", std::string(curve) + "-theory")),
                bound)
        << curve;
  }
  // The surface is within 1 % of the filled height.
  EXPECT_NEAR(column.value(column.rows() - 1, column.column("level", "level")), 0.4, 0.004);
}

}  // namespace
}  // namespace vw
