// Key frames of a spectral field: each is computed once, by the first thread that needs it, kept while in use, and
// blended in time.
#include "sim/field/spectral/key_frames.h"

#include <cmath>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "sim/base/parallel/parallel.h"
#include "sim/base/random.h"

namespace vw {
namespace {

std::shared_ptr<const SpectralModes> some_modes(SpectralTime time = SpectralTime::rotating) {
  SpectralRecipe recipe;
  recipe.nodes = 16;
  recipe.time = time;
  recipe.spread_mps = 1;
  return *SpectralModes::make(recipe);
}

bool same_nodes(const NodeGrid& a, const NodeGrid& b) {
  for (int plane = 0; plane < a.side(); ++plane)
    if (!std::equal(a.plane(plane).begin(), a.plane(plane).end(), b.plane(plane).begin())) return false;
  return true;
}

TEST(KeyFrames, AreTheModesAtMultiplesOfTheInterval) {
  const auto modes = some_modes();
  KeyFrames frames(modes);
  GridValues values;
  for (const std::int64_t index : {0, 1, -7, 1000}) {
    modes->values_at(static_cast<double>(index) * frames.interval_s(), values);
    NodeGrid nodes(16);
    nodes.load(values.x, values.y, values.z);
    EXPECT_TRUE(same_nodes(*frames.at(index), nodes)) << index;
  }
  EXPECT_NEAR(frames.interval_s() * modes->asked_spectrum().highest, KeyFrames::turn_a_frame, 1e-12);
}

TEST(KeyFrames, StillFieldsHaveOne) {
  KeyFrames frames(some_modes(SpectralTime::frozen));
  EXPECT_EQ(frames.interval_s(), 0);
  BlendedFrames blended(std::make_shared<KeyFrames>(some_modes(SpectralTime::frozen)));
  blended.set_time(12.3);
  EXPECT_EQ(blended.planes(), nullptr);
  EXPECT_TRUE(same_nodes(blended.nodes(), *frames.at(0)));
}

TEST(KeyFrames, AreKeptWhileNearAndMadeAnewAfterwards) {
  KeyFrames frames(some_modes());
  const auto first = frames.at(0);
  for (std::int64_t index = 1; index < 4; ++index) (void)frames.at(index);
  EXPECT_EQ(frames.at(0), first);
  for (std::int64_t index = 100; index < 100 + static_cast<std::int64_t>(KeyFrames::most_frames); ++index)
    (void)frames.at(index);
  const auto again = frames.at(0);
  EXPECT_NE(again, first);
  EXPECT_TRUE(same_nodes(*again, *first));
}

TEST(KeyFrames, CorrelationFallsFromOne) {
  const KeyFrames frames(some_modes());
  double last = frames.correlation(0);
  EXPECT_NEAR(last, 1, 1e-12);
  for (int step = 1; step < 10; ++step) {
    const double now = frames.correlation(step * frames.interval_s());
    EXPECT_LT(now, last);
    last = now;
  }
}

TEST(KeyFrames, ManyThreadsGetTheSameOnes) {
  const auto modes = some_modes();
  KeyFrames frames(modes), plain(modes);
  (void)plain.at(0);  // starts oneTBB before the threads exist, because ThreadSanitizer does not observe oneTBB
  std::vector<std::vector<KeyFrames::Frame>> got(3);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < got.size(); ++t)
    threads.emplace_back([&, t] {
      for (std::int64_t index = 0; index < 12; ++index) {
        frames.ahead(index + 2);
        got[t].push_back(frames.at(index));
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t index = 0; index < 12; ++index)
    for (const auto& one : got) EXPECT_TRUE(same_nodes(*one[index], *plain.at(static_cast<std::int64_t>(index))));
}

TEST(KeyFrames, PlanesAreBlendedByWhoeverAsksAndAllAlike) {
  const auto shared = std::make_shared<KeyFrames>(some_modes());
  BlendedFrames one(shared), other(shared);
  std::vector<std::uint64_t> everywhere;
  for (std::uint64_t cell = 0; cell < 16; ++cell)
    for (int axis = 0; axis < 3; ++axis) everywhere.push_back(cell << 32);
  for (int step = 1; step < 20; ++step) {
    const double time = 0.37 * step * shared->interval_s();
    one.set_time(time);
    other.set_time(time);
    ASSERT_NE(one.planes(), nullptr);
    one.require(everywhere);
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t)
      threads.emplace_back([&, t] {
        for (std::size_t cell = 0; cell < 16; ++cell)
          other.require(std::span(everywhere).subspan(3 * ((cell + 5 * static_cast<std::size_t>(t)) % 16), 3));
      });
    for (std::thread& thread : threads) thread.join();
    EXPECT_TRUE(same_nodes(one.nodes(), other.nodes())) << step;
  }
}

}  // namespace
}  // namespace vw
