// Interpolation on periodic grids at many points, compared with a plain sum, for any number of lanes, distance from the
// origin and rotation of the grid.
#include "sim/field/spectral/grid_sampler.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>
#include <vector>

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include "sim/base/random.h"

namespace vw {

static void PrintTo(GridSpline spline, std::ostream* out) {
  *out << (spline == GridSpline::linear ? "linear" : "cubic");
}

namespace {

constexpr RandomKey grid_key{31, 4};

/// Returns a grid whose node values are random in [-0.5, 0.5].
NodeGrid random_grid(int n) {
  std::vector<float> component[3];
  for (std::uint64_t c = 0; c < 3; ++c)
    for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(n * n * n); ++i)
      component[c].push_back(static_cast<float>(random_uniform(grid_key, i, c) - 0.5));
  NodeGrid grid(n);
  grid.load(component[0], component[1], component[2]);
  return grid;
}

std::vector<Vec3> random_places(std::size_t count, double extent) {
  std::vector<Vec3> places;
  for (std::uint64_t i = 0; i < count; ++i)
    places.push_back(extent * Vec3(random_uniform(grid_key, i, 3) - 0.5, random_uniform(grid_key, i, 4) - 0.5,
                                   random_uniform(grid_key, i, 5) - 0.5));
  return places;
}

const Mat3 some_turn = Quat(0.3, 0.5, -0.2, 0.7).normalized().toRotationMatrix();

struct SampledGrid {
  std::vector<Vec3> value;
  std::vector<Mat3> gradient;
  bool operator==(const SampledGrid& other) const = default;
};

SampledGrid sample(std::span<const PlacedGrid> grids, GridSpline spline, std::span<const Vec3> places) {
  SampledGrid out{std::vector<Vec3>(places.size(), Vec3::Zero()), std::vector<Mat3>(places.size(), Mat3::Zero())};
  add_grids(grids, spline, places, out.value);
  add_grid_gradients(grids, spline, places, out.gradient);
  return out;
}

/// Returns two results: the largest difference of the values from the plain sums, and the largest difference of the
/// gradients times the node spacing.
std::pair<double, double> worst_against_plain(std::span<const PlacedGrid> grids, GridSpline spline,
                                              std::span<const Vec3> places) {
  const SampledGrid lanes = sample(grids, spline, places);
  double value = 0, gradient = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    GridSample plain;
    for (const PlacedGrid& grid : grids) {
      const GridSample one = plain_sample(grid, spline, places[i]);
      plain.value += one.value;
      plain.gradient += one.gradient;
    }
    value = std::max(value, (lanes.value[i] - plain.value).cwiseAbs().maxCoeff());
    gradient = std::max(gradient, (lanes.gradient[i] - plain.gradient).cwiseAbs().maxCoeff());
  }
  return {value, gradient * grids.front().period_m / grids.front().nodes->n()};
}

class GridSamplerOf : public ::testing::TestWithParam<GridSpline> {};
INSTANTIATE_TEST_SUITE_P(Splines, GridSamplerOf, ::testing::Values(GridSpline::linear, GridSpline::cubic));

TEST_P(GridSamplerOf, IsThePlainSum) {
  for (const int n : {1, 2, 3, 7, 16, 54}) {
    const NodeGrid nodes = random_grid(n), others = random_grid(n + 1);
    const PlacedGrid straight{.nodes = &nodes, .period_m = 3.5, .origin = Vec3(0.3, -1.1, 7)};
    const PlacedGrid turned{
        .nodes = &others, .period_m = 4.1, .rotation = some_turn, .origin = Vec3(-2, 0.4, 0), .gain = 0.7};
    PlacedGrid scalar = turned;
    scalar.turns_values = false;
    for (const std::size_t count : {1U, 5U, 63U, 64U, 200U}) {
      const auto places = random_places(count, 20);
      for (const auto& grids :
           {std::vector{straight}, std::vector{turned}, std::vector{turned, straight, straight}, std::vector{scalar}}) {
        const auto [value, gradient] = worst_against_plain(grids, GetParam(), places);
        // The tolerances cover the rounding of floats (relative 6e-8) and of offsets within a cell (n 2^-32 of a cell).
        // Node values reach 0.5 on each of three grids, and neighbouring nodes differ by up to 1.
        EXPECT_LT(value, 1e-6) << n << " nodes, " << count << " places";
        EXPECT_LT(gradient, 3e-6) << n << " nodes, " << count << " places";
      }
    }
  }
}

