// Fixed partition of parallel loops and counter-based random numbers: the results have the same bits at any number of
// threads.
#include <cmath>
#include <mutex>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "sim/base/parallel/parallel.h"
#include "sim/base/parallel/spare_cores.h"
#include "sim/base/random.h"

namespace vw {
namespace {

double sum_of_inverses(std::size_t n) {
  return ordered_sum(n, 100, 0.0, [](Range range) {
    double sum = 0;
    for (std::size_t i = range.begin; i < range.end; ++i) sum += 1.0 / static_cast<double>(i + 1);
    return sum;
  });
}

TEST(Parallel, SumsHaveTheSameBitsAtAnyThreadCount) {
  set_thread_count(1);
  const double alone = sum_of_inverses(100000);
  for (const int threads : {2, 3, 8}) {
    set_thread_count(threads);
    EXPECT_EQ(sum_of_inverses(100000), alone) << threads;
  }
  set_thread_count(0);
  // The expected sum of the inverses is a harmonic number, computed by its asymptotic expansion with Euler's constant.
  EXPECT_NEAR(alone, std::log(100000.0) + 0.5772156649 + 1 / 200000.0, 1e-9);
}

TEST(Parallel, LoopsStayWhereTheyAreWhileADrawingTakesOneOfTwoCores) {
  const double free = sum_of_inverses(100000);
  std::set<std::thread::id> threads;
  std::mutex mutex;
  {
    const BusyCore drawing, nobody(false);
    EXPECT_EQ(sum_of_inverses(100000), free);
    parallel_for(100, 1, [&](Range, std::size_t) {
      const std::lock_guard lock(mutex);
      threads.insert(std::this_thread::get_id());
    });
  }
  EXPECT_TRUE(threads.size() == 1 || std::thread::hardware_concurrency() > 2);
  EXPECT_EQ(sum_of_inverses(100000), free);
}

TEST(Parallel, VisitsEveryElementOnceInChunksOfTheGrain) {
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{64}, std::size_t{65}, std::size_t{1000}}) {
    std::vector<int> visits(n, 0);
    parallel_for(n, 64, [&](Range range, std::size_t chunk) {
      EXPECT_EQ(range.begin, chunk * 64);
      for (std::size_t i = range.begin; i < range.end; ++i) ++visits[i];
    });
    for (const int v : visits) EXPECT_EQ(v, 1);
  }
}

TEST(Random, MatchesThePhiloxReferenceStructure) {
  // Random words differ if the counter, lane, seed or stream differs. If all four are equal, the words are equal.
  std::set<std::array<std::uint32_t, 4>> seen;
  for (std::uint64_t seed = 0; seed < 4; ++seed)
    for (std::uint64_t stream = 0; stream < 4; ++stream)
      for (std::uint64_t index = 0; index < 8; ++index)
        for (std::uint64_t lane = 0; lane < 4; ++lane) seen.insert(random_words({seed, stream}, index, lane));
  EXPECT_EQ(seen.size(), 4U * 4 * 8 * 4);
  EXPECT_EQ(random_words({1, 2}, 3, 4), random_words({1, 2}, 3, 4));
}

TEST(Random, MomentsAreThoseOfTheDistributions) {
  const RandomKey key{7, stream_id("moments")};
  const int n = 200000;
  double uniform = 0, normal = 0, normal2 = 0;
  Vec3 direction = Vec3::Zero();
  for (int i = 0; i < n; ++i) {
    const auto index = static_cast<std::uint64_t>(i);
    const double u = random_uniform(key, index);
    ASSERT_GE(u, 0);
    ASSERT_LT(u, 1);
    uniform += u;
    const double g = random_normal(key, index, 1);
    normal += g;
    normal2 += g * g;
    const Vec3 d = random_direction(key, index, 2);
    ASSERT_NEAR(d.norm(), 1, 1e-12);
    direction += d;
  }
  // The tolerance is five standard errors of each mean.
  EXPECT_NEAR(uniform / n, 0.5, 5 * std::sqrt(1.0 / 12 / n));
  EXPECT_NEAR(normal / n, 0, 5 / std::sqrt(double(n)));
  EXPECT_NEAR(normal2 / n, 1, 5 * std::sqrt(2.0 / n));
  EXPECT_LT((direction / n).norm(), 5 / std::sqrt(double(n)));
}

}  // namespace
}  // namespace vw
