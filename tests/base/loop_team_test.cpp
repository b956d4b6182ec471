// A loop team runs every chunk of a loop once, makes the writes of the previous loop visible, and runs nested loops on
// the calling thread. The cases are small enough for ThreadSanitizer.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <thread>
#include <vector>

#include "sim/base/parallel/loop_team.h"
#include "sim/base/parallel/parallel.h"

namespace vw {
namespace {

template <class Body>
void run(LoopTeam& team, std::size_t chunks, const Body& body) {
  team.run(chunks, {&body, [](const void* object, std::size_t chunk) { (*static_cast<const Body*>(object))(chunk); }});
}

class LoopTeamOf : public ::testing::TestWithParam<std::size_t> {};

TEST_P(LoopTeamOf, DoesEveryChunkOnce) {
  LoopTeam team(GetParam());
  ASSERT_EQ(team.size(), GetParam());
  for (const std::size_t chunks : std::initializer_list<std::size_t>{1, 2, 3, 7, 40, 1000}) {
    // Each chunk writes its own element without atomics, so ThreadSanitizer reports any race.
    std::vector<int> done(chunks, 0);
    for (int loop = 0; loop < 20; ++loop) run(team, chunks, [&](std::size_t chunk) { ++done[chunk]; });
    EXPECT_EQ(std::count(done.begin(), done.end(), 20), static_cast<std::ptrdiff_t>(chunks)) << chunks;
  }
}

TEST_P(LoopTeamOf, SeesWhatTheLastLoopWrote) {
  // Each loop passes the numbers on by one position around a ring. After as many loops as the ring has elements, each
  // element holds its initial value again.
  LoopTeam team(GetParam());
  constexpr std::size_t n = 24;
  std::vector<std::size_t> now(n), next(n);
  std::iota(now.begin(), now.end(), std::size_t{7});
  for (std::size_t loop = 0; loop < 10 * n; ++loop) {
    run(team, n, [&](std::size_t chunk) { next[chunk] = now[(chunk + 1) % n]; });
    now.swap(next);
  }
  for (std::size_t chunk = 0; chunk < n; ++chunk) EXPECT_EQ(now[chunk], chunk + 7);
}

TEST_P(LoopTeamOf, HelpsAMemberWhoseChunksAreLong) {
  LoopTeam team(GetParam());
  std::vector<int> done(16, 0);
  for (int loop = 0; loop < 5; ++loop)
    run(team, done.size(), [&](std::size_t chunk) {
      if (chunk < 2) std::this_thread::sleep_for(std::chrono::milliseconds(1));
      ++done[chunk];
    });
  EXPECT_EQ(std::count(done.begin(), done.end(), 5), 16);
}

TEST_P(LoopTeamOf, WakesAfterItHasSlept) {
  LoopTeam team(GetParam());
  std::vector<int> done(64, 0);
  for (int loop = 0; loop < 3; ++loop) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    run(team, done.size(), [&](std::size_t chunk) { ++done[chunk]; });
  }
  EXPECT_EQ(std::count(done.begin(), done.end(), 3), 64);
}

INSTANTIATE_TEST_SUITE_P(Members, LoopTeamOf, ::testing::Values(1, 2, 3, 5));

TEST(TeamedLoops, GiveTheSameSumsAsOthersAndMayBeNested) {
  const auto sum = [] {
    return ordered_sum(10000, 64, 0.0, [](Range range) {
      double part = 0;
      parallel_for(range.end - range.begin, 16, [](Range, std::size_t) {});  // a nested loop
      for (std::size_t i = range.begin; i < range.end; ++i) part += 1.0 / static_cast<double>(1 + i);
      return part;
    });
  };
  const double alone = sum();
  set_thread_count(2);
  {
    const TeamedLoops teamed, again;
    EXPECT_EQ(TeamedLoops::team() != nullptr, std::thread::hardware_concurrency() >= 2);
    EXPECT_EQ(sum(), alone);
    std::thread other([] {
      const TeamedLoops taken;
      EXPECT_EQ(TeamedLoops::team(), nullptr);  // another thread uses the team
    });
    other.join();
  }
  EXPECT_EQ(TeamedLoops::team(), nullptr);
  EXPECT_EQ(sum(), alone);
  set_thread_count(0);
}

}  // namespace
}  // namespace vw
