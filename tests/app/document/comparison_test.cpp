// Comparing two runs in the window: with another branch, another value of a parameter, or another scene.
#ifdef VOXWAKE_HAVE_WINDOW
#include <gtest/gtest.h>

#include "app/capture/capture.h"
#include "app/window/results/pair_frames.h"
#include "app/window/snapshot_queue.h"
#include "app/window/ui/actions/capture_moment.h"
#include "app/window/ui/widgets/plot.h"
#include "render/framing.h"
#include "tests/app/window/input.h"
#include "tests/support/checked.h"
#include "tests/support/packaged.h"
#include "tests/support/scratch.h"

namespace vw::ui {
namespace {

class WindowComparison : public WindowInput {
 protected:
  void SetUp() override {
    WindowInput::SetUp();
    app.session.playing = false;
    open_scene("lab-bounce");
  }
  void open_scene(const std::string& name) {
    open(app, test::packaged_path(name));
    frames_until(app, [&] {
      return app.session.document != nullptr && app.session.have_snapshot && app.session.scene_name() == name;
    });
    frames(app);
  }
  [[nodiscard]] const Snapshot& now() const { return app.session.run->newest(); }
  [[nodiscard]] const ComparisonShow& comparison() const { return app.session.comparison; }
  void steps(int count) {
    const std::uint64_t until = now().tick + static_cast<std::uint64_t>(count);
    app.session.run->single_step(count);
    frames_until(app, [&] { return now().tick >= until; });
    frames_until(app, [&] { return app.session.run->timeline()->branches.back().end_tick >= until; });
  }
  void wait_for_tick(std::uint64_t tick) {
    frames_until(app, [&] { return now().tick == tick && !now().place.is_seeking; });
  }
  /// Plays 40 steps, makes a branch with another gravity at step 20, and shows step 40 of the branch.
  void make_branch() {
    steps(40);
    seek(app, 0, 20 * now().dt_s);
    wait_for_tick(20);
    frames(app);
    edit(app, {{"world.gravity", Value(Vec3(0, -1, 0))}});
    frames_until(app, [&] { return now().place.branch == 1; });
    frames_until(app, [&] { return app.session.run->timeline()->branches.size() == 2; });
    steps(20);
  }
  /// Waits until both runs, A and B, are shown at the newest moment of A.
  void wait_for_pair() {
    frames_until(app, [&] {
      return comparison().is_together() && comparison().a().sequence == now().sequence &&
             comparison().b().tick == comparison().a().tick;
    });
    frames(app);
  }
  /// Writes a picture of the comparison, opens this picture, and waits until the comparison is shown again.
  void open_picture_of_pair() {
    const std::string path = folder.path("shot.png");
    const std::string moment = bytes_of(*shown_moment(app), path, app.log);
    ASSERT_TRUE(write_png({2, 2, std::vector<std::uint8_t>(16)}, path, moment));
    end_comparison(app);
    const auto* before = app.session.run.get();
    open(app, path);
    frames_until(app, [&] { return app.session.run.get() != before && app.session.have_snapshot; });
    ASSERT_TRUE(comparison().is_active());
    wait_for_pair();
  }
  [[nodiscard]] static Vec3f place_of_first(const Snapshot& snapshot) { return snapshot.systems.at(0).position.at(0); }

