// The film of a run: frames agree with the snapshots within the stated rounding, and the memory budget is kept.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/api/run.h"
#include "sim/history/film.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/checked.h"

namespace vw {
namespace {

Snapshot at_time(double elapsed_s, std::size_t elements = 1000) {
  Snapshot snapshot;
  SystemSnapshot& system = snapshot.systems.emplace_back();
  system.name = "dots";
  system.position.assign(elements, Vec3f(static_cast<float>(elapsed_s), 0, 0));
  system.size.assign(elements, 0.1F);
  snapshot.time_s = snapshot.place.elapsed_s = elapsed_s;
  return snapshot;
}

TEST(Film, ShowsWhatTheWorldShowedWithinRounding) {
  for (const char* scene : {"showcase", "walker", "starlings", "cart", "embers", "muscle-swimmer"}) {
    SCOPED_TRACE(scene);
    api::Run run = test::checked(api::Run::create(test::checked(api::open_scene(scene))));
    run.subscribe({.channels = {"speed"}});
    ASSERT_TRUE(run.step(20));
    Snapshot shown, frame;
    run.snapshot(shown);
    Film film(std::uint64_t{1} << 30);
    film.add(shown, 0);
    ASSERT_TRUE(film.show(0, shown.place.elapsed_s, frame));
    EXPECT_EQ(frame.time_s, shown.time_s);
    EXPECT_EQ(frame.step, shown.step);
    EXPECT_EQ(frame.tick, shown.tick);
    EXPECT_EQ(frame.place.elapsed_s, shown.place.elapsed_s);
    ASSERT_EQ(frame.systems.size(), shown.systems.size());
    for (std::size_t s = 0; s < shown.systems.size(); ++s) {
      const SystemSnapshot &a = shown.systems[s], &b = frame.systems[s];
      EXPECT_EQ(a.name, b.name);
      EXPECT_EQ(skin_of(a), skin_of(b));
      EXPECT_TRUE(std::ranges::equal(meshes_of(a), meshes_of(b)));
      EXPECT_EQ(a.id, b.id);
      EXPECT_EQ(a.material, b.material);
      EXPECT_EQ(a.revision, b.revision);
      EXPECT_EQ(a.center_of_mass, b.center_of_mass);
      EXPECT_EQ(a.totals.size(), b.totals.size());
      ASSERT_EQ(a.position.size(), b.position.size());
      ASSERT_EQ(a.orientation.size(), b.orientation.size());
      ASSERT_EQ(a.velocity.size(), b.velocity.size());
      ASSERT_EQ(a.size.size(), b.size.size());
      ASSERT_EQ(a.channels.size(), b.channels.size());
      Vec3f low = Vec3f::Constant(1e9F), high = -low;
      for (const Vec3f& x : a.position) low = low.cwiseMin(x), high = high.cwiseMax(x);
      const float step = a.position.empty() ? 0 : (high - low).maxCoeff() / 65535;
      for (std::size_t i = 0; i < a.position.size(); ++i) {
        ASSERT_LE((a.position[i] - b.position[i]).cwiseAbs().maxCoeff(), 0.51F * step + 1e-6F * high.norm());
        if (!a.orientation.empty()) {
          ASSERT_LE(a.orientation[i].angularDistance(b.orientation[i]), 2e-3F);
        }
      }
      for (std::size_t c = 0; c < a.channels.size(); ++c)
        ASSERT_EQ(a.channels[c].values.size(), b.channels[c].values.size());
    }
    ASSERT_EQ(frame.colliders.size(), shown.colliders.size());
    for (std::size_t c = 0; c < shown.colliders.size(); ++c) {
      EXPECT_EQ(frame.colliders[c].position, shown.colliders[c].position);
      EXPECT_EQ(frame.colliders[c].mesh, shown.colliders[c].mesh);
    }
  }
}

TEST(Film, FindsTheNearestFrameOfABranch) {
  Film film(std::uint64_t{1} << 30);
  Snapshot out;
  EXPECT_FALSE(film.show(0, 1, out));
  for (int i = 0; i <= 30; ++i) film.add(at_time(0.1 * i), i <= 20 ? 0 : 1);
  EXPECT_NEAR(film.nearest(0, 0.74).value(), 0.7, 1e-12);
  EXPECT_NEAR(film.nearest(0, 0.76).value(), 0.8, 1e-12);
  EXPECT_NEAR(film.nearest(0, 9).value(), 2.0, 1e-12);
  EXPECT_NEAR(film.nearest(1, 0).value(), 2.1, 1e-12);
  ASSERT_TRUE(film.show(0, 0.76, out));
  EXPECT_NEAR(out.systems[0].position[5].x(), 0.8, 1e-6);
  const std::uint64_t epoch = out.epoch;
  ASSERT_TRUE(film.show(0, 0.76, out));
  EXPECT_NE(out.epoch, epoch) << "frames are not interpolated";
  EXPECT_FALSE(film.is_due(0, 0.71));
  EXPECT_TRUE(film.is_due(0, 0.75));
  film.keep_only([](std::uint32_t branch) { return branch == 0; });
  EXPECT_FALSE(film.nearest(1, 0));
  EXPECT_EQ(film.size(), 21U);
}

TEST(Film, KeepsItsBudgetDenseNearTheEnd) {
  constexpr std::uint64_t limit = 2'000'000;
  Film film(limit);
  for (int i = 0; i < 3000; ++i) {
    film.add(at_time(i / 30.0, 500), 0);
    ASSERT_LE(film.bytes(), limit);
  }
  EXPECT_GT(film.bytes(), limit / 2);
  EXPECT_NEAR(film.nearest(0, 99.9).value(), 99.9, 0.04);
  EXPECT_NEAR(film.nearest(0, 0).value(), 0, 1e-9) << "the first frame stays";
  double longest = 0;
  for (double t = 0; t < 100; t += 0.5) longest = std::max(longest, std::abs(film.nearest(0, t).value() - t));
  EXPECT_LT(longest, 5) << "the frames must cover the whole time";
}

TEST(Film, RecordingAllocatesNothingInSteadyState) {
  Film film(2'000'000);
  for (const int branch : {0, 1}) film.add(at_time(branch, 500), static_cast<std::uint32_t>(branch));
  Snapshot shown = at_time(0, 500);
  std::size_t in_growth = 0, when_full = 0;
  for (int i = 1; i < 3000; ++i) {
    shown.place.elapsed_s = i / 30.0;
    shown.systems[0].position[static_cast<std::size_t>(i) % 500].x() = static_cast<float>(i);
    const bool is_full = film.bytes() > 1'700'000;
    allocations = 0;
    counting = true;
    if (film.is_due(1, shown.place.elapsed_s)) film.add(shown, 1);
    counting = false;
    (is_full ? when_full : in_growth) += allocations;
  }
  EXPECT_EQ(in_growth, 0U) << "memory for frames is reserved at the first one";
  EXPECT_EQ(when_full, 0U) << "pages of removed frames are used again";
}

TEST(Film, KeepsFramesOfSeveralBranchesApart) {
  Film film(300'000);
  Snapshot out;
  for (int i = 0; i < 400; ++i)
    for (const std::uint32_t branch : {2U, 0U, 1U}) film.add(at_time(i / 30.0 + 100 * branch, 100), branch);
  for (const std::uint32_t branch : {0U, 1U, 2U})
    for (double t = 0; t < 399 / 30.0; t += 0.7) {
      ASSERT_TRUE(film.show(branch, t + 100 * branch, out));
      EXPECT_NEAR(out.place.elapsed_s, t + 100 * branch, 2);
      EXPECT_NEAR(out.systems[0].position[5].x(), out.place.elapsed_s, 1e-4);
      EXPECT_EQ(out.systems[0].position.size(), 100U);
    }
  const std::size_t before = film.size();
  const std::uint64_t bytes = film.bytes();
  film.keep_only([](std::uint32_t branch) { return branch != 1; });
  EXPECT_FALSE(film.nearest(1, 105));
  EXPECT_LT(film.size(), before);
  EXPECT_LT(film.bytes(), bytes);
  EXPECT_NEAR(film.nearest(2, 200).value(), 200, 1e-9) << "the first frame stays";
}

TEST(Film, LeavesOutAFrameThatIsLargerThanItsLimit) {
  Film film(10'000);
  film.add(at_time(0, 100), 0);
  film.add(at_time(1, 10'000), 0);
  EXPECT_EQ(film.size(), 1U);
  EXPECT_NEAR(film.nearest(0, 1).value(), 0, 1e-9);
}

}  // namespace
}  // namespace vw
