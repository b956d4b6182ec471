// The timeline of the window: dragging, keys, branches and plots.
#ifdef VOXWAKE_HAVE_WINDOW
#include <gtest/gtest.h>

#include "app/window/ui/node_selection.h"
#include "app/window/ui/widgets/plot.h"
#include "tests/app/window/input.h"
#include "tests/support/packaged.h"

namespace vw::ui {
namespace {

class WindowTimeline : public WindowInput {
 protected:
  void SetUp() override {
    WindowInput::SetUp();
    app.session.playing = false;
    open(app, test::packaged_path("jelly-drop"));
    frames_until(app, [&] { return app.session.document != nullptr && app.session.have_snapshot; });
    frames(app);
  }
  [[nodiscard]] const Snapshot& now() const { return app.session.run->newest(); }
  void steps(int count) {
    const std::uint64_t until = now().tick + static_cast<std::uint64_t>(count);
    app.session.run->single_step(count);
    frames_until(app, [&] { return now().tick >= until; });
    // Waits for the timeline, which is updated only a few times per second.
    frames_until(app, [&] { return app.session.run->timeline()->branches.back().end_tick >= until; });
  }
  void wait_for_tick(std::uint64_t tick) {
    frames_until(app, [&] { return now().tick == tick && !now().place.is_seeking; });
  }
  /// Returns the point of the timeline at a time. If the complete time axis is visible, it ends at 1.02 times the last
  /// time, or at 2 s if this is later.
  [[nodiscard]] ImVec2 point_at(double time_s, std::size_t row = 0) const {
    const double range = std::max(2.0, 1.02 * app.session.run->timeline()->branches.back().end_s);
    const float low = em(0.9F), high = ImGui::GetIO().DisplaySize.x - em(4.8F);
    const float top = ImGui::GetIO().DisplaySize.y - em(3.3F) - timeline_height(app) + em(0.55F);
    return {low + static_cast<float>(time_s / range) * (high - low),
            top + em(0.95F) * (static_cast<float>(row) + 0.5F)};
  }
  [[nodiscard]] double gravity() const { return std::get<Vec3>(*app.session.document->value("world.gravity")).y(); }

