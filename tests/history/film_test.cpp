// The film of a run: frames show what the snapshots showed, within the stated rounding, and keep the budget.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/api/run.h"
#include "sim/history/film.h"
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
      EXPECT_EQ(a.skin, b.skin);
      EXPECT_EQ(a.body_mesh, b.body_mesh);
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
    ASSERT_LE(film.bytes(), limit + 20'000);
  }
  EXPECT_GT(film.bytes(), limit / 2);
  EXPECT_NEAR(film.nearest(0, 99.9).value(), 99.9, 0.04);
  EXPECT_NEAR(film.nearest(0, 0).value(), 0, 1e-9) << "the first frame stays";
  double longest = 0;
  for (double t = 0; t < 100; t += 0.5) longest = std::max(longest, std::abs(film.nearest(0, t).value() - t));
  EXPECT_LT(longest, 5) << "the whole time is covered";
}

}  // namespace
}  // namespace vw
