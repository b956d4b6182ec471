// Tables of plots: written values are read back with the same bits, and each column has a unit.
#include "plot_scene.h"

#include <cstdlib>
#include <sstream>

#include "sim/plot/plot_csv.h"

namespace vw {
namespace {

using plot_test::scene_of;
using plot_test::two_balls;

const std::string plots_text = R"(
[[plot]]
name = "way"
unit = "m/s"
[[plot.curve]]
kind = "measured"
name = "left_x"
label = "left, across"
system = "left"
quantity = "velocity_x"
[[plot.curve]]
kind = "measured"
name = "left_y"
system = "left"
quantity = "velocity_y"
[[plot.curve]]
kind = "measured"
name = "nobody"
system = "left"
quantity = "velocity_y"
element = 99
[[plot]]
name = "by-step"
x = "collision_dt"
[[plot.curve]]
kind = "measured"
name = "high"
system = "*"
quantity = "height"
)";

/// A world and the values that its plots measured over ten steps.
struct Course {
  std::optional<PlotSet> set;
  PlotData data;
  Course() {
    Node scene = test::checked(scene_of(two_balls(plots_text)));
    set.emplace(test::checked(PlotSet::compile(scene)));
    PlotRecorder recorder(test::checked(PlotSet::compile(scene)));
    const auto world = test::checked(World::create(std::move(scene)));
    Snapshot snapshot;
    for (int i = 0; i <= 10; ++i) {
      world->write_snapshot(snapshot);
      recorder.take(snapshot);
      EXPECT_TRUE(world->step());
    }
    EXPECT_TRUE(recorder.read(data));
  }
};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(PlotTable, APlotOverTimeIsARowATimeWithUnitsAbove) {
  const Course course;
  const auto lines = lines_of(plot_table(course.set->plans()[0], 0, course.data));
  ASSERT_EQ(lines.size(), 12U) << "the start and ten steps";
  EXPECT_EQ(lines[0], "time [s],\"left, across [m/s]\",left y [m/s],nobody [m/s]");
  EXPECT_EQ(lines[1], "0,3,0,") << "a curve without a value has an empty cell";
  const PlotSeries& series = course.data.series[0];
  for (std::size_t row = 0; row < series.size(); ++row) {
    const char* at = lines[row + 1].c_str();
    char* end = nullptr;
    EXPECT_EQ(std::strtod(at, &end), series.time(row)) << "the time must be read back with the same bits";
    EXPECT_EQ(std::strtod(end + 1, &end), series.value(row, 0));
    EXPECT_EQ(std::strtod(end + 1, &end), series.value(row, 1));
  }
}

TEST(PlotTable, AnalyticCurvesHaveThePresentFormulaAtAllTimes) {
  const auto set_of = [](const std::string& formula) {
    const std::string text = "[[plot]]\nname = \"p\"\n[[plot.curve]]\nkind = \"analytic\"\nname = \"theory\"\n";
    const Node scene = test::checked(scene_of(two_balls(text + "formula = \"" + formula + "\"\n")));
    return test::checked(PlotSet::compile(scene));
  };
  PlotRecorder recorder(set_of("t"));
  Snapshot snapshot;
  snapshot.dt_s = 0.5;
  recorder.take(snapshot);
  snapshot.time_s = 0.5;
  recorder.take(snapshot);
  recorder.replace(set_of("4*t"));
  PlotData data;
  EXPECT_TRUE(recorder.read(data));
  PlotSet present = set_of("4*t");
  const AnalyticValue theory = [&](std::size_t plot, std::size_t curve, double time_s, double x) {
    return present.analytic(plot, curve, time_s, x);
  };
  EXPECT_EQ(plot_table(present.plans()[0], 0, data, ',', theory), "time [s],theory\n0,0\n0.5,2\n");
  EXPECT_EQ(plot_rows(present.plans(), data, theory),
            std::string(plot_rows_header) + "0,p,theory,,0,0\n0.5,p,theory,,0.5,2\n");
}

TEST(PlotTable, APlotOverAParameterIsARowAPoint) {
  const Course course;
  const auto lines = lines_of(plot_table(course.set->plans()[1], 1, course.data, '\t'));
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0], "collision_dt [s]\thigh");
  EXPECT_TRUE(lines[1].starts_with("0.005\t1.")) << lines[1];
  EXPECT_TRUE(lines[2].starts_with("0.01\t1.")) << lines[2];
}

TEST(PlotTable, AllPlotsTogetherAreARowAValue) {
  const Course course;
  const auto lines = lines_of(plot_rows(course.set->plans(), course.data));
  EXPECT_EQ(lines[0] + "\n", plot_rows_header);
  EXPECT_EQ(lines[1], "0,way,left_x,left,0,3");
  EXPECT_EQ(lines.size(), 1U + 11 * 2 + 2) << "two curves over time and two points; missing values have no row";
}

}  // namespace
}  // namespace vw
