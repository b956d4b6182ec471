// All members of a team wait for each other at every barrier and then see the writes that other members made before the
// barrier. The threads end with the team. The cases are small enough for ThreadSanitizer.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

#include "sim/base/parallel/spin_team.h"

namespace vw {
namespace {

class SpinTeamOf : public ::testing::TestWithParam<std::size_t> {};

TEST_P(SpinTeamOf, EveryMemberWorksOnceARun) {
  SpinTeam team(GetParam());
  ASSERT_EQ(team.size(), GetParam());
  // Each member writes its own element without atomics, so ThreadSanitizer reports any race.
  std::vector<int> worked(team.size(), 0);
  constexpr int runs = 50;
  for (int run = 0; run < runs; ++run) team.run([&](std::size_t member) { ++worked[member]; });
  for (std::size_t member = 0; member < team.size(); ++member) EXPECT_EQ(worked[member], runs) << member;
}

TEST_P(SpinTeamOf, SeesWhatTheOthersWroteBeforeABarrier) {
  // Each member passes its number on by one position around a ring. After as many rounds as members, each element holds
  // its initial value again. Two arrays are used in turn, so that no member overwrites a value that the next member has
  // yet to read.
  SpinTeam team(GetParam());
  const std::size_t n = team.size();
  std::vector<std::size_t> now(n), next(n);
  std::iota(now.begin(), now.end(), std::size_t{7});
  constexpr std::size_t laps = 20;
  team.run([&](std::size_t member) {
    for (std::size_t round = 0; round < laps * n; ++round) {
      const std::vector<std::size_t>& from = round % 2 == 0 ? now : next;
      (round % 2 == 0 ? next : now)[member] = from[(member + 1) % n];
      team.barrier(member);
    }
  });
  const std::vector<std::size_t>& last = laps * n % 2 == 0 ? now : next;
  for (std::size_t member = 0; member < n; ++member) EXPECT_EQ(last[member], member + 7);
}

TEST_P(SpinTeamOf, NobodyPassesABarrierBeforeAllHaveCome) {
  SpinTeam team(GetParam());
  const std::size_t n = team.size();
  std::atomic<std::size_t> come{0};
  std::vector<int> early(n, 0);
  constexpr std::size_t rounds = 100;
  team.run([&](std::size_t member) {
    for (std::size_t round = 1; round <= rounds; ++round) {
      come.fetch_add(1);
      team.barrier(member);
      if (come.load() < round * n) ++early[member];
      team.barrier(member);
      // The other n - 1 members may already have counted themselves in the next round. A larger count means that this
      // barrier did not hold back a member.
      if (come.load() > round * n + n - 1) ++early[member];
    }
  });
  EXPECT_EQ(come.load(), rounds * n);
  EXPECT_EQ(std::accumulate(early.begin(), early.end(), 0), 0);
}

TEST_P(SpinTeamOf, TheLastAtABarrierWorksForAllWhileTheyWait) {
  SpinTeam team(GetParam());
  const std::size_t n = team.size();
  constexpr int rounds = 200;
  std::vector<int> given(n, 0);
  std::vector<int> wrong(n, 0);
  // The sum needs no atomics: one member computes it after the writes of all members and before their reads.
  int sum = 0, alone = 0;
  team.run([&](std::size_t member) {
    for (int round = 1; round <= rounds; ++round) {
      given[member] = round;
      team.barrier_with(member, [&] {
        sum = std::accumulate(given.begin(), given.end(), 0);
        ++alone;
      });
      if (sum != round * static_cast<int>(n) || alone != round) ++wrong[member];
    }
  });
  EXPECT_EQ(alone, rounds);
  EXPECT_EQ(std::accumulate(wrong.begin(), wrong.end(), 0), 0);
}

TEST_P(SpinTeamOf, MeasuresHowLongItsMembersWaited) {
  // Member 1 arrives 20 ms late at a barrier, so that the others wait for it during most of the run.
  SpinTeam team(GetParam());
  const auto run = [&](bool late) {
    team.run([&](std::size_t member) {
      if (late && member == 1) std::this_thread::sleep_for(std::chrono::milliseconds(20));
      team.barrier(member);
    });
  };
  run(true);
  EXPECT_EQ(team.stalled_fraction() > 0.5, GetParam() > 1);
  EXPECT_LE(team.stalled_fraction(), 1);
  // The time for which the other members wait for the caller at the end of a run must not count as stalled. The caller
  // starts its pause of 50 ms only after all others have begun. On busy cores they may begin late, and the caller would
  // have to wait for them, which does count.
  std::atomic<std::size_t> begun = 0;
  team.run([&](std::size_t member) {
    if (member != 0) {
      ++begun;
      return;
    }
    while (begun + 1 < team.size()) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  });
  EXPECT_LT(team.stalled_fraction(), 0.5);
}

INSTANTIATE_TEST_SUITE_P(Members, SpinTeamOf,
                         ::testing::Values(std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{8}));

TEST(SpinTeam, WorksWhereItHasMoreMembersThanCores) {
  // The number of members is twice the number of cores plus one. The limit of 24 keeps sanitizer runs short.
  const std::size_t members = std::min<std::size_t>(2 * std::max(1U, std::thread::hardware_concurrency()) + 1, 24);
  SpinTeam team(members);
  std::vector<std::size_t> share(members, 0);
  std::size_t sum = 0;
  constexpr std::size_t rounds = 10;
  team.run([&](std::size_t member) {
    for (std::size_t round = 1; round <= rounds; ++round) {
      share[member] = round * (member + 1);
      team.barrier(member);
      if (member == 0) sum = std::accumulate(share.begin(), share.end(), sum);
      team.barrier(member);
    }
  });
  EXPECT_EQ(sum, rounds * (rounds + 1) / 2 * members * (members + 1) / 2);
}

TEST(SpinTeam, TwoTeamsDoNotMeetEachOther) {
  SpinTeam first(2), second(3);
  int inner = 0;
  std::vector<int> rows(3, 0);
  first.run([&](std::size_t member) {
    for (int round = 0; round < 5; ++round) {
      if (member == 0) second.run([&](std::size_t other) { ++rows[other]; });
      first.barrier(member);
      if (member == 1) inner = std::accumulate(rows.begin(), rows.end(), 0);
      first.barrier(member);
    }
  });
  EXPECT_EQ(inner, 15);
}

TEST(SpinTeam, EndsWhetherItHasWorkedOrNot) {
  for (int i = 0; i < 20; ++i) {
    const SpinTeam idle(3);
    auto busy = std::make_unique<SpinTeam>(3);
    std::vector<int> worked(3, 0);
    busy->run([&](std::size_t member) { worked[member] = 1; });
    busy.reset();  // joins the threads while they are going to sleep
    EXPECT_EQ(std::accumulate(worked.begin(), worked.end(), 0), 3);
  }
}

}  // namespace
}  // namespace vw