  test::Scratch folder;
  App app{WindowOptions{}};
};

TEST_F(WindowComparison, ShowsAnotherBranchAtTheSameTime) {
  make_branch();
  compare_with_branch(app, 0);
  wait_for_pair();
  EXPECT_TRUE(is_shown("A: Branch 1"));
  EXPECT_TRUE(is_shown("B: Main"));
  EXPECT_EQ(comparison().b().tick, 40U);
  EXPECT_NE(place_of_first(comparison().a()), place_of_first(comparison().b()));
  seek(app, 1, 10 * now().dt_s);
  wait_for_tick(10);
  wait_for_pair();
  EXPECT_EQ(comparison().b().tick, 10U);
  EXPECT_EQ(place_of_first(comparison().a()), place_of_first(comparison().b()))
      << "both runs must be equal before the branch begins";
}

TEST_F(WindowComparison, TheBarChoosesTheArrangementAndTheDifferenceAndEndsTheComparison) {
  make_branch();
  const float height = app.view.viewport.size().y, width = app.view.viewport.size().x;
  compare_with_branch(app, 0);
  wait_for_pair();
  EXPECT_LT(app.view.viewport.size().y, height);
  EXPECT_LT(app.view.viewport.size().x, 0.5F * width);
  click(app, "Ghost");
  EXPECT_EQ(app.view.viewport.size().x, width);
  click(app, "Difference");
  frames_until(app, [&] { return comparison().difference().systems > 0; });
  EXPECT_GT(comparison().difference().largest_m, 0);
  EXPECT_GE(comparison().difference().largest_m,
            (place_of_first(comparison().a()) - place_of_first(comparison().b())).norm());
  click(app, "Side by side");
  end_comparison(app);
  frames(app);
  EXPECT_FALSE(comparison().is_active());
  EXPECT_FALSE(is_shown("Side by side"));
  EXPECT_EQ(app.view.viewport.size().x, width);
}

TEST_F(WindowComparison, AParameterIsComparedWithTheValueInTheFile) {
  edit(app, {{"world.gravity", Value(Vec3(0, -1, 0))}});
  frames_until(app, [&] { return now().commands == 1; });
  steps(30);
  app.ui.layout.selected_path = "world";
  frames(app);
  click(app, "Gravity", 1);
  click(app, "Compare with the value in the file");
  ASSERT_TRUE(comparison().is_active());
  wait_for_pair();
  EXPECT_NE(comparison().subject().name.find("(value in the file)"), std::string::npos) << comparison().subject().name;
  EXPECT_LT(place_of_first(comparison().b()).y(), place_of_first(comparison().a()).y()) << "B falls faster";
  // B must receive later commands of A, except changes of the compared parameter. It thus has one command fewer than A.
  const std::string system = now().systems.at(0).name;
  app.session.run->submit(Push{system, 0, Vec3(0.5, 0, 0), 0});
  frames_until(app, [&] { return now().commands == 2; });
  steps(5);
  frames_until(app, [&] { return comparison().is_together() && comparison().b().commands == 1; });
  wait_for_pair();
  EXPECT_GT(comparison().b().systems.at(0).velocity.at(0).x(), 0);
}

TEST_F(WindowComparison, PlotsHaveTheCurvesOfBothRunsOrTheirDifference) {
  make_branch();
  compare_with_branch(app, 0);
  wait_for_pair();
  frames_until(app, [&] {
    if (comparison().plots().empty()) return false;
    const PlotSeries& series = comparison().plots().data().series.at(0);
    return series.size() > 0 && series.time(series.size() - 1) >= 39.9 * now().dt_s;
  });
  const auto count = [](const Plot& plot, Stroke stroke) {
    return std::ranges::count(plot.curves, stroke, &Curve::stroke);
  };
  Plot plot = plot_picture(app, 0);
  EXPECT_GT(count(plot, Stroke::dotted), 0);
  EXPECT_EQ(count(plot, Stroke::dotted), count(plot, Stroke::line));
  const auto second = std::ranges::find(plot.curves, Stroke::dotted, &Curve::stroke);
  ASSERT_NE(second, plot.curves.end());
  EXPECT_EQ(second->x.size(), 41U) << "the curve must include the steps before B's first keyframe";
  app.session.comparison.plots_difference = true;
  plot = plot_picture(app, 0);
  EXPECT_EQ(count(plot, Stroke::dotted), 0);
  const auto curve = std::ranges::find(plot.curves, Stroke::line, &Curve::stroke);
  ASSERT_NE(curve, plot.curves.end());
  ASSERT_EQ(curve->y.size(), 41U);
  EXPECT_EQ(curve->y.at(10), 0) << "the difference must be 0 before the branch begins";
  EXPECT_NE(curve->y.at(40), 0);
}

TEST_F(WindowComparison, TheDisplayedRunWaitsForTheSecond) {
  make_branch();
  compare_with_branch(app, 0);
  set_playing(app, true);
  frames_until(app, [&] { return now().place.elapsed_s > 1; });
  EXPECT_LE(now().place.elapsed_s, comparison().progress().elapsed_s + 0.2);
  set_playing(app, false);
  wait_for_pair();
  end_comparison(app);
  set_playing(app, true);
  const double from_s = now().place.elapsed_s;
  frames_until(app, [&] { return now().place.elapsed_s > from_s + 0.5; });
}

TEST_F(WindowComparison, ShowsAnotherSceneAtTheSameTime) {
  steps(30);
  compare_with_file(app, test::packaged_path("jelly-drop"));
  frames_until(app, [&] { return comparison().is_active() && comparison().is_together(); });
  frames(app);
  EXPECT_TRUE(is_shown("A: lab-bounce"));
  EXPECT_TRUE(is_shown("B: jelly-drop.toml"));
  EXPECT_NE(comparison().a().systems.at(0).name, comparison().b().systems.at(0).name);
  EXPECT_NEAR(comparison().b().place.elapsed_s, comparison().a().place.elapsed_s, comparison().b().dt_s);
  seek(app, 0, 10 * now().dt_s);
  wait_for_tick(10);
  frames_until(app, [&] { return comparison().shows(now()); });
  EXPECT_NEAR(comparison().b().place.elapsed_s, comparison().a().place.elapsed_s, comparison().b().dt_s);
  end_comparison(app);
  compare_with_file(app, test::packaged_path("jelly-drop") + ".missing");
  frames_until(app, [&] { return !app.session.second.session.valid(); });
  EXPECT_FALSE(comparison().is_active());
}

TEST_F(WindowComparison, TheCameraFramesBothScenes) {
  app.view.viewport.frame_subject(app);
  const Camera before = app.view.viewport.camera;
  compare_with_file(app, test::packaged_path("dam-break"));
  frames_until(app, [&] { return comparison().is_active() && comparison().is_together(); });
  frames(app);
  const Viewport& viewport = app.view.viewport;
  EXPECT_NE(viewport.camera.eye, before.eye);
  for (const Snapshot* shown : {&comparison().a(), &comparison().b()}) {
    SubjectPoints points;
    subject_points(*shown, points);
    const auto area = area_in_picture(points, viewport.camera, viewport.size().x / viewport.size().y);
    ASSERT_TRUE(area) << "the camera must not be inside a subject";
    EXPECT_GT(std::min(area->min.x, area->min.y), -1);
    EXPECT_LT(std::max(area->max.x, area->max.y), 1);
  }
}

TEST_F(WindowComparison, PicturesOfAVideoHaveBothRunsAtTheirTimes) {
  make_branch();
  compare_with_branch(app, 0);
  wait_for_pair();
  Snapshot before, after;
  seek(app, 1, 30 * now().dt_s);
  wait_for_tick(30);
  before = now();
  seek(app, 1, 31 * now().dt_s);
  wait_for_tick(31);
  after = now();
  PairFrames pair;
  frames_until(app, [&] { return pair.prepare(app.session.comparison, *app.session.run, before, after); });
  EXPECT_EQ(pair.a(0.5F).previous->tick, 30U);
  EXPECT_EQ(pair.a(0.5F).newest->tick, 31U);
  EXPECT_EQ(pair.b(0.5F).previous->tick, 30U);
  EXPECT_EQ(pair.b(0.5F).newest->tick, 31U);
  EXPECT_NE(place_of_first(*pair.b(0.5F).newest), place_of_first(*pair.a(0.5F).newest));
  EXPECT_NE(place_of_first(*pair.b(0.5F).newest), place_of_first(*pair.b(0.5F).previous));
}

TEST_F(WindowComparison, APictureOfTwoBranchesOpensWithBoth) {
  make_branch();
  compare_with_branch(app, 0);
  app.session.comparison.arrangement = ComparisonShow::Arrangement::ghost;
  app.session.comparison.ghost_percent = 30;
  wait_for_pair();
  const Vec3f a = place_of_first(comparison().a()), b = place_of_first(comparison().b());
  ASSERT_NE(a, b);
  open_picture_of_pair();
  EXPECT_EQ(comparison().subject().name, "Main");
  EXPECT_EQ(comparison().arrangement, ComparisonShow::Arrangement::ghost);
  EXPECT_EQ(comparison().ghost_percent, 30);
  EXPECT_EQ(place_of_first(comparison().a()), a);
  EXPECT_EQ(place_of_first(comparison().b()), b);
}

TEST_F(WindowComparison, APictureWithAnotherValueOpensWithIt) {
  steps(5);
  edit(app, {{"world.gravity", Value(Vec3(0, -2, 0))}});
  steps(20);
  compare_with_value(app, {"world.gravity", Value(Vec3(0, -1, 0)), "test"});
  wait_for_pair();
  const Vec3f a = place_of_first(comparison().a()), b = place_of_first(comparison().b());
  ASSERT_NE(a, b);
  open_picture_of_pair();
  EXPECT_EQ(place_of_first(comparison().a()), a);
  EXPECT_EQ(place_of_first(comparison().b()), b);
  steps(5);  // B must also receive later commands of A
  wait_for_pair();
}

TEST_F(WindowComparison, APictureOfTwoScenesOpensWithBoth) {
  steps(30);
  compare_with_file(app, test::packaged_path("jelly-drop"));
  frames_until(app, [&] { return comparison().is_active() && comparison().shows(now()); });
  const Vec3f b = place_of_first(comparison().b());
  const std::string path = folder.path("shot.png");
  ASSERT_TRUE(write_png({2, 2, std::vector<std::uint8_t>(16)}, path, bytes_of(*shown_moment(app), path, app.log)));
  const auto* before = app.session.run.get();
  open(app, path);
  frames_until(app, [&] { return app.session.run.get() != before && app.session.have_snapshot; });
  frames_until(app, [&] { return comparison().is_active() && comparison().shows(now()); });
  EXPECT_EQ(comparison().subject().name, "jelly-drop.toml");
  EXPECT_EQ(place_of_first(comparison().b()), b);
}

TEST_F(WindowComparison, EndsWithItsScene) {
  make_branch();
  compare_with_branch(app, 0);
  wait_for_pair();
  open_scene("jelly-drop");
  EXPECT_FALSE(comparison().is_active());
}

TEST_F(WindowComparison, TheMenuOfABranchOffersAComparison) {
  make_branch();
  app.ui.timeline.menu_branch = 0;
  const float top = ImGui::GetIO().DisplaySize.y - em(3.3F) - timeline_height(app) + em(0.55F);
  click(app, {em(2), top + em(0.5F)}, 1);
  click(app, "Compare with this branch");
  ASSERT_TRUE(comparison().is_active());
  EXPECT_EQ(comparison().subject().branch, 0U);
}

}  // namespace
}  // namespace vw::ui
#endif
