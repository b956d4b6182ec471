// Plots from scene text: measured values, rejected definitions, and no effect on the world.
#include "plot_scene.h"

#include <atomic>
#include <thread>

#include "sim/plot/plot_recorder.h"

namespace vw {
namespace {

using plot_test::Measured;
using plot_test::scene_error;
using plot_test::scene_of;
using plot_test::two_balls;

std::string curve_of_kind(const std::string& kind, const std::string& name, const std::string& rest) {
  return "[[plot.curve]]\nkind = \"" + kind + "\"\nname = \"" + name + "\"\n" + rest;
}

TEST(PlotSet, MeasuresTheQuantitiesOfASystem) {
  const std::string plots =
      "[[plot]]\nname = \"p\"\nlet = [\"v0 = system.left.emitter.start.speed\", \"fall = g*t^2/2\"]\n" +
      curve_of_kind("measured", "x", "system = \"left\"\nquantity = \"position_x\"\n") +
      curve_of_kind("measured", "vy", "system = \"left\"\nquantity = \"velocity_y\"\n") +
      curve_of_kind("measured", "speed", "system = \"left\"\nquantity = \"speed\"\nelement = 0\n") +
      curve_of_kind("measured", "way", "system = \"left\"\nquantity = \"distance\"\n") +
      curve_of_kind("measured", "gap", "system = \"left\"\nquantity = \"gap\"\ncollider = \"floor\"\n") +
      curve_of_kind("measured", "energy", "system = \"left\"\nquantity = \"energy_height\"\n") +
      curve_of_kind("measured", "count", "system = \"right\"\nquantity = \"count\"\n") +
      curve_of_kind("measured", "high", "system = \"right\"\nquantity = \"height\"\nover = \"max\"\n") +
      curve_of_kind("measured", "low", "system = \"right\"\nquantity = \"height\"\nover = \"min\"\n") +
      curve_of_kind("measured", "mean", "system = \"right\"\nquantity = \"height\"\nover = \"mean\"\n") +
      curve_of_kind("measured", "center", "system = \"right\"\nquantity = \"height\"\n") +
      curve_of_kind("measured", "channel",
                    "system = \"left\"\nquantity = \"channel\"\nchannel = \"speed\"\nover = \"max\"\n") +
      curve_of_kind("measured", "fallen",
                    "system = \"left\"\nquantity = \"expression\"\nexpression = \"y0 - y + 0*vx0\"\n") +
      curve_of_kind("measured", "gone", "system = \"left\"\nelement = 7\n") +
      curve_of_kind("analytic", "theory", "formula = \"v0*t\"\n") +
      curve_of_kind("error", "error", "system = \"left\"\nquantity = \"position_x\"\nformula = \"v0*t + 0.25\"\n");
  auto scene = scene_of(two_balls(plots));
  ASSERT_TRUE(scene) << scene.error().message();
  Measured measured(std::move(*scene));
  measured.run(0.1);
  const auto last = [&](const char* name) { return measured.last("p", name); };
  // After ten steps of dt = 0.01 s by symplectic Euler, the speed is g t and the height of fall is g dt^2 (1 + ... +
  // 10).
  constexpr double g = 9.81, fall = g * 1e-4 * 55;
  EXPECT_NEAR(last("x"), 0.3, 1e-12);
  EXPECT_NEAR(last("vy"), -0.1 * g, 1e-12);
  EXPECT_NEAR(last("speed"), std::hypot(3, 0.1 * g), 1e-12);
  EXPECT_NEAR(last("way"), std::hypot(0.3, fall), 1e-12);
  EXPECT_NEAR(last("gap"), 2 - fall - 0.005, 1e-9) << "a radius in float";
  EXPECT_NEAR(last("energy"), 2 - fall + (9 + 0.01 * g * g) / (2 * g), 1e-12);
  EXPECT_EQ(last("count"), 20);
  EXPECT_LT(last("low"), last("mean"));
  EXPECT_LT(last("mean"), last("high"));
  EXPECT_NEAR(last("center"), last("mean"), 1e-6) << "the centre of mass of equal masses; elements are floats";
  EXPECT_NEAR(last("channel"), std::hypot(3, 0.1 * g), 1e-6) << "channels are floats";
  EXPECT_NEAR(last("fallen"), fall, 1e-12);
  EXPECT_TRUE(std::isnan(last("gone"))) << "no element has this id";
  EXPECT_NEAR(last("theory"), 0.3, 1e-12);
  EXPECT_NEAR(last("error"), 0.25, 1e-12);
  EXPECT_NEAR(measured.plots().analytic(0, 14, 2.0, 2.0), 6, 1e-12) << "theory has values beyond the time of the world";
}

TEST(PlotSet, ElementsAddedLaterCountToo) {
  const std::string scene_text =
      "[[system]]\nkind = \"particles\"\nname = \"rain\"\n[[system.emitter]]\nkind = \"point\"\nname = \"cloud\"\nrate "
      "= 100\nspeed = 2\n"
      "lifetime = 0\n[[plot]]\nname = \"p\"\n" +
      curve_of_kind("measured", "speed", "system = \"rain\"\nquantity = \"speed\"\nover = \"min\"\n") +
      curve_of_kind("measured", "all",
                    "system = \"rain\"\nquantity = \"expression\"\nexpression = \"1 + 0*y\"\nover = \"sum\"\n") +
      curve_of_kind("measured", "way", "system = \"rain\"\nquantity = \"distance\"\nover = \"max\"\n");
  auto scene = scene_of(scene_text);
  ASSERT_TRUE(scene) << scene.error().message();
  Measured measured(std::move(*scene));
  measured.run(0.2);
  EXPECT_NEAR(measured.last("p", "all"), 20, 1);  // The emitter creates 100 particles a second.
  EXPECT_GT(measured.last("p", "speed"), 0);
  EXPECT_TRUE(std::isnan(measured.last("p", "way"))) << "no element existed when the plot began";
}

TEST(PlotSet, APlotOverAParameterHasAPointASystemAndKeepsItsMoment) {
  const std::string plots = "[[plot]]\nname = \"p\"\nx = \"collision_dt\"\nat = 0.05\n" +
                            curve_of_kind("measured", "fall", "system = \"*\"\nquantity = \"velocity_y\"\n") +
                            curve_of_kind("analytic", "line", "formula = \"2*collision_dt\"\n");
  auto scene = scene_of(two_balls(plots));
  ASSERT_TRUE(scene) << scene.error().message();
  Measured measured(std::move(*scene));
  measured.run(0.03);
  EXPECT_TRUE(std::isnan(measured.last("p", "fall", "left"))) << "the time of the measurement is still to come";
  measured.run(0.2);
  EXPECT_NEAR(measured.last("p", "fall", "left"), -0.05 * 9.81, 1e-12);
  EXPECT_NEAR(measured.last("p", "fall", "right"), -0.05 * 9.81, 1e-9);
  const PlotPlan& plan = measured.plots().plans()[0];
  EXPECT_EQ(plan.x_unit, "s");
  ASSERT_EQ(plan.columns.size(), 4U) << "two systems, and the line at each";
  EXPECT_LT(plan.columns[0].x, plan.columns[1].x) << "in order of x, whatever the systems' names";
  EXPECT_NEAR(measured.plots().analytic(0, 1, 0, 0.3), 0.6, 1e-12);
}

TEST(PlotSet, EndsWhereItSays) {
  const std::string plots = "[[plot]]\nname = \"p\"\nuntil = 0.05\n" +
                            curve_of_kind("measured", "way", "system = \"left\"\nquantity = \"distance\"\n");
  auto scene = scene_of(two_balls(plots));
  ASSERT_TRUE(scene) << scene.error().message();
  Measured measured(std::move(*scene));
  measured.run(0.05);
  EXPECT_TRUE(std::isfinite(measured.last("p", "way"))) << "the end time is included";
  measured.run(0.06);
  EXPECT_TRUE(std::isnan(measured.last("p", "way")));
}

TEST(PlotSet, AnotherSetGoesOnFromTheSameStart) {
  const std::string plots =
      "[[plot]]\nname = \"p\"\n" + curve_of_kind("measured", "way", "system = \"left\"\nquantity = \"distance\"\n");
  auto scene = scene_of(two_balls(plots));
  ASSERT_TRUE(scene) << scene.error().message();
  auto again = PlotSet::compile(*scene);
  ASSERT_TRUE(again);
  Measured measured(std::move(*scene));
  measured.run(0.1);
  const double way = measured.last("p", "way");
  again->go_on_from(measured.plots());
  Snapshot snapshot;
  measured.world().write_snapshot(snapshot);
  std::vector<double> row;
  again->measure(snapshot, row);
  EXPECT_EQ(row[0], way);
  EXPECT_GT(way, 0.1);
}

/// Continues with another set of plots from the current state and returns the measured values.
std::vector<double> go_on_with(Measured& measured, PlotSet& plots) {
  plots.go_on_from(measured.plots());
  Snapshot snapshot;
  measured.world().subscribe(plots.wanted());
  measured.world().write_snapshot(snapshot);
  std::vector<double> row;
  plots.measure(snapshot, row);
  return row;
}

const std::string moment_head = "[[plot]]\nname = \"p\"\nx = \"collision_dt\"\nat = 0.05\n";
const std::string fall_curve = curve_of_kind("measured", "fall", "system = \"*\"\nquantity = \"velocity_y\"\n");

TEST(PlotSet, AKeptMomentOutlastsAnEditOfTheCurvesAndNoOtherMomentIsTakenForIt) {
  auto scene = scene_of(two_balls(moment_head + fall_curve));
  auto other =
      scene_of(two_balls(moment_head + curve_of_kind("measured", "speed", "system = \"left\"\nquantity = \"speed\"\n") +
                         fall_curve + curve_of_kind("analytic", "t", "formula = \"t\"\n")));
  ASSERT_TRUE(scene && other);
  auto more = PlotSet::compile(*other);
  ASSERT_TRUE(more) << more.error().message();
  Measured measured(std::move(*scene));
  measured.run(0.2);
  const std::vector<double> row = go_on_with(measured, *more);
  ASSERT_EQ(row.size(), 5U);
  EXPECT_TRUE(std::isnan(row[0])) << "the speed was not measured at that time";
  EXPECT_NEAR(row[1], -0.05 * 9.81, 1e-9);
  EXPECT_NEAR(row[2], -0.05 * 9.81, 1e-9);
  EXPECT_EQ(row[3], 0.05) << "the theory is evaluated at that time too";
  EXPECT_EQ(more->analytic(0, 2, 7, 0), 0.05);
  EXPECT_EQ(more->analytic(0, 2, 0.01, 0), 0.01);
}

TEST(PlotSet, APointWhoseSystemWasSetOtherwiseIsNotShownAtItsNewPlace) {
  auto scene = scene_of(two_balls(moment_head + fall_curve));
  ASSERT_TRUE(scene) << scene.error().message();
  Node changed = *scene;
  ASSERT_TRUE(set_parameter(changed, "system.left.collision_dt", Value(0.002)));
  auto more = PlotSet::compile(changed);
  ASSERT_TRUE(more) << more.error().message();
  Measured measured(std::move(*scene));
  measured.run(0.2);
  const std::vector<double> row = go_on_with(measured, *more);
  EXPECT_TRUE(std::isnan(row[0])) << "the system 'left' is now the first";
  EXPECT_NEAR(row[1], -0.05 * 9.81, 1e-9);
}

TEST(PlotRecorder, MeasuredValuesAreKeptWhenACurveIsAdded) {
  const std::string first = "[[plot]]\nname = \"a\"\n" +
                            curve_of_kind("measured", "way", "system = \"left\"\nquantity = \"distance\"\n"),
                    height = curve_of_kind("measured", "height", "system = \"right\"\n"),
                    second = "[[plot]]\nname = \"b\"\n";
  auto scene = scene_of(two_balls(first + second + height + moment_head + fall_curve));
  auto other =
      scene_of(two_balls(second + curve_of_kind("measured", "speed", "system = \"left\"\nquantity = \"speed\"\n") +
                         height + first + moment_head + fall_curve));
  ASSERT_TRUE(scene && other);
  auto plots = PlotSet::compile(*scene), others = PlotSet::compile(*other);
  ASSERT_TRUE(plots && others);
  auto world = World::create(std::move(*scene));
  ASSERT_TRUE(world);
  PlotRecorder recorder(std::move(*plots));
  Snapshot snapshot;
  const auto take = [&] {
    (*world)->write_snapshot(snapshot);
    recorder.take(snapshot);
    ASSERT_TRUE((*world)->step());
  };
  for (int i = 0; i < 10; ++i) take();
  PlotData data;
  ASSERT_TRUE(recorder.read(data));
  const double way = data.series[0].value(9, 0), last_height = data.series[1].value(9, 0);
  EXPECT_GT(way, 0.1);
  recorder.replace(std::move(*others));
  ASSERT_TRUE(recorder.read(data)) << "the new curve must be readable even if the world is paused";
  ASSERT_EQ(data.series[0].size(), 10U);
  EXPECT_TRUE(std::isnan(data.series[0].value(9, 0))) << "a new curve has no past values";
  EXPECT_EQ(data.series[0].value(9, 1), last_height);
  EXPECT_EQ(data.series[1].value(9, 0), way);
  ASSERT_EQ(data.newest.size(), 5U);
  EXPECT_NEAR(data.newest[3], -0.05 * 9.81, 1e-9) << "the points at the stored time";
  take();
  ASSERT_TRUE(recorder.read(data));
  ASSERT_EQ(data.series[0].size(), 11U);
  EXPECT_GT(data.series[0].value(10, 0), 3);
  EXPECT_GT(data.series[1].value(10, 0), way) << "measured from the same start";
  EXPECT_NEAR(data.newest[3], -0.05 * 9.81, 1e-9);
}

TEST(PlotRecorder, ARenamedSystemIsMeasuredFromTheSameStart) {
  const std::string text = two_balls("[[plot]]\nname = \"p\"\n" +
                                     curve_of_kind("measured", "way", "system = \"left\"\nquantity = \"distance\"\n"));
  const std::string former = "\"left\"", present = "\"first\"";
  std::string renamed = text;
  for (auto at = renamed.find(former); at != std::string::npos; at = renamed.find(former))
    renamed.replace(at, former.size(), present);
  auto scene = scene_of(text), other = scene_of(renamed);
  ASSERT_TRUE(scene && other);
  auto plots = PlotSet::compile(*scene), others = PlotSet::compile(*other);
  ASSERT_TRUE(plots && others);
  auto world = World::create(std::move(*scene));
  ASSERT_TRUE(world);
  PlotRecorder recorder(std::move(*plots));
  Snapshot snapshot;
  for (int i = 0; i < 10; ++i) {
    (*world)->write_snapshot(snapshot);
    recorder.take(snapshot);
    ASSERT_TRUE((*world)->step());
  }
  PlotData data;
  ASSERT_TRUE(recorder.read(data));
  const double way = data.series[0].value(9, 0);
  EXPECT_GT(way, 0.1);
  const std::vector<RenamedPart> parts{{"left", "first", "system"}};
  recorder.replace(std::move(*others), parts);
  (*world)->write_snapshot(snapshot);
  for (SystemSnapshot& system : snapshot.systems)
    if (system.name == "left") system.name = "first";
  recorder.take(snapshot);
  ASSERT_TRUE(recorder.read(data));
  ASSERT_EQ(data.series[0].size(), 11U);
  EXPECT_EQ(data.series[0].value(9, 0), way);
  EXPECT_GT(data.series[0].value(10, 0), way);
}

TEST(PlotSet, AnEarlierRunIsMeasuredFromItsStartAfterAnEditOfThePlots) {
  const auto scene = scene_of(two_balls(
      "[[plot]]\nname = \"p\"\n" + curve_of_kind("measured", "way", "system = \"left\"\nquantity = \"distance\"\n")));
  ASSERT_TRUE(scene);
  auto plots = PlotSet::compile(*scene), edited = PlotSet::compile(*scene);
  ASSERT_TRUE(plots && edited);
  Snapshot snapshot;
  snapshot.dt_s = 0.01;
  snapshot.systems.emplace_back().name = "left";
  snapshot.systems[0].position.emplace_back(0.0F, 0.0F, 0.0F);
  snapshot.systems[0].velocity.emplace_back(0.0F, 0.0F, 0.0F);
  std::vector<double> row;
  for (const std::uint64_t run : {std::uint64_t{1}, std::uint64_t{2}}) {
    snapshot.run = run;
    snapshot.systems[0].center_of_mass = Vec3(10.0 * static_cast<double>(run), 0, 0);
    plots->measure(snapshot, row);
    EXPECT_EQ(row.at(0), 0);
  }
  edited->go_on_from(*plots);
  snapshot.run = 1;
  snapshot.systems[0].center_of_mass = Vec3(13, 0, 0);
  edited->measure(snapshot, row);
  EXPECT_EQ(row.at(0), 3);
}

TEST(PlotRecorder, RenamedPlotsAndCurvesKeepTheirRows) {
  const auto plots_named = [](const std::string& plot, const std::string& curve) {
    const auto scene = scene_of(
        two_balls("[[plot]]\nname = \"" + plot + "\"\n" + curve_of_kind("measured", curve, "system = \"left\"\n")));
    EXPECT_TRUE(scene);
    return PlotSet::compile(*scene);
  };
  auto plots = plots_named("p", "way"), others = plots_named("q", "path");
  ASSERT_TRUE(plots && others);
  PlotRecorder recorder(std::move(*plots));
  Snapshot snapshot;
  snapshot.dt_s = 0.01;
  snapshot.systems.emplace_back().name = "left";
  snapshot.systems[0].position.emplace_back(0.0F, 2.0F, 0.0F);
  snapshot.systems[0].velocity.emplace_back(0.0F, 0.0F, 0.0F);
  snapshot.systems[0].center_of_mass = Vec3(0, 2, 0);
  recorder.take(snapshot);
  recorder.replace(std::move(*others), std::vector<RenamedPart>{{"p.way", "p.path", "curve"}, {"p", "q", "plot"}});
  PlotData data;
  ASSERT_TRUE(recorder.read(data));
  ASSERT_EQ(data.series[0].size(), 1U);
  EXPECT_NEAR(data.series[0].value(0, 0), 2, 1e-12);
}

TEST(PlotRecorder, ReadingDoesNotWaitForAMeasurement) {
  auto scene = scene_of(two_balls(
      "[[plot]]\nname = \"p\"\n" +
      curve_of_kind("measured", "mean",
                    "system = \"left\"\nquantity = \"expression\"\nexpression = \"sin(x)\"\nover = \"mean\"\n")));
  ASSERT_TRUE(scene) << scene.error().message();
  auto plots = PlotSet::compile(*scene);
  ASSERT_TRUE(plots);
  PlotRecorder recorder(std::move(*plots));
  Snapshot snapshot;
  snapshot.time_s = snapshot.dt_s = 0.01;
  SystemSnapshot& system = snapshot.systems.emplace_back();
  system.name = "left";
  for (int i = 0; i < 20000; ++i) system.position.emplace_back(static_cast<float>(i), 0.0F, 0.0F);
  system.velocity.resize(system.position.size(), Vec3f::Zero());
  // If a reader waited for the mutex, it would return only after the measurement. It could then not read twice during
  // one measurement.
  std::atomic<int> measuring{0};
  std::atomic<bool> done{false}, read_twice{false};
  std::thread simulation([&] {
    for (int i = 1; i <= 400 && !read_twice; ++i) {
      measuring = i;
      recorder.take(snapshot);
      measuring = 0;
    }
    done = true;
  });
  PlotData data;
  while (!done && !read_twice) {
    const int now = measuring;
    int reads = 0;
    while (now != 0 && measuring == now && reads < 1000) {
      (void)recorder.read(data);
      ++reads;
    }
    // Before the measurement takes the mutex, there is time for a few reads only. If a thousand reads succeed, reading
    // does not wait for the mutex.
    read_twice = reads == 1000;
  }
  simulation.join();
  EXPECT_TRUE(read_twice);
}

TEST(PlotSet, AResetBeginsAnew) {
  auto scene = scene_of(two_balls("[[plot]]\nname = \"p\"\n" +
                                  curve_of_kind("measured", "way", "system = \"left\"\nquantity = \"distance\"\n")));
  ASSERT_TRUE(scene) << scene.error().message();
  auto plots = PlotSet::compile(*scene);
  ASSERT_TRUE(plots);
  auto world = World::create(std::move(*scene));
  ASSERT_TRUE(world);
  PlotRecorder recorder(std::move(*plots));
  Snapshot snapshot;
  PlotData data;
  const auto take = [&] {
    (*world)->write_snapshot(snapshot);
    recorder.take(snapshot);
  };
  take();
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE((*world)->step());
    take();
  }
  ASSERT_TRUE(recorder.read(data));
  EXPECT_FALSE(recorder.read(data)) << "read() must be false without new values";
  EXPECT_EQ(data.series[0].size(), 6U);
  EXPECT_GT(data.series[0].value(5, 0), 0.1);
  ASSERT_TRUE((*world)->apply(Reset{}));
  take();
  ASSERT_TRUE(recorder.read(data));
  ASSERT_EQ(data.series[0].size(), 1U);
  EXPECT_EQ(data.series[0].value(0, 0), 0);
}

TEST(PlotSeries, KeepsTheWholeCourseInBoundedMemory) {
  PlotSeries series;
  series.start(1, 0);
  const std::size_t steps = 5 * PlotSeries::limit;
  for (std::size_t i = 0; i <= steps; ++i) {
    const double t = 0.01 * static_cast<double>(i), y = 2 * t;
    series.add(t, &y);
  }
  EXPECT_LE(series.size(), PlotSeries::limit);
  EXPECT_GT(series.size(), PlotSeries::limit / 3);
  EXPECT_EQ(series.time(0), 0);
  EXPECT_NEAR(series.time(series.size() - 1), 0.01 * static_cast<double>(steps), 0.2);
  for (std::size_t i = 1; i < series.size(); ++i) {
    EXPECT_LT(series.time(i) - series.time(i - 1), 0.2) << "the series must have no gaps";
    EXPECT_DOUBLE_EQ(series.value(i, 0), 2 * series.time(i));
  }
}

TEST(PlotSeries, WithASpanForgetsWhatIsOlder) {
  PlotSeries series;
  series.start(1, 10);
  for (int i = 0; i < 100000; ++i) {
    const double y = i;
    series.add(0.01 * i, &y);
  }
  EXPECT_LE(series.size(), PlotSeries::limit);
  EXPECT_LT(series.time(0), 990);
  EXPECT_NEAR(series.time(series.size() - 1) - series.time(series.size() - 2), 0.01, 1e-9)
      << "every step of the last seconds";
}

TEST(PlotMistakes, AreOneSentenceEachWithFileLineAndHint) {
  const auto error = [](const std::string& plots) { return scene_error(two_balls(plots)); };
  const std::string head = "[[plot]]\nname = \"p\"\n";
  EXPECT_EQ(error(head + curve_of_kind("measured", "c", "system = \"lefd\"\n")),
            "lab.toml:36: plot.p.curve.c.system = \"lefd\": must name a system of this scene (did you mean \"left\"?)");
  EXPECT_NE(error(head + curve_of_kind("measured", "c", "system = \"left\"\nquantity = \"hight\"\n"))
                .find("did you mean \"height\""),
            std::string::npos);
  EXPECT_NE(error(head + curve_of_kind("measured", "c", "system = \"left\"\nquantity = \"gap\"\ncollider = \"flor\"\n"))
                .find("did you mean \"floor\""),
            std::string::npos);
  EXPECT_NE(error(head + curve_of_kind("measured", "c", "system = \"left\"\nquantity = \"gap\"\n"))
                .find("must name a collider"),
            std::string::npos);
  EXPECT_NE(error(head + curve_of_kind("analytic", "c", "formula = \"2*tt\"\n"))
                .find("plot.p.curve.c.formula = \"2*tt\": must use known names"),
            std::string::npos);
  EXPECT_NE(error(head + curve_of_kind("analytic", "c", "")).find("must be a formula"), std::string::npos);
  EXPECT_NE(error(head + curve_of_kind("analytic", "c", "formula = \"2*x\"\n")).find("\"x\" is unknown"),
            std::string::npos)
      << "a theory curve cannot refer to an element";
  EXPECT_NE(error(head + curve_of_kind("measured", "c", "system = \"left\"\nquantity = \"channel\"\n"))
                .find("must name the channel"),
            std::string::npos);
  EXPECT_NE(error(head + curve_of_kind("measured", "c", "system = \"*\"\n"))
                .find("must name a single system in a plot over time, but selects 2"),
            std::string::npos);
  EXPECT_NE(error("[[plot]]\nname = \"p\"\nx = \"colision_dt\"\n").find("did you mean \"collision_dt\""),
            std::string::npos);
  EXPECT_NE(error("[[plot]]\nname = \"p\"\nlet = [\"h\"]\n").find("must be \"name = formula\""), std::string::npos);
  EXPECT_NE(error("[[plot]]\nname = \"p\"\nlet = [\"g = 2\"]\n").find("g is in use already"), std::string::npos);
  EXPECT_NE(error("[[plot]]\nname = \"p\"\nlet = [\"h = system.lefd.radius\"]\n").find("plot.p.let"),
            std::string::npos);
  EXPECT_NE(error(head + head).find("must be unique: the plot"), std::string::npos);
  std::string many;
  for (int i = 0; i < 1200; ++i) many += curve_of_kind("analytic", "c" + std::to_string(i), "formula = \"t\"\n");
  EXPECT_NE(
      error(head + many).find("plot.p = at least 1001 curves and points: the plots of a scene may have at most 1000"),
      std::string::npos)
      << "the message names the first curve beyond the limit";
  std::string lets;
  for (int i = 0; i < 1001; ++i) lets += (i > 0 ? ", \"a" : "\"a") + std::to_string(i) + " = 1\"";
  EXPECT_NE(error(head + "let = [" + lets + "]\n")
                .find("plot.p.let = at least 1001 definitions: the plots of a scene may have at most 1000"),
            std::string::npos);
}

TEST(PlotMistakes, AChannelThatTheSystemLacksIsReportedByTheWorld) {
  const std::string head = "[[plot]]\nname = \"p\"\n";
  auto scene = scene_of(two_balls(
      head + curve_of_kind("measured", "c", "system = \"left\"\nquantity = \"channel\"\nchannel = \"sped\"\n")));
  ASSERT_TRUE(scene) << scene.error().message();
  Measured measured(std::move(*scene));
  Snapshot snapshot;
  measured.world().write_snapshot(snapshot);
  const auto known = measured.plots().check_names(snapshot);
  ASSERT_FALSE(known);
  EXPECT_EQ(known.error().message(),
            "plot.p.curve.c.channel = \"sped\": must name a channel of left (did you mean \"speed\"?)");
  EXPECT_TRUE(std::isnan(measured.last("p", "c"))) << "an unknown channel has no value";
}

TEST(PlotMistakes, ANameOfAnElementIsUnknownToTheory) {
  const std::string plots = "[[plot]]\nname = \"p\"\nlet = [\"fallen = y0 - y\", \"twice = 2*fallen\"]\n" +
                            curve_of_kind("analytic", "c", "formula = \"twice\"\n");
  EXPECT_NE(scene_error(two_balls(plots)).find("\"twice\" is unknown"), std::string::npos)
      << scene_error(two_balls(plots));
}

TEST(Plots, ArePartOfNeitherStateNorHash) {
  const std::string plots =
      "[[plot]]\nname = \"p\"\n" + curve_of_kind("measured", "way", "system = \"left\"\nquantity = \"distance\"\n");
  auto with = scene_of(two_balls(plots)), without = scene_of(two_balls(""));
  ASSERT_TRUE(with && without);
  Measured measured(std::move(*with));
  auto plain = World::create(std::move(*without));
  ASSERT_TRUE(plain);
  EXPECT_EQ(measured.world().hash(), (*plain)->hash());
  measured.run(0.3);
  while ((*plain)->step_count() < measured.world().step_count()) ASSERT_TRUE((*plain)->step());
  EXPECT_EQ(measured.world().hash(), (*plain)->hash());
  ASSERT_TRUE(measured.world().apply(SetParameter{"plot.p.title", std::string("another")}));
  EXPECT_FALSE(measured.world().apply(SetParameter{"plot.p.curve.way.system", std::string("nobody")}));
  EXPECT_TRUE(measured.world().apply(SetParameter{"plot.p.curve.way.system", std::string("right")}));
  EXPECT_EQ(measured.world().hash(), (*plain)->hash());
}

TEST(Plots, AreWrittenAndReadBackAsTheyAre) {
  const std::string plots = "[[plot]]\nname = \"p\"\nx_log = true\nlet = [\"a = 2\"]\n" +
                            curve_of_kind("analytic", "c", "formula = \"a*t\"\ncolor = [1, 0, 0]\n");
  auto scene = scene_of(two_balls(plots));
  ASSERT_TRUE(scene) << scene.error().message();
  auto again = scene_of(write_scene_toml(*scene));
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_TRUE(same_node(*scene, *again));
}

}  // namespace
}  // namespace vw