  App app{WindowOptions{}};
};

TEST_F(WindowTimeline, DraggingGoesToAnotherMoment) {
  steps(60);
  const double dt = now().dt_s;
  drag_and_drop(app, point_at(50 * dt), point_at(20 * dt));
  wait_for_tick(20);
  EXPECT_TRUE(now().place.is_past);
  EXPECT_FALSE(app.ui.timeline.is_dragging);
  click(app, point_at(45 * dt));
  wait_for_tick(45);
}

TEST_F(WindowTimeline, KeysGoBackAndToTheEnd) {
  steps(10);
  press(app, GLFW_KEY_COMMA);
  wait_for_tick(9);
  press(app, GLFW_KEY_LEFT);
  wait_for_tick(8);
  press(app, GLFW_KEY_PERIOD);
  wait_for_tick(9);
  press(app, GLFW_KEY_END, {GLFW_KEY_LEFT_CONTROL});
  wait_for_tick(10);
  press(app, GLFW_KEY_J);
  wait_for_tick(0);
  frames_until(app, [&] { return !app.session.backwards.is_on; });
  press(app, GLFW_KEY_L);
  frames_until(app, [&] { return now().tick > 12; });
  press(app, GLFW_KEY_K);
  EXPECT_FALSE(app.session.playing);
}

TEST_F(WindowTimeline, AStepAndAResetEndPlayingBackwards) {
  steps(2);
  play_backwards(app, true);
  ASSERT_TRUE(app.session.backwards.is_on);
  single_step(app);
  EXPECT_FALSE(app.session.backwards.is_on);
  play_backwards(app, true);
  reset(app);
  EXPECT_FALSE(app.session.backwards.is_on);
}

TEST_F(WindowTimeline, AWorldThatMustRestartKeepsItsPast) {
  steps(20);
  // The edit takes effect at the next reset. Until then, the running world needs the material, so removing it restarts
  // the world.
  edit(app, {{"system.cherry.material", Value(std::string("lime"))}});
  frames(app);
  app.ui.layout.selected_path = "material.cherry";
  remove_nodes(app);
  frames_until(app, [&] { return now().time_s == 0 && now().tick == 20; });
  EXPECT_TRUE(app.session.waiting.empty()) << "the restart must apply the waiting edit";
  EXPECT_EQ(app.session.document->root().find("material", "cherry"), nullptr);
  steps(10);
  seek(app, 0, 10 * now().dt_s);
  wait_for_tick(10);
  frames_until(app, [&] { return app.session.document->root().find("material", "cherry") != nullptr; });
  EXPECT_GT(now().time_s, 0);
}

TEST_F(WindowTimeline, TheDocumentShowsTheSceneOfTheMoment) {
  steps(20);
  edit(app, {{"world.gravity", Value(Vec3(0, -1, 0))}});
  steps(20);
  seek(app, 0, 10 * now().dt_s);
  wait_for_tick(10);
  frames_until(app, [&] { return gravity() == -9.81; });
  seek_end(app);
  wait_for_tick(40);
  frames_until(app, [&] { return gravity() == -1; });
  // An edit at a past moment must begin a branch and stay in the document.
  seek(app, 0, 10 * now().dt_s);
  wait_for_tick(10);
  frames_until(app, [&] { return gravity() == -9.81; });
  edit(app, {{"world.gravity", Value(Vec3(0, -3, 0))}});
  frames_until(app, [&] { return now().place.branch == 1; });
  steps(5);
  EXPECT_EQ(gravity(), -3);
  frames_until(app, [&] { return app.session.run->timeline()->branches.size() == 2; });
  EXPECT_TRUE(app.log.messages().empty() || app.log.messages().back().text.find("error") == std::string::npos);
}

TEST_F(WindowTimeline, ANodeAddedAtAPastMomentStaysInItsBranch) {
  steps(20);
  seek(app, 0, 10 * now().dt_s);
  wait_for_tick(10);
  change_scene(app, {.node_changes = {{.node = [&] {
                       const Schema& root = *app.session.document->root().schema;
                       const auto slot = std::ranges::find(root.slots, "collider", &Slot::name) - root.slots.begin();
                       return make_node(*root.slots[static_cast<std::size_t>(slot)].kinds.front(), "extra",
                                        static_cast<std::size_t>(slot));
                     }()}}});
  frames_until(app, [&] { return now().place.branch == 1; });
  ASSERT_FALSE(HasFailure()) << last_message(app);
  EXPECT_NE(app.session.document->root().find("collider", "extra"), nullptr);
  seek(app, 0, 15 * now().dt_s);
  wait_for_tick(15);
  ASSERT_FALSE(HasFailure());
  frames_until(app, [&] { return app.session.document->root().find("collider", "extra") == nullptr; });
  ASSERT_FALSE(HasFailure());
  seek(app, 1, 0.0);
  wait_for_tick(0);
  ASSERT_FALSE(HasFailure());
  seek_end(app);
  frames_until(app, [&] { return now().commands == 1; });
  EXPECT_EQ(now().tick, 10U);
  EXPECT_EQ(now().place.branch, 1U);
  ASSERT_FALSE(HasFailure());
  frames_until(app, [&] { return app.session.document->root().find("collider", "extra") != nullptr; });
}

TEST_F(WindowTimeline, APlotOfALaterMomentIsRemovedAtAPastMoment) {
  steps(20);
  change_scene(app, {.node_changes = {{.node = [&] {
                       const Schema& root = *app.session.document->root().schema;
                       const auto slot = std::ranges::find(root.slots, "plot", &Slot::name) - root.slots.begin();
                       return make_node(*root.slots[static_cast<std::size_t>(slot)].kinds.front(), "later",
                                        static_cast<std::size_t>(slot));
                     }()}}});
  frames_until(app, [&] { return now().commands == 1; });
  ASSERT_FALSE(HasFailure()) << last_message(app);
  seek(app, 0, 10 * now().dt_s);
  wait_for_tick(10);
  ASSERT_FALSE(HasFailure());
  frames(app);
  ASSERT_NE(app.session.document->root().find("plot", "later"), nullptr) << "plots stay at a past moment";
  change_scene(app, {.node_changes = {removal_of(app.session.document->root(), "plot.later")}});
  frames_until(app, [&] { return app.session.document->root().find("plot", "later") == nullptr; });
  frames(app, 10);
  EXPECT_FALSE(app.session.loader.busy()) << "the world must not restart";
  EXPECT_EQ(now().tick, 10U);
  EXPECT_EQ(app.session.run->timeline()->branches.at(0).end_tick, 20U) << "the timeline must stay";
}

TEST_F(WindowTimeline, ABookmarkIsNamedAndFoundAgain) {
  steps(20);
  press(app, GLFW_KEY_B);
  frames(app);
  type(app, "landing");
  press(app, GLFW_KEY_ENTER);
  frames_until(app, [&] {
    const auto& marks = app.session.run->timeline()->branches[0].marks;
    return !marks.empty() && marks[0].text == "landing";
  });
  const double at = 20 * now().dt_s;
  steps(20);
  click(app, {point_at(at).x + 2, point_at(at).y});
  wait_for_tick(20);
  EXPECT_TRUE(now().place.is_past) << "a click near the mark must go to the mark";
}

TEST_F(WindowTimeline, TheWorldWaitsWhileABookmarkIsNamed) {
  steps(20);
  set_playing(app, true);
  frames_until(app, [&] { return now().tick > 20; });
  press(app, GLFW_KEY_B);
  frames_until(app, [&] { return now().paused; });
  const std::uint64_t at = now().tick;
  frames(app);
  type(app, "here");
  press(app, GLFW_KEY_ENTER);
  frames_until(app, [&] { return !app.session.run->timeline()->branches[0].marks.empty(); });
  ASSERT_FALSE(HasFailure());
  EXPECT_EQ(app.session.run->timeline()->branches[0].marks[0].text, "here");
  EXPECT_EQ(app.session.run->timeline()->branches[0].marks[0].tick, at);
  frames_until(app, [&] { return !now().paused; });
}

TEST_F(WindowTimeline, PlotsKeepTheCurvesOfOtherBranches) {
  open(app, test::packaged_path("lab-bounce"));
  frames_until(app, [&] { return !app.session.plots.empty() && app.session.have_snapshot; });
  steps(40);
  frames_until(app, [&] { return app.session.plots.data().series.at(0).size() == 41; });
  seek(app, 0, 20 * now().dt_s);
  wait_for_tick(20);
  frames(app);
  EXPECT_EQ(app.session.plots.data().series.at(0).size(), 41U) << "going back must keep the curve";
  EXPECT_NEAR(app.session.plots.data().time_s, 20 * now().dt_s, 1e-12);
  EXPECT_TRUE(plot_picture(app, 0).moment);
  edit(app, {{"world.gravity", Value(Vec3(0, -1, 0))}});
  frames_until(app, [&] { return now().place.branch == 1; });
  steps(5);
  frames_until(app, [&] { return app.session.plots.data().series.at(0).size() == 26; });
  ASSERT_EQ(app.session.plots.data().others.size(), 1U);
  EXPECT_EQ(app.session.plots.data().others[0]->at(0).size(), 41U);
  seek(app, 0, 40 * now().dt_s);
  wait_for_tick(40);
  frames_until(app, [&] { return app.session.plots.data().series.at(0).size() == 41; });
  ASSERT_EQ(app.session.plots.data().others.size(), 1U);
  EXPECT_EQ(app.session.plots.data().others[0]->at(0).size(), 26U);
}

TEST_F(WindowTimeline, CanBeHidden) {
  const float shown = timeline_height(app);
  EXPECT_GT(shown, 0);
  press(app, GLFW_KEY_T, {GLFW_KEY_LEFT_SHIFT});
  EXPECT_EQ(timeline_height(app), 0);
}

}  // namespace
}  // namespace vw::ui
#endif