TEST_P(GridSamplerOf, IsAsRightAMillionMetresAway) {
  const NodeGrid nodes = random_grid(20);
  const PlacedGrid straight{.nodes = &nodes, .period_m = 2};
  auto places = random_places(300, 10);
  for (std::size_t i = 0; i < places.size(); ++i) places[i] += (i % 2 == 0 ? 1e6 : -1e6) * Vec3(1, -0.3, 0.8);
  // At 1e6 m, a double has a resolution of 1.2e-10 m, which is 1e-9 of a node spacing.
  EXPECT_LT(worst_against_plain(std::span(&straight, 1), GetParam(), places).first, 5e-7);
  const PlacedGrid turned{.nodes = &nodes, .period_m = 2, .rotation = some_turn};
  EXPECT_LT(worst_against_plain(std::span(&turned, 1), GetParam(), places).first, 5e-7);
}

TEST_P(GridSamplerOf, RepeatsAndIsContinuousWhereItDoes) {
  const NodeGrid nodes = random_grid(8);
  const PlacedGrid grid{.nodes = &nodes, .period_m = 1};
  // The points lie on or next to the boundary between two periods, some of them in other periods. All values must
  // agree.
  const double tiny = 1e-300;
  const std::vector<Vec3> places{{0, 0, 0},  {-tiny, -tiny, -tiny}, {1, 1, 1}, {-1e-17, 0, 1}, {1e-12, -1e-12, 0},
                                 {5, -3, 2}, {tiny, 1 - 1e-16, -7}};
  const SampledGrid at = sample(std::span(&grid, 1), GetParam(), places);
  for (const Vec3& value : at.value) EXPECT_LT((value - at.value.front()).norm(), 1e-6);
}

TEST_P(GridSamplerOf, HasTheSameBitsOnAnyInstructionSet) {
  const NodeGrid nodes = random_grid(13), others = random_grid(10);
  const std::vector<PlacedGrid> grids{
      {.nodes = &nodes, .period_m = 3, .gain = 1.3},
      {.nodes = &others, .period_m = 4.2, .rotation = some_turn, .origin = Vec3(1, 2, 3), .gain = 0.6}};
  const auto places = random_places(333, 50);
  const SampledGrid best = sample(grids, GetParam(), places);
  int seen = 0;
  for (std::int64_t left = hwy::SupportedTargets(); left != 0; left &= left - 1, ++seen) {
    hwy::SetSupportedTargetsForTest(left & -left);
    EXPECT_TRUE(sample(grids, GetParam(), places) == best) << hwy::TargetName(left & -left);
  }
  hwy::SetSupportedTargetsForTest(0);
  EXPECT_GE(seen, 1);
}

TEST_P(GridSamplerOf, PutsInPlaceWhatItAddsToZeros) {
  const NodeGrid nodes = random_grid(13);
  const PlacedGrid grid{.nodes = &nodes, .period_m = 3, .gain = 1.3};
  const Vec3 base(0.1, -2, 30), before(4, 5, 6);
  const auto places = random_places(213, 50);
  for (std::int64_t left = hwy::SupportedTargets(); left != 0; left &= left - 1) {
    hwy::SetSupportedTargetsForTest(left & -left);
    for (const std::size_t count : {0U, 1U, 7U, 64U, 205U})
      for (std::size_t from = 0; from < 8; ++from)  // all alignments of the points to cache lines
        for (const GridStore store : {GridStore::set, GridStore::stream}) {
          std::vector<Vec3> added(from + count, Vec3::Zero()), put(places.size(), before);
          add_grids(std::span(&grid, 1), GetParam(), std::span(places).subspan(from, count),
                    std::span(added).subspan(from), GridStore::add, base);
          add_grids(std::span(&grid, 1), GetParam(), std::span(places).subspan(from, count),
                    std::span(put).subspan(from, count), store, base);
          EXPECT_TRUE(std::equal(added.begin() + static_cast<std::ptrdiff_t>(from), added.end(),
                                 put.begin() + static_cast<std::ptrdiff_t>(from)))
              << count << " from " << from;
          EXPECT_EQ(std::count(put.begin(), put.end(), before), static_cast<std::ptrdiff_t>(places.size() - count))
              << count << " from " << from;
        }
  }
  hwy::SetSupportedTargetsForTest(0);
}

