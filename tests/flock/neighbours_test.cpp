// Neighbour search by cells and vector lanes, compared with a test of all pairs.
#include <gtest/gtest.h>

#include <hwy/targets.h>

#include "sim/base/parallel/parallel.h"
#include "sim/base/random.h"
#include "sim/system/flock/steering/neighbours.h"
#include "tests/support/validation.h"

namespace vw {
namespace {

struct State {
  std::vector<Vec3> position, heading;
  std::vector<double> speed;
  std::vector<std::uint8_t> species;
  std::vector<Sight> sights;
  [[nodiscard]] FlockColumns columns() const { return {position, heading, speed, species}; }
};

double draw(std::uint64_t seed, std::uint64_t i, std::uint64_t lane) { return random_uniform({seed, 11}, i, lane); }

/// Returns the position of a member in state `seed`. There are ten kinds of arrangement, from a filled box to a single
/// point.
Vec3 place_of(std::uint64_t seed, std::uint64_t i, double side) {
  const Vec3 box = side * Vec3(draw(seed, i, 0) - 0.5, draw(seed, i, 1) - 0.5, draw(seed, i, 2) - 0.5);
  switch (seed % 10) {
    case 1: return {2.5, -1, 3};                                                      // a single point
    case 2: return {box.x(), 1, 2};                                                   // a line along an axis
    case 3: return box.x() * Vec3(1, 1, 1).normalized();                              // a diagonal line
    case 4: return {box.x(), 0, box.z()};                                             // a plane
    case 5: return box + Vec3(1e6, -1e6, 1e6);                                        // far from the origin
    case 6: return 0.1 * box + (i % 2 == 0 ? Vec3(-3e4, 0, 0) : Vec3(3e4, 1e3, 50));  // two distant groups
    case 7: return 1e4 * box;                                                         // isolated members
    case 8:
      return i % 3 == 0 ? Vec3(1, 1, 1) : box;  // a third of the members at one point
    // A lattice whose spacing equals the reach.
    case 9: return {std::round(2 * box.x()) / 2, std::round(2 * box.y()) / 2, std::round(2 * box.z()) / 2};
    default: return box;
  }
}

State state_of(std::uint64_t seed) {
  State state;
  const auto n = static_cast<std::uint64_t>(seed % 7 == 0 ? 3 * draw(seed, 0, 20) : 20 + 500 * draw(seed, 0, 20));
  const auto kinds = seed % 3 == 0 ? 3U : 1U;
  for (std::uint32_t k = 0; k < kinds; ++k) {
    Sight sight;
    sight.reach_m = static_cast<float>(seed % 10 == 9 ? 0.5 : 0.2 + draw(seed, k, 21));
    // The view cones range from narrow forward cones to almost complete spheres.
    const double half = pi * (seed % 4 == 0 ? 1 : 0.15 + 0.85 * draw(seed, k, 22));
    sight.cosine = seed % 4 == 0 ? -2.0F : static_cast<float>(std::cos(half));
    sight.spacing_m = static_cast<float>(seed % 6 == 0 ? 0 : 0.5 * draw(seed, k, 23));
    sight.nearest = seed % 5 == 2 ? 1 + static_cast<std::uint32_t>(8 * draw(seed, k, 24)) : 0;
    sight.flock_bits = 1U << k;
    sight.apart_bits = kinds == 1 ? 1U : 1U + static_cast<std::uint32_t>(7 * draw(seed, k, 25));
    state.sights.push_back(sight);
  }
  const double side = std::cbrt(static_cast<double>(n) / 8 + 1);
  for (std::uint64_t i = 0; i < n; ++i) {
    state.position.push_back(place_of(seed, i, side));
    state.heading.push_back(i % 11 == 0 ? Vec3(1, 0, 0) : random_direction({seed, 12}, i));
    state.speed.push_back(2 * draw(seed, i, 3));
    state.species.push_back(static_cast<std::uint8_t>(i % kinds));
  }
  return state;
}

/// Returns the relative difference of two sums of equal terms in different order.
double difference(const Seen& a, const Seen& b) {
  const double size = 1.0 + a.offset.norm() + a.motion.norm() + a.push.norm() + a.count;
  return static_cast<double>((a.push - b.push).norm() + (a.offset - b.offset).norm() + (a.motion - b.motion).norm()) /
         size;
}

TEST(FlockNeighboursValidation, AreThoseOfBruteForceInAHundredStates) {
  std::size_t wrong = 0, members = 0, pairs = 0;
  double worst = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const State state = state_of(seed);
    Neighbours fast, plain;
    fast.look(state.columns(), state.sights);
    plain.look_plainly(state.columns(), state.sights);
    ASSERT_EQ(fast.size(), state.position.size());
    for (std::size_t i = 0; i < fast.size(); ++i) {
      const Seen &a = fast.seen(i), &b = plain.seen(i);
      if (a.count != b.count || a.same_place != b.same_place || a.nearest_m != b.nearest_m) ++wrong;
      worst = std::max(worst, difference(a, b));
      pairs += a.count;
    }
    members += fast.size();
  }
  EXPECT_GT(members, 10000U);
  EXPECT_GT(pairs, 100000U);
  test::expect_case("flock", "members in 100 states whose neighbours differ from brute force",
                    static_cast<double>(wrong), 0, 0);
  test::expect_case("flock", "their sums (separation, alignment, cohesion) against brute force", worst, 0, 1e-5);
}

TEST(FlockNeighbours, ManyInOneCellAreThoseOfBruteForce) {
  State state;
  state.sights.push_back({.reach_m = 1, .cosine = 0.3F, .spacing_m = 0.2F});
  for (std::uint64_t i = 0; i < 1500; ++i) {
    state.position.emplace_back(draw(1, i, 0), draw(1, i, 1), draw(1, i, 2));
    state.heading.push_back(random_direction({1, 2}, i));
    state.speed.push_back(1);
    state.species.push_back(0);
  }
  for (const std::uint32_t nearest : {0U, 7U}) {
    state.sights[0].nearest = nearest;
    Neighbours fast, plain;
    fast.look(state.columns(), state.sights);
    plain.look_plainly(state.columns(), state.sights);
    std::size_t wrong = 0;
    double worst = 0;
    for (std::size_t i = 0; i < fast.size(); ++i) {
      if (fast.seen(i).count != plain.seen(i).count || fast.seen(i).nearest_m != plain.seen(i).nearest_m) ++wrong;
      worst = std::max(worst, difference(fast.seen(i), plain.seen(i)));
    }
    EXPECT_EQ(wrong, 0U) << nearest;
    EXPECT_LT(worst, 1e-5) << nearest;
  }
}

std::vector<float> numbers_of(const Neighbours& neighbours) {
  std::vector<float> all;
  for (std::size_t i = 0; i < neighbours.size(); ++i) {
    const Seen& seen = neighbours.seen(i);
    for (const Vec3f& v : {seen.push, seen.motion, seen.offset}) all.insert(all.end(), v.data(), v.data() + 3);
    all.insert(all.end(), {static_cast<float>(seen.count), seen.same_place, seen.nearest_m});
  }
  return all;
}

TEST(FlockNeighbours, EveryInstructionSetAndNumberOfThreadsGivesTheSameBits) {
  int compared = 0;
  for (const std::uint64_t seed : {0U, 3U, 5U, 8U, 9U, 12U, 20U}) {
    const State state = state_of(seed);
    Neighbours neighbours;
    neighbours.look(state.columns(), state.sights);
    const std::vector<float> best = numbers_of(neighbours);
    for (const std::int64_t target : {HWY_AVX3, HWY_AVX2, HWY_SSE4, HWY_SCALAR}) {
      if ((hwy::SupportedTargets() & target) == 0 && target != HWY_SCALAR) continue;
      hwy::SetSupportedTargetsForTest(target);
      neighbours.look(state.columns(), state.sights);
      EXPECT_EQ(numbers_of(neighbours), best) << hwy::TargetName(target) << " " << seed;
      hwy::SetSupportedTargetsForTest(0);
      ++compared;
    }
    for (const int threads : {1, 2, 3, 8}) {
      set_thread_count(threads);
      neighbours.look(state.columns(), state.sights);
      EXPECT_EQ(numbers_of(neighbours), best) << threads << " threads";
    }
    set_thread_count(0);
  }
  EXPECT_GE(compared, 7);
}

TEST(FlockNeighbours, AMemberOutsideTheConeIsNotSeen) {
  State state;
  state.position = {Vec3(0, 0, 0), Vec3(0.5, 0, 0), Vec3(-0.5, 0, 0), Vec3(0, 0.5, 0)};
  state.heading.assign(4, Vec3(1, 0, 0));
  state.speed.assign(4, 1.0);
  state.species.assign(4, 0);
  state.sights.push_back(
      {.reach_m = 0.9F, .cosine = static_cast<float>(std::cos(0.5 * 170 * pi / 180)), .spacing_m = 0.6F});
  Neighbours neighbours;
  neighbours.look(state.columns(), state.sights);
  // Member 0 sees member 1, which is ahead. Member 2 is behind member 0, and member 3 is just outside the cone. Member
  // 1 sees no member, and member 2 sees members 0 and 3.
  EXPECT_EQ(neighbours.seen(0).count, 1U);
  EXPECT_NEAR(neighbours.seen(0).offset.x(), 0.5, 1e-6);
  EXPECT_NEAR(neighbours.seen(0).push.x(), -(1 - 0.5 / 0.6), 1e-6);
  EXPECT_EQ(neighbours.seen(1).count, 0U);
  EXPECT_EQ(neighbours.seen(2).count, 2U);
}

}  // namespace
}  // namespace vw
