// The window's plots: measured at every step on the simulation thread, updated after edits, and drawn without a
// display.
#ifdef VOXWAKE_HAVE_WINDOW
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/window/ui/widgets/column_thinner.h"
#include "app/window/ui/widgets/plot.h"
#include "sim/scene/scene.h"
#include "tests/app/window/frames.h"
#include "tests/support/packaged.h"

namespace vw::ui {
namespace {

class WindowPlots : public WindowFrames {
 protected:
  static void open_lab(App& app, const char* name) {
    app.session.playing = false;
    open(app, test::packaged_path(name));
  }
};

TEST_F(WindowPlots, PointsOfACurveDoNotCoincide) {
  // ImGui draws a wide line twice as wide at points that coincide.
  ColumnThinner thinner;
  for (int i = 0; i < 900; ++i) {
    const float x = 0.3F * static_cast<float>(i);
    thinner.add({x, 200 + 150 * std::sin(0.05F * x)});
  }
  const std::vector<ImVec2> points = thinner.take();
  ASSERT_GT(points.size(), 250U);
  float lowest = 200;
  for (std::size_t i = 1; i < points.size(); ++i) {
    EXPECT_GE(std::hypot(points[i].x - points[i - 1].x, points[i].y - points[i - 1].y), 0.5F) << i;
    EXPECT_GE(points[i].x, points[i - 1].x) << i;
    lowest = std::min(lowest, points[i].y);
  }
  EXPECT_NEAR(lowest, 50, 0.1F) << "the peak is kept";
  EXPECT_TRUE(thinner.take().empty());
}

TEST_F(WindowPlots, ComeToTheFrontAndMissNoStep) {
  App app(WindowOptions{});
  open_lab(app, "lab-slide");
  frames_until(app, [&] { return app.session.run != nullptr && app.session.have_snapshot; });
  ASSERT_FALSE(app.session.plots.empty());
  app.session.run->single_step(60);
  frames_until(app, [&] { return app.session.plots.data().time_s > 0.99; });
  const PlotSeries& series = app.session.plots.data().series[0];
  ASSERT_EQ(series.size(), 61U) << "the start and every step, even if few frames were drawn";
  for (std::size_t i = 1; i < series.size(); ++i) EXPECT_NEAR(series.time(i) - series.time(i - 1), 1.0 / 60, 1e-12);
  EXPECT_NEAR(app.session.plots.analytic(0, 0, 2, 2), 4.71257, 5e-6) << "theory has values for future times";
  frames_until(app, [&] { return ImGui::GetDrawData()->TotalVtxCount > 2000; });
  const std::string table = app.session.plots.table();
  EXPECT_TRUE(table.starts_with("time,plot,curve,system,x,y\n0,")) << table.substr(0, 60);
  std::size_t values = 0;
  for (std::size_t p = 0; p < app.session.plots.plans().size(); ++p)
    for (std::size_t row = 0; row < app.session.plots.data().series[p].size(); ++row)
      for (std::size_t c = 0; c < app.session.plots.plans()[p].columns.size(); ++c)
        values += std::isfinite(app.session.plots.data().series[p].value(row, c)) ? 1 : 0;
  EXPECT_EQ(static_cast<std::size_t>(std::count(table.begin(), table.end(), '\n')), values + 1) << "one line per value";
  reset(app);
  frames_until(app, [&] { return app.session.plots.data().time_s == 0; });
  EXPECT_EQ(app.session.plots.data().series[0].size(), 1U);
}

TEST_F(WindowPlots, FollowEditsOfTheSceneAndUndo) {
  App app(WindowOptions{});
  open_lab(app, "lab-slide");
  frames_until(app, [&] { return app.session.run != nullptr && app.session.have_snapshot; });
  app.session.run->single_step(10);
  frames_until(app, [&] { return app.session.plots.data().time_s > 0.16; });
  const std::size_t rows = app.session.plots.data().series[0].size();
  edit(app, {{"system.exact.mu_dynamic", Value(0.0)}});
  EXPECT_NEAR(app.session.plots.analytic(0, 0, 2, 2), 9.81, 1e-9) << "without friction, g sin 30 t^2 / 2";
  EXPECT_EQ(app.session.plots.data().series[0].size(), rows) << "measured values must be kept";
  app.session.run->single_step(1);
  frames_until(app, [&] { return app.session.plots.data().series[0].size() == rows + 1; });
  const PlotSeries& way = app.session.plots.data().series[0];
  EXPECT_GT(way.value(rows, 1), way.value(rows - 1, 1))
      << "the displacement must still be measured from the same start";
  edit(app, {{"plot.way.curve.theory.formula", Value(std::string("2*wey"))}});
  EXPECT_NE(app.session.plots.problem().find("did you mean \"way\"?"), std::string::npos)
      << app.session.plots.problem();
  EXPECT_NEAR(app.session.plots.analytic(0, 0, 2, 2), 9.81, 1e-9) << "after undo, the curves must be as before";
  undo(app);
  EXPECT_EQ(app.session.plots.problem(), "");
  edit(app, {{"plot.way.title", Value(std::string("Another title"))}});
  EXPECT_EQ(app.session.plots.plans()[0].params.title, "Another title");
  EXPECT_EQ(app.session.plots.data().series[0].size(), rows + 1);
  edit(app, {{"plot.way.curve.exact.quantity", Value(std::string("speed"))}});
  const PlotSeries& other = app.session.plots.data().series[0];
  ASSERT_EQ(other.size(), rows + 1) << "other curves must be kept";
  const auto& plan = app.session.plots.plans()[0];
  for (std::size_t c = 0; c < plan.columns.size(); ++c)
    EXPECT_EQ(std::isnan(other.value(rows, c)), plan.curves[plan.columns[c].curve].name == "exact")
        << "a curve of another quantity must begin again";
}

TEST_F(WindowPlots, ASceneWithoutPlotsHasNoPanelAndNoWatcher) {
  App app(WindowOptions{});
  open_lab(app, "incline");
  frames_until(app, [&] { return app.session.run != nullptr && app.session.have_snapshot; });
  EXPECT_TRUE(app.session.plots.empty());
  EXPECT_TRUE(app.session.plots.wanted().channels.empty());
}

TEST_F(WindowPlots, LinesOfAPlotAreOfOneWidth) {
  App app(WindowOptions{});
  open_lab(app, "lab-bounce");
  frames_until(app, [&] { return app.session.run != nullptr && app.session.have_snapshot; });
  const Plot plot = plot_picture(app, 0);
  ASSERT_GT(plot.curves.size(), 2U);
  for (const Curve& curve : plot.curves) EXPECT_EQ(curve.width_em, plot.curves[0].width_em) << curve.name;
}

TEST_F(WindowPlots, EveryLabSceneIsDrawn) {
  for (const PackagedScene& scene : packaged_scenes()) {
    if (scene.group != "lab") continue;
    App app(WindowOptions{});
    app.session.playing = false;
    open(app, scene.path);
    frames_until(app, [&] { return app.session.run != nullptr && app.session.have_snapshot; });
    app.session.run->single_step(20);
    frames_until(app, [&] { return app.session.run->newest().step >= 20; });
    EXPECT_FALSE(app.session.document->can_undo()) << "drawing alone must not edit";
  }
}

TEST_F(WindowPlots, ATheoryFarOutsideItsPlotIsNotDrawnThere) {
  Plot plot;
  plot.y_range = std::pair(0.0, 1.0);
  Curve theory{"theory", {1, 1, 1, 1}};
  theory.stroke = Stroke::dashed;
  for (int i = 0; i <= 600; ++i) {
    theory.x.push_back(i);
    theory.y.push_back(i % 2 == 0 ? -400 : 400);
  }
  plot.curves.push_back(theory);
  ImGui::NewFrame();
  ImGui::SetNextWindowSize({600, 400});
  ImGui::Begin("window");
  draw_plot("plot", plot);
  ImGui::End();
  ImGui::Render();
  // Each of the 600 steep lines crosses the plot's height of some 150 pixels with a dash every ten pixels: 9,000 dashes
  // of 4 vertices. Dashes along the whole lines, most of which lie outside the plot, would need millions of vertices.
  EXPECT_GT(ImGui::GetDrawData()->TotalVtxCount, 1000);
  EXPECT_LT(ImGui::GetDrawData()->TotalVtxCount, 60000);
}

TEST_F(WindowPlots, OverAParameterTheAxisGoesAsFarAsAsked) {
  App app(WindowOptions{});
  open_lab(app, "lab-convergence");
  frames_until(app, [&] { return app.session.run != nullptr && app.session.have_snapshot; });
  const auto plot_of_error = [&] {
    const auto& plans = app.session.plots.plans();
    return static_cast<std::size_t>(
        std::find_if(plans.begin(), plans.end(), [](const PlotPlan& plan) { return plan.name == "error"; }) -
        plans.begin());
  };
  edit(app, {{"plot.error.x_max", Value(2.5)}});
  const Plot plot = plot_picture(app, plot_of_error());
  EXPECT_EQ(plot.x_reach, 2.5);
  const auto theory = std::find_if(plot.curves.begin(), plot.curves.end(),
                                   [](const Curve& curve) { return curve.stroke == Stroke::dashed; });
  ASSERT_NE(theory, plot.curves.end());
  EXPECT_NEAR(theory->x.back(), 2.5, 1e-9);
}

TEST(PlotAxes, LogarithmicTicksAreRoundAndInside) {
  EXPECT_EQ(log_ticks(0.009, 1100), (std::vector<double>{0.01, 0.1, 1, 10, 100, 1000}));
  EXPECT_EQ(log_ticks(0.9, 6), (std::vector<double>{1, 2, 5}));
  EXPECT_TRUE(log_ticks(0, 1).empty());
  EXPECT_TRUE(log_ticks(-1, 1).empty());
  EXPECT_TRUE(log_ticks(1, 1).empty());
  const auto wide = log_ticks(1e-300, 1e300);  // the quotient of the two limits is infinite
  EXPECT_GE(wide.size(), 5U);
  EXPECT_LE(wide.size(), 8U);
}

}  // namespace
}  // namespace vw::ui
#endif
