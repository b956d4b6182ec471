// The moments of an exposure, taken from the last states of a run.
#include <gtest/gtest.h>

#include "app/cli/export/exposure.h"

namespace vw::cli {
namespace {

Snapshot state_at(double time_s, std::uint64_t epoch = 0) {
  Snapshot state;
  state.time_s = time_s;
  state.epoch = epoch;
  return state;
}
double time_of(const Frame& frame) {
  if (frame.previous == nullptr) return frame.newest->time_s;
  return std::lerp(frame.previous->time_s, frame.newest->time_s, static_cast<double>(frame.blend));
}

TEST(RecentStates, GiveTheMiddlesOfEqualParts) {
  RecentStates recent(0.4);
  for (int i = 0; i <= 100; ++i) recent.add(state_at(0.1 * i));
  // The end of the exposure may lie before the newest state.
  for (const double end_s : {10.0, 9.95}) {
    const std::vector<Frame> frames = recent.frames(end_s, 4);
    ASSERT_EQ(frames.size(), 4U);
    for (int i = 0; i < 4; ++i)
      EXPECT_NEAR(time_of(frames[static_cast<std::size_t>(i)]), end_s - 0.35 + 0.1 * i, 1e-6) << i;
  }
}

TEST(RecentStates, BeforeTheFirstStateTheFirstOneIsShown) {
  RecentStates recent(1);
  recent.add(state_at(5));
  for (const Frame& frame : recent.frames(5, 3)) EXPECT_EQ(time_of(frame), 5);
  recent.add(state_at(5.1));
  EXPECT_EQ(time_of(recent.frames(5.1, 10).front()), 5);
  EXPECT_NEAR(time_of(recent.frames(5.1, 10).back()), 5.05, 1e-6);
}

TEST(RecentStates, AResetRemovesTheStatesBefore) {
  RecentStates recent(1);
  for (int i = 0; i < 5; ++i) recent.add(state_at(i));
  recent.add(state_at(0));
  for (const Frame& frame : recent.frames(0, 3)) EXPECT_EQ(time_of(frame), 0);
  recent.add(state_at(1, 7));
  for (const Frame& frame : recent.frames(1, 3)) EXPECT_EQ(time_of(frame), 1);
}

}  // namespace
}  // namespace vw::cli
