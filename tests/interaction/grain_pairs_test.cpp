// Lists of grain pairs that may touch, compared with a test of all pairs.
#include <algorithm>

#include <gtest/gtest.h>

#include "sim/base/random.h"
#include "sim/interaction/particles/grain_pairs.h"

namespace vw {
namespace {

/// Returns grains in a cube of 1 m. One grain in fifty has the radius `widest`. The radii of the others are 0.5 to 1.5
/// times `widest` / `ratio`.
Elements grains_of(std::uint64_t stream, std::size_t count, double widest, double ratio) {
  Elements e;
  for (std::size_t i = 0; i < count; ++i) {
    const auto draw = [&](std::uint64_t lane) { return random_uniform({11, stream}, i, lane); };
    e.position.push_back(Vec3(draw(0), draw(1), draw(2)));
    e.velocity.push_back(Vec3::Zero());
    e.radius.push_back(i % 50 == 7 ? widest : widest / ratio * (0.5 + draw(3)));
    e.mass.push_back(1);
  }
  return e;
}

double mean_radius(const Elements& e) {
  double sum = 0;
  for (const double r : e.radius) sum += r;
  return sum / static_cast<double>(e.size());
}

void expect_all_pairs(const Elements& a, const Elements& b) {
  const bool within = &a == &b;
  GrainPairs pairs;
  ASSERT_TRUE(pairs.build(a, 0, b, 0));
  ASSERT_EQ(pairs.rows(), a.size());
  const double margin = 0.25 * std::max(mean_radius(a), mean_radius(b));
  std::size_t listed = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::vector<std::uint32_t> expected, found;
    for (std::size_t j = within ? i + 1 : 0; j < b.size(); ++j)
      if ((a.position[i] - b.position[j]).norm() <= a.radius[i] + b.radius[j] + 2 * margin)
        expected.push_back(static_cast<std::uint32_t>(j));
    const Range range = pairs.pairs_of(i);
    for (std::size_t p = range.begin; p < range.end; ++p) found.push_back(pairs.partner(p));
    ASSERT_EQ(found, expected) << i;
    listed += found.size();
  }
  EXPECT_EQ(listed, pairs.size());
  EXPECT_GT(listed, 0U);
  std::size_t back = 0;
  for (std::size_t j = 0; j < b.size(); ++j)
    for (const std::uint32_t p : pairs.pairs_with(j)) {
      ASSERT_EQ(pairs.partner(p), j);
      ++back;
    }
  EXPECT_EQ(back, listed);
}

TEST(GrainPairs, AreThoseThatBruteForceFindsWhateverTheSizes) {
  for (const double ratio : {1.0, 3.0, 10.0, 300.0, 1e6}) {
    const Elements sand = grains_of(1, 1500, 0.04, ratio), gravel = grains_of(2, 700, 0.1, 2 * ratio);
    expect_all_pairs(sand, sand);
    expect_all_pairs(sand, gravel);
    expect_all_pairs(gravel, sand);
  }
}

TEST(GrainPairs, AreFoundAmongSandAroundABoulder) {
  // If cells were as wide as the boulder, each of 100,000 grains would be tested against all others: 10 billion pairs.
  Elements e = grains_of(3, 100000, 0.002, 1);
  e.position[5] = Vec3(0.5, 3, 0.5);
  e.radius[5] = 2;
  GrainPairs pairs;
  ASSERT_TRUE(pairs.build(e, 0, e, 0));
  EXPECT_GT(pairs.size(), 1000U);
}

}  // namespace
}  // namespace vw
