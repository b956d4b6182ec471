// Which moments of the timeline have a small picture, and how two snapshots differ.
#ifdef VOXWAKE_HAVE_WINDOW
#include <gtest/gtest.h>

#include <set>

#include "app/window/results/moment_pictures.h"
#include "app/window/results/pair_difference.h"

namespace vw {
namespace {

/// Returns a timeline with branch 0, which begins at 0 s, and branch 1, which begins at 10 s of branch 0.
Timeline two_branches() {
  Timeline timeline;
  timeline.branches.resize(2);
  timeline.branches[0].end_s = 100;
  timeline.branches[1].number = 1;
  timeline.branches[1].parent = 0;
  timeline.branches[1].begin_s = 10;
  timeline.branches[1].end_s = 20;
  return timeline;
}

TEST(MomentPictures, ThereIsOnePictureAnInterval) {
  const Timeline timeline = two_branches();
  MomentPictures pictures;
  EXPECT_TRUE(pictures.take_cell(timeline, 0, 0));
  EXPECT_FALSE(pictures.take_cell(timeline, 0, 0.4));
  EXPECT_TRUE(pictures.take_cell(timeline, 0, 0.5));
  EXPECT_FALSE(pictures.take_cell(timeline, 7, 3)) << "the timeline does not know this branch";
  EXPECT_EQ(pictures.size(), 2U);
  EXPECT_EQ(pictures.nearest(timeline, 0, 0.2)->elapsed_s, 0);
  EXPECT_EQ(pictures.nearest(timeline, 0, 90)->elapsed_s, 0.5);
}

TEST(MomentPictures, APathHasThePicturesOfItsAncestorsUpToItsBeginning) {
  const Timeline timeline = two_branches();
  MomentPictures pictures;
  for (const double at_s : {2.0, 9.0, 15.0}) EXPECT_TRUE(pictures.take_cell(timeline, 0, at_s));
  EXPECT_FALSE(pictures.take_cell(timeline, 1, 9.1)) << "this moment belongs to branch 0";
  EXPECT_TRUE(pictures.take_cell(timeline, 1, 18));
  EXPECT_EQ(pictures.nearest(timeline, 1, 15)->elapsed_s, 18);
  EXPECT_EQ(pictures.nearest(timeline, 1, 11)->elapsed_s, 9);
  EXPECT_EQ(pictures.nearest(timeline, 0, 18)->elapsed_s, 15);
  Timeline without = timeline;
  without.branches.pop_back();
  pictures.keep_only(without);
  EXPECT_EQ(pictures.size(), 3U);
  pictures.clear();
  EXPECT_FALSE(pictures.nearest(timeline, 1, 15));
}

TEST(MomentPictures, AreThinnedWhenAllCellsAreInUse) {
  Timeline timeline = two_branches();
  timeline.branches[0].end_s = 1e4;
  MomentPictures pictures;
  for (int i = 0; i < 4000; ++i) {
    const auto cell = pictures.take_cell(timeline, 0, 0.5 * i);
    EXPECT_LT(cell.value_or(0), MomentPictures::capacity);
  }
  EXPECT_LE(pictures.size(), MomentPictures::capacity);
  EXPECT_GT(pictures.size(), MomentPictures::capacity / 3);
  EXPECT_EQ(pictures.interval_s(), 16);
  // Adds many branches with one picture each, so that all cells are used.
  timeline.branches.resize(500, timeline.branches[1]);
  std::set<std::size_t> cells;
  for (std::uint32_t number = 1; number < 500; ++number) {
    timeline.branches[number].number = number;
    ASSERT_TRUE(pictures.take_cell(timeline, number, 12));
  }
  EXPECT_LE(pictures.size(), MomentPictures::capacity);
}

Snapshot with_system(const std::string& name, std::vector<Vec3f> position) {
  Snapshot snapshot;
  snapshot.systems.resize(1);
  snapshot.systems[0].name = name;
  snapshot.systems[0].position = std::move(position);
  return snapshot;
}

TEST(PairDifference, IsTheDistanceOfTheSameElement) {
  Snapshot a = with_system("ball", {{0, 0, 0}, {1, 0, 0}}), b = with_system("ball", {{0, 3, 4}, {1, 0, 0}});
  for (int again = 0; again < 2; ++again) {
    const PairDifference difference = add_pair_difference(a, b);
    EXPECT_EQ(difference.systems, 1U);
    EXPECT_EQ(difference.largest_m, 5);
    EXPECT_EQ(difference.missing, "");
    for (const Snapshot* side : {&a, &b}) {
      ASSERT_EQ(side->systems[0].channels.size(), 1U);
      EXPECT_EQ(side->systems[0].channels[0].values, (std::vector<float>{5, 0}));
      EXPECT_EQ(side->systems[0].available[0].unit, "m");
    }
  }
}

TEST(PairDifference, CrossesThePeriodicSideOfADomain) {
  Snapshot a = with_system("school", {{0.1F, 0, 0}}), b = with_system("school", {{9.9F, 0, 0}});
  a.systems[0].period = Vec3f(10, 0, 0);
  EXPECT_NEAR(add_pair_difference(a, b).largest_m, 0.2F, 1e-6F);
}

TEST(PairDifference, SaysWhySystemsHaveNone) {
  Snapshot a = with_system("drops", {{0, 0, 0}}), b = with_system("drops", {{0, 0, 0}, {1, 0, 0}});
  EXPECT_EQ(add_pair_difference(a, b).missing, "Drops has 1 elements in A and 2 in B.");
  EXPECT_TRUE(a.systems[0].channels.empty());
  b.systems[0].name = "rain";
  EXPECT_EQ(add_pair_difference(a, b).missing, "Drops is not in B.");
  a.systems.clear();
  EXPECT_EQ(add_pair_difference(a, b).missing, "Rain is not in A.");
}

}  // namespace
}  // namespace vw
#endif
