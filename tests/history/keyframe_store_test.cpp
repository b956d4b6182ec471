// The memory budget of keyframes: spilling to a file, thinning, and the keyframe from which a moment is computed.
#include <gtest/gtest.h>

#include "sim/history/keyframe_store.h"
#include "tests/support/dice.h"
#include "tests/support/scratch.h"

namespace vw {
namespace {

/// Adds a keyframe with random bytes, which cannot be compressed, so that its size is known.
void add_random(KeyframeStore& store, std::uint32_t branch, std::uint64_t tick, std::size_t size) {
  StateBlock* buffer = store.free_buffer();
  ASSERT_NE(buffer, nullptr);
  buffer->entries = {{"random", 1, 0, size}};
  buffer->bytes.resize(size);
  test::Dice dice(tick + 1);
  for (std::byte& byte : buffer->bytes) byte = static_cast<std::byte>(dice.below(256));
  store.add({branch, tick, tick / 10, 0.1 * static_cast<double>(tick), 0}, buffer);
  store.wait_until_packed();
}

bool restores(KeyframeStore& store, const KeyframeInfo& kept) {
  StateBlock out;
  if (!store.load(kept, out)) return false;
  test::Dice dice(kept.tick + 1);
  return std::ranges::all_of(out.bytes,
                             [&](std::byte byte) { return byte == static_cast<std::byte>(dice.below(256)); }) &&
         hash_of(out) == kept.hash;
}

TEST(KeyframeStore, FindsTheLastStateBeforeAMoment) {
  KeyframeStore store({});
  for (const std::uint64_t tick : {0U, 10U, 20U, 30U}) add_random(store, 0, tick, 100);
  add_random(store, 1, 25, 100);
  EXPECT_EQ(store.last_before(0, 29, 100)->tick, 20U);
  EXPECT_EQ(store.last_before(0, 30, 100)->tick, 30U);
  EXPECT_EQ(store.last_before(0, 30, 2)->tick, 20U);  // the keyframe at tick 30 was made after the third command
  EXPECT_EQ(store.last_before(1, 30, 100)->tick, 25U);
  EXPECT_FALSE(store.last_before(1, 24, 100));
  EXPECT_FALSE(store.last_before(2, 24, 100));
  EXPECT_TRUE(store.at(0, 10));
  EXPECT_FALSE(store.at(0, 11));
  EXPECT_TRUE(restores(store, *store.at(0, 10)));
  store.remove_branch(0);
  EXPECT_FALSE(store.last_before(0, 29, 100));
  EXPECT_TRUE(store.last_before(1, 30, 100));
}

TEST(KeyframeStore, SpillsTheOldestStatesToTheFile) {
  const test::Scratch scratch;
  KeyframeStore store({.memory_bytes = 20000, .file_bytes = 100000, .spill_folder = scratch.folder()});
  for (std::uint64_t tick = 0; tick < 50; ++tick) add_random(store, 0, tick, 1000);
  const auto use = store.use();
  EXPECT_EQ(use.keyframes, 50U);
  EXPECT_LE(use.memory_bytes, 20000U);
  EXPECT_GT(use.file_bytes, 25000U);
  for (std::uint64_t tick = 0; tick < 50; ++tick) EXPECT_TRUE(restores(store, *store.at(0, tick))) << tick;
}

TEST(KeyframeStore, ThinsFarFromThePresentAndKeepsTheBudget) {
  const test::Scratch scratch;
  KeyframeStore store({.memory_bytes = 30000, .file_bytes = 30000, .spill_folder = scratch.folder()});
  for (std::uint64_t tick = 0; tick < 200; ++tick) add_random(store, 0, tick, 1000);
  const auto use = store.use();
  EXPECT_LE(use.memory_bytes, 30000U);
  EXPECT_LE(use.file_bytes, 30000U);
  const std::vector<float> times = store.times_of(0);
  ASSERT_GT(times.size(), 30U);
  EXPECT_EQ(times.front(), 0);
  EXPECT_FLOAT_EQ(times.back(), 19.9F);
  // The budget holds about 60 of the 200 states, which are 0.1 s apart. No gap may exceed 1 s, except for rounding. The
  // last second must be dense.
  for (std::size_t i = 1; i < times.size(); ++i) EXPECT_LE(times[i] - times[i - 1], 1.001F) << "at " << times[i];
  EXPECT_GE(std::ranges::count_if(times, [](float t) { return t > 18.85F; }), 9);
  for (std::uint64_t tick = 0; tick < 200; ++tick)
    if (const auto kept = store.at(0, tick)) {
      EXPECT_TRUE(restores(store, *kept)) << tick;
    }
}

TEST(KeyframeStore, ATinyBudgetKeepsTheFirstAndTheLastState) {
  KeyframeStore store({.memory_bytes = 4000, .file_bytes = 0});
  for (std::uint64_t tick = 0; tick < 100; ++tick) add_random(store, 0, tick, 1000);
  EXPECT_LE(store.use().memory_bytes, 4000U);
  EXPECT_TRUE(store.at(0, 0));
  EXPECT_TRUE(store.at(0, 99));
}

}  // namespace
}  // namespace vw