TEST_P(GridSamplerOf, SaysNoNumberWhereThePlaceIsNone) {
  const NodeGrid nodes = random_grid(5);
  const PlacedGrid straight{.nodes = &nodes, .period_m = 1},
      turned{.nodes = &nodes, .period_m = 1, .rotation = some_turn};
  const double none = std::numeric_limits<double>::quiet_NaN(), endless = std::numeric_limits<double>::infinity();
  for (const PlacedGrid& grid : {straight, turned})
    for (const Vec3& place : {Vec3(none, 0, 0), Vec3(0, endless, 0), Vec3(0, 0, -endless)}) {
      const std::vector<Vec3> places{Vec3(0.1, 0.2, 0.3), place};
      const SampledGrid at = sample(std::span(&grid, 1), GetParam(), places);
      EXPECT_TRUE(at.value[0].allFinite());
      EXPECT_FALSE(at.value[1].allFinite());
    }
}

TEST(GridSampler, ReproducesWhatSplinesDo) {
  // The node values are linear in x. Away from the periodic boundary both splines reproduce linear functions.
  const int n = 16;
  std::vector<float> x(n * n * n), y(n * n * n, 2.0F);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % n);
  NodeGrid nodes(n);
  nodes.load(x, y, {});
  const PlacedGrid grid{.nodes = &nodes, .period_m = n};
  const std::vector<Vec3> places{Vec3(3.25, 1.7, 15.9), Vec3(12.875, 0, 3)};
  for (const GridSpline spline : {GridSpline::linear, GridSpline::cubic}) {
    const SampledGrid at = sample(std::span(&grid, 1), spline, places);
    for (std::size_t i = 0; i < places.size(); ++i) {
      EXPECT_LT((at.value[i] - Vec3(places[i].x(), 2, 0)).norm(), 1e-5);
      EXPECT_LT((at.gradient[i] - Vec3(1, 0, 0) * Vec3(1, 0, 0).transpose()).norm(), 1e-5);
    }
  }
}

TEST(GridSampler, GradientIsTheDifferenceQuotient) {
  const NodeGrid nodes = random_grid(9);
  const PlacedGrid grid{.nodes = &nodes, .period_m = 9, .rotation = some_turn, .gain = 2};
  const double h = 1e-5;
  double worst = 0;
  for (const Vec3& place : random_places(300, 30)) {
    const Mat3 gradient = plain_sample(grid, GridSpline::cubic, place).gradient;
    for (int axis = 0; axis < 3; ++axis) {
      const Vec3 by = h * Vec3::Unit(axis);
      const Vec3 difference = plain_sample(grid, GridSpline::cubic, place + by).value -
                              plain_sample(grid, GridSpline::cubic, place - by).value;
      worst = std::max(worst, (difference / (2 * h) - gradient.col(axis)).norm());
    }
  }
  // The third derivatives jump by some units from cell to cell. The central difference has an error of h^2 / 6 times
  // that jump, plus rounding of 1e-16 / h.
  EXPECT_LT(worst, 1e-8);
}

/// Counts the requests for each plane.
class Asked : public NodePlanes {
 public:
  void require(std::span<const std::uint64_t> place) const override {
    for (std::size_t i = 2; i < place.size(); i += 3) ++times[place[i] >> 32];
  }
  mutable std::vector<int> times = std::vector<int>(8);
};

TEST(GridSampler, SaysWhichPlanesItReads) {
  const NodeGrid nodes = random_grid(8);
  const Asked asked;
  const PlacedGrid grid{.nodes = &nodes, .period_m = 8, .planes = &asked};
  const std::vector<Vec3> places{Vec3(0, 0, 2.5), Vec3(1, 7, 10.9), Vec3(0.5, 0.5, -0.1)};
  std::vector<Vec3> out(places.size(), Vec3::Zero());
  add_grids(std::span(&grid, 1), GridSpline::cubic, places, out);
  EXPECT_EQ(asked.times, (std::vector<int>{0, 0, 2, 0, 0, 0, 0, 1}));
}

TEST(GridSampler, BlendsNodes) {
  std::vector<float> a(37), b(37), sum(37);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i), b[i] = 1;
  const std::vector<const float*> from{a.data(), b.data()};
  const std::vector<float> weight{0.5F, -2};
  blend_nodes(from, weight, sum);
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(sum[i], 0.5F * static_cast<float>(i) - 2);
}

}  // namespace
}  // namespace vw
