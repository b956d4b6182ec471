// Guidance without a window: the steps of the tour, the times at which the scene is checked, the groups of the start
// page, and texts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "app/window/document/preferences.h"
#include "app/window/document/scene_groups.h"
#include "app/window/guide/check_show.h"
#include "app/window/guide/tour.h"
#include "app/window/labels/step_cost_text.h"
#include "sim/scene/scene.h"
#include "tests/support/checked.h"
#include "tests/support/packaged.h"
#include "tests/support/scratch.h"
#include "tests/support/waiting.h"

namespace vw {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Tour, AStepEndsWhenItIsPerformedOrAtTheUsersWish) {
  Tour tour;
  EXPECT_FALSE(tour.is_active());
  tour.start();
  EXPECT_EQ(tour.step(), TourStep::look);
  TourFacts facts{.camera_drags = 3};
  tour.update(facts, 10);
  EXPECT_FALSE(tour.is_done()) << "drags before the step do not count";
  facts.camera_drags = 4;
  tour.update(facts, 11);
  EXPECT_TRUE(tour.is_done());
  EXPECT_EQ(tour.step(), TourStep::look) << "the card shows the finished step for a moment";
  tour.update(facts, 11.1 + Tour::done_s);
  EXPECT_EQ(tour.step(), TourStep::run);
  EXPECT_FALSE(tour.is_done());
  tour.next();
  EXPECT_EQ(tour.step(), TourStep::drag);
  tour.update(facts, 20);
  facts.playing = true;
  tour.update(facts, 21);
  EXPECT_FALSE(tour.is_done()) << "running does not complete this step";
  facts.grabs = 1;
  tour.update(facts, 22);
  EXPECT_TRUE(tour.is_done());
  for (int i = 0; i < 3; ++i) tour.next();
  EXPECT_FALSE(tour.is_active()) << "the tour ends after the fifth step";
}

TEST(Tour, AnotherSceneIsNoEdit) {
  Tour tour;
  tour.start();
  for (int i = 0; i < 3; ++i) tour.next();
  ASSERT_EQ(tour.step(), TourStep::edit);
  tour.update({.edits = 5}, 1);
  tour.update({.edits = 0}, 2);
  EXPECT_FALSE(tour.is_done());
  tour.update({.edits = 1}, 3);
  EXPECT_TRUE(tour.is_done());
}

TEST(Tour, EveryStepHasATitleAndAnInstruction) {
  for (int i = 0; i < Tour::steps; ++i) {
    const TourText& text = tour_text(static_cast<TourStep>(i));
    EXPECT_FALSE(text.title.empty());
    EXPECT_TRUE(text.instruction.ends_with('.')) << text.instruction;
  }
}

TEST(Tour, ThePreferencesKeepThatItWasSeenBesideTheScale) {
  const test::Scratch folder;
  {
    Preferences preferences(folder.folder());
    EXPECT_FALSE(preferences.tour_seen());
    ASSERT_TRUE(preferences.set_interface_scale(1.5));
    ASSERT_TRUE(preferences.set_tour_seen());
  }
  Preferences preferences(folder.folder());
  EXPECT_TRUE(preferences.tour_seen());
  EXPECT_EQ(preferences.interface_scale(), 1.5);
  ASSERT_TRUE(preferences.set_interface_scale(0));
  EXPECT_TRUE(Preferences(folder.folder()).tour_seen()) << "another preference must not change it";
}

TEST(Tour, ThePreferencesOfANewerVersionAreKept) {
  const test::Scratch folder;
  const std::string file = folder.write("preferences", "interface_scale = 2\nlater_choice = 3\nno choice\n");
  Preferences preferences(folder.folder());
  ASSERT_TRUE(preferences.set_tour_seen());
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  EXPECT_EQ(std::ranges::count(lines, "later_choice = 3"), 1);
  EXPECT_EQ(Preferences(folder.folder()).interface_scale(), 2);
  EXPECT_EQ(lines.size(), 3U) << "the third line is the new choice";
}

TEST(Tour, TwoWindowsKeepThePreferencesOfEachOther) {
  const test::Scratch folder;
  Preferences first(folder.folder()), second(folder.folder());
  ASSERT_TRUE(first.set_tour_seen());
  ASSERT_TRUE(first.set_shows_start_page(false));
  ASSERT_TRUE(second.set_interface_scale(1.5));
  EXPECT_FALSE(second.tour_seen()) << "an open window keeps its own choices";
  const Preferences stored(folder.folder());
  EXPECT_TRUE(stored.tour_seen());
  EXPECT_FALSE(stored.shows_start_page());
  EXPECT_EQ(stored.interface_scale(), 1.5);
}

TEST(StepCostText, NamesTheSystemsTimeTheTimeOfTheStepAndTheSubsteps) {
  Snapshot snapshot;
  snapshot.dt_s = 1.0 / 120;
  SystemSnapshot system;
  system.wall_s = 3.2e-3;
  system.substeps = 12;
  EXPECT_EQ(system_cost_text(snapshot, system), "3.2 ms of 8.33 ms per step, 12 substeps");
  system.wall_s = 1.5;
  system.substeps = 1;
  EXPECT_EQ(system_cost_text(snapshot, system), "1.5 s of 8.33 ms per step, 1 substep");
}

