// The number of threads falls while waits take too much of the time, and rises again afterwards. All times are made up,
// so other programs on the machine have no influence.
#include <gtest/gtest.h>

#include <vector>

#include "sim/base/parallel/team_size.h"

namespace vw {
namespace {

using std::chrono::milliseconds;

/// Runs loops of 1 ms. A loop waits for half of its time if it uses more members than there are free cores.
struct BusyMachine {
  TeamSize size;
  std::size_t free_cores;
  TeamSize::Clock::time_point now{};

  std::size_t run_for(milliseconds time) {
    std::size_t members = 0;
    for (const auto end = now + time; now < end;) {
      members = size.members_at(now);
      const auto start = now;
      now += milliseconds(1);
      if (members > 1)
        size.add_loop(start, now, members > free_cores ? std::chrono::microseconds(500) : milliseconds(0));
    }
    return members;
  }
};

TEST(TeamSize, UsesAllMembersWhileNobodyWaits) {
  BusyMachine machine{TeamSize(3), 3};
  EXPECT_EQ(machine.run_for(milliseconds(100)), 3U);
}

TEST(TeamSize, LeavesOutMembersWithoutACoreAndTakesThemBack) {
  BusyMachine machine{TeamSize(3), 1};
  EXPECT_EQ(machine.run_for(milliseconds(4)), 3U);
  EXPECT_EQ(machine.run_for(milliseconds(4)), 2U);
  EXPECT_EQ(machine.run_for(milliseconds(4)), 1U);
  machine.free_cores = 3;
  EXPECT_EQ(machine.run_for(milliseconds(50)), 3U);
}

TEST(TeamSize, TriesOneMemberMoreAtATime) {
  BusyMachine machine{TeamSize(4), 2};
  std::vector<std::size_t> seen;
  for (int loop = 0; loop < 400; ++loop) seen.push_back(machine.run_for(milliseconds(1)));
  // After the first 100 ms the team uses the two free cores, and a third member only in trials.
  for (std::size_t loop = 100; loop < seen.size(); ++loop) EXPECT_LE(seen[loop], 3U) << loop;
  EXPECT_EQ(seen.back(), 2U);
}

TEST(TeamSize, TriesLessAndLessOften) {
  BusyMachine machine{TeamSize(2), 1};
  std::vector<int> trials;
  for (int loop = 0; loop < 5000; ++loop)
    if (machine.run_for(milliseconds(1)) == 2 && (trials.empty() || loop > trials.back() + 4)) trials.push_back(loop);
  // The team starts with both members for 4 ms. Each later trial with both members also takes 4 ms. The pause before a
  // trial doubles from 20 ms up to 640 ms.
  ASSERT_GE(trials.size(), 8U);
  const std::vector<int> rests{20, 40, 80, 160, 320, 640, 640};
  for (std::size_t k = 0; k < rests.size(); ++k) EXPECT_EQ(trials[k + 1] - trials[k] - 4, rests[k]) << k;
}

}  // namespace
}  // namespace vw