class CheckShows : public ::testing::Test {
 protected:
  static Node pool(double density) {
    return test::checked(load_scene_text("format = 1\n[[system]]\nkind = \"fluid\"\nname = \"water\"\n"
                                         "[[system.fill]]\nkind = \"box\"\nname = \"pool\"\n[[system]]\n"
                                         "kind = \"rigid\"\nname = \"things\"\n[[system.body]]\nkind = \"box\"\n"
                                         "name = \"crate\"\nposition = [0, 1, 0]\ndensity = " +
                                             std::to_string(density) + "\n",
                                         "pool.toml", ""))
        .root;
  }
  /// Updates until the running check has ended.
  void settle(const Node& scene, std::uint64_t revision, double wall_s, const Snapshot* snapshot = nullptr) {
    (void)checks.update(scene, revision, snapshot, wall_s);
    ASSERT_TRUE(test::in_time([&] {
      (void)checks.update(scene, revision, snapshot, wall_s);
      return !checks.is_busy(revision);
    }));
  }
  CheckShow checks;
};

TEST_F(CheckShows, TheChecksRunAfterAnEditButNotMoreOftenThanNeeded) {
  const Node light = pool(50), usual = pool(500);
  settle(light, 0, 1);
  ASSERT_EQ(checks.findings().size(), 1U);
  (void)checks.update(usual, 1, nullptr, 1.1);
  EXPECT_TRUE(checks.is_busy(1)) << "the edit waits, because the last check was 0.1 s ago";
  EXPECT_EQ(checks.findings().size(), 1U);
  settle(usual, 1, 1.3);
  EXPECT_THAT(checks.findings(), IsEmpty());
  settle(light, 2, 2);
  EXPECT_EQ(checks.findings().size(), 1U);
  checks.clear();
  EXPECT_THAT(checks.findings(), IsEmpty());
  EXPECT_TRUE(checks.is_busy(2)) << "another scene with the same revision is checked";
}

TEST_F(CheckShows, AStepThatBecomesExpensiveIsFoundWithoutAnEdit) {
  const Node scene = pool(500);
  Snapshot snapshot;
  snapshot.sequence = 1;
  snapshot.step = 10;
  snapshot.dt_s = 0.01;
  snapshot.step_wall_s = 0.02;
  snapshot.systems.resize(1);
  snapshot.systems[0].name = "water";
  snapshot.systems[0].substeps = 2;
  snapshot.systems[0].wall_s = 0.01;
  settle(scene, 0, 1, &snapshot);
  EXPECT_THAT(checks.findings(), IsEmpty());
  snapshot.step_wall_s = 1;
  snapshot.sequence = 2;
  settle(scene, 0, 1.5, &snapshot);
  EXPECT_THAT(checks.findings(), IsEmpty()) << "one slow step in ten is no finding";
  for (int i = 0; i < 10; ++i) {
    ++snapshot.sequence;
    (void)checks.update(scene, 0, &snapshot, 1.6);
  }
  settle(scene, 0, 3, &snapshot);
  ASSERT_TRUE(test::in_time([&] {
    (void)checks.update(scene, 0, &snapshot, 3);
    return !checks.findings().empty();
  }));
  EXPECT_EQ(checks.findings()[0].kind, CheckKind::cost);
}

TEST(StartPage, RecentScenesComeFirstThenTemplatesThenThePackagedScenes) {
  const test::Scratch folder;
  const std::string own =
      folder.write("own.toml", "format = 1\ntitle = \"My pool\"\n[[system]]\nkind = \"fluid\"\nname = \"water\"\n");
  const StartScenes scenes{.recent = recent_scenes({own, folder.path("gone.toml")}),
                           .templates = scene_templates(),
                           .packaged = packaged_scenes()};
  ASSERT_EQ(scenes.recent.size(), 1U) << "a file that no longer exists is left out";
  const auto groups = group_start_page(scenes, "");
  ASSERT_GT(groups.size(), 3U);
  EXPECT_EQ(groups[0].label, "Recent");
  EXPECT_EQ(groups[0].scenes[0].title, "My pool");
  EXPECT_EQ(groups[1].label, "New from a template");
  EXPECT_TRUE(groups[1].are_templates);
  EXPECT_EQ(groups[2].label, "Overview");
  const auto fluids = group_start_page(scenes, "own fluid");
  ASSERT_FALSE(fluids.empty());
  EXPECT_EQ(fluids[0].scenes[0].name, "own") << "the kinds of systems decide the group";
  EXPECT_EQ(group_start_page(scenes, folder.folder())[0].scenes.size(), 1U) << "the folder decides the group too";
  EXPECT_THAT(group_start_page(scenes, "no such words"), IsEmpty());
}

TEST(StartPage, TheSearchLooksAtWhatASceneShows) {
  const auto scenes = packaged_scenes();
  const auto jelly = std::ranges::find(scenes, "jelly-drop", &PackagedScene::name);
  ASSERT_NE(jelly, scenes.end());
  EXPECT_THAT(jelly->shows, HasSubstr("Voxel body"));
  const auto holds = [&](const std::string& filter) {
    return std::ranges::any_of(group_scenes(scenes, filter), [](const SceneGroup& group) {
      return std::ranges::find(group.scenes, "jelly-drop", &PackagedScene::name) != group.scenes.end();
    });
  };
  EXPECT_TRUE(holds("voxel body"));
  EXPECT_FALSE(holds("flock"));
}

TEST(StartPage, ADesignIsShownByItsName) {
  const test::Scratch folder;
  const PackagedScene design = describe_scene(folder.write("creature.vxa", "<VXA/>"));
  EXPECT_EQ(design.name, "creature");
  EXPECT_TRUE(design.title.empty());
}

}  // namespace
}  // namespace vw
