// SPH sorting, cell tables, neighbour lists and sweeps, compared with a plain reference implementation. The states are
// random and of several kinds.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "sim/base/parallel/parallel.h"
#include "sim/system/fluid/measures/reference.h"
#include "tests/support/fluid_tank.h"

namespace vw {
namespace {

using test::FluidTank;
using test::TankSetup;

using Random = std::mt19937;

/// Returns the positions of one of five kinds: uniformly random, a perfect lattice, clusters around a few points, two
/// distant clusters, or a line through the origin.
std::vector<Vec3> places(int kind, std::size_t count, double d, Random& random) {
  std::uniform_real_distribution<double> any(-1, 1);
  const auto box = [&](double half) { return Vec3(half * any(random), half * any(random), half * any(random)); };
  const double half = 0.5 * d * std::cbrt(static_cast<double>(count));
  std::vector<Vec3> out;
  for (std::size_t i = 0; i < count; ++i) {
    const double k = static_cast<double>(i);
    if (kind == 0) out.push_back(box(half));
    if (kind == 1)
      out.push_back(d * Vec3(static_cast<double>(i % 7), static_cast<double>(i / 7 % 7), static_cast<double>(i / 49)));
    if (kind == 2) out.push_back(box(0.2 * d) + Vec3(i % 3 == 0 ? 1.0 : 0.0, 0, 0));
    if (kind == 3) out.push_back(box(half) + Vec3(i % 2 == 0 ? -40.0 : 60.0, i % 2 == 0 ? 3.0 : -7.0, 0));
    if (kind == 4) out.push_back(Vec3(0.7 * d * (k - 0.5 * static_cast<double>(count)), 0, 0));
  }
  return out;
}

/// A tank and a reference implementation with the same particles and the same boundary samples.
struct Pairing {
  FluidTank tank;
  ReferenceSph reference;
  Pairing(SphKernel kernel, std::vector<Vec3> fluid, const std::vector<Vec3>& wall, Random& random)
      : tank([&] {
          TankSetup setup;
          setup.kernel = kernel;
          setup.walled = false;
          setup.cells = {2, 2, 2};
          return setup;
        }()) {
    std::uniform_real_distribution<double> any(-1, 1);
    for (const Vec3& p : fluid) tank.add(p, Vec3(any(random), any(random), any(random)), any(random) > 0 ? 1000 : 300);
    if (!wall.empty()) {
      Guest still;
      still.place = wall;
      still.velocity.assign(wall.size(), Vec3::Zero());
      still.share.assign(wall.size(), 1.0F);
      tank.guests = {still};
    }
    tank.prepare();
    reference.spacing_m = tank.setup.spacing_m;
    reference.kernel = kernel;
    reference.x = tank.x, reference.v = tank.v, reference.rest_density = tank.rest_density;
    reference.wall = wall;
    reference.find_neighbours();
    reference.sum_densities();
  }
};

std::vector<std::multiset<std::size_t>> listed(const PairLists& lists, std::size_t rows, bool walls) {
  std::vector<std::multiset<std::size_t>> out(rows);
  for (const PairChunk& chunk : lists.chunks())
    for (const Cluster& cluster : chunk.clusters)
      for (std::uint32_t i = 0; i < cluster.rows; ++i) {
        for (std::uint32_t k = walls ? cluster.wall_begin : cluster.near_begin;
             k < (walls ? cluster.wall_end : cluster.near_end); ++k)
          out[cluster.row + i].insert(walls ? chunk.walls[k] : chunk.near_row(cluster, k));
      }
  return out;
}

TEST(SphCore, ListsNameEveryNeighbourOnceWhereverTheRowsAre) {
  Random random(5);
  // In single precision, positions 60 m from the origin have an error of 4e-6 m. The kernel vanishes at the boundary of
  // its support, so the test requires only pairs that lie clearly inside this boundary.
  const double rim = 0.9995 * 0.04;
  const auto counts = std::to_array<std::size_t>({1, 2, 3, 5, 60, 400});
  for (int round = 0; round < 100; ++round) {
    const std::size_t count = counts[static_cast<std::size_t>(round) % counts.size()];
    const int kind = round / 6 % 5;
    const std::vector<Vec3> fluid = places(kind, count, 0.02, random),
                            wall = round % 2 == 0 ? places(0, 80, 0.02, random) : std::vector<Vec3>();
    Pairing pair(round % 3 == 0 ? SphKernel::cubic : SphKernel::wendland, fluid, wall, random);
    const auto near = listed(pair.tank.space.lists, count, false), walls = listed(pair.tank.space.lists, count, true);
    for (std::size_t i = 0; i < count; ++i) {
      for (const std::size_t j : pair.reference.near[i]) {
        if ((pair.reference.x[i] - pair.reference.x[j]).norm() > rim) continue;
        ASSERT_EQ(near[i].count(j), 1U) << "round " << round << ", rows " << i << " and " << j;
      }
      std::size_t near_walls = 0, named = 0;
      for (const Vec3& b : wall) near_walls += (pair.reference.x[i] - b).norm() < rim ? 1 : 0;
      for (const std::size_t b : walls[i]) named += b < wall.size() ? 1 : 0;
      ASSERT_GE(named, near_walls) << "round " << round;
      ASSERT_EQ(near[i].count(i), 1U);
    }
  }
}

/// Rows sorted by position, as the pair search requires.
struct Population {
  KeySort sort;
  BrickTable table;
  Float4s rows;
  Population(const std::vector<Vec3>& places, double reach) {
    for (const Vec3& place : places) sort.keys.push_back(place_key({Vec3::Zero(), reach}, place));
    sort.sort();
    table.build(sort.keys);
    for (const std::uint32_t i : sort.order) {
      const Vec3f at = places[i].cast<float>();
      rows.push_back({at.x(), at.y(), at.z(), 0});
    }
  }
  [[nodiscard]] PairSource source() const { return {&table, rows.data(), 0}; }
};

TEST(SphCore, ListsByPagesOpenAnotherWindowWhereSlotsAreUsedUp) {
  // A window is the range of rows that the neighbour list of one particle (the target) can address: 1,024 pages of 64
  // rows. The first two targets are each surrounded by 40,000 rows, which fill 625 pages, so each needs its own window.
  // The third target is surrounded by 70,000 rows, more than a window can address.
  constexpr double reach = 0.04;
  Random random(3);
  // The offsets are shorter than one cell, so that the search visits all rows.
  std::uniform_real_distribution<double> any(-0.03, 0.03);
  const auto heap = [&](const Vec3& middle, int count, std::vector<Vec3>& out) {
    for (int i = 0; i < count; ++i) out.push_back(middle + Vec3(any(random), any(random), any(random)));
  };
  const BrickTable probe = Population({Vec3::Zero()}, reach).table;
  const Vec3 first = brick_corner({Vec3::Zero(), reach}, probe.bricks()[0].place) + Vec3::Constant(2 * reach);
  const Vec3 second = first + Vec3(16 * reach, 0, 0), third = first + Vec3(0, 16 * reach, 0);
  std::vector<Vec3> crowd;
  heap(first, 40000, crowd), heap(second, 40000, crowd);
  const auto lists_of = [&](const std::vector<Vec3>& places, const Population& others, PairLists& lists) {
    const Population targets(places, reach);
    const std::array<PairSource, 1> near{others.source()};
    PairSearch search;
    search.targets = targets.source();
    search.near = near;
    search.near_padding = static_cast<std::uint32_t>(others.rows.size());
    search.reach = static_cast<float>(reach);
    search.most_pairs = 1U << 30U;
    const bool good = lists.build(search);
    for (const PairChunk& chunk : lists.chunks())
      for (const Cluster& cluster : chunk.clusters) {
        const Float4& at = targets.rows[cluster.row];
        std::multiset<std::uint32_t> named;
        for (std::uint32_t k = cluster.near_begin; good && k < cluster.near_end; ++k)
          named.insert(chunk.near_row(cluster, k));
        for (std::uint32_t j = 0; good && j < others.rows.size(); ++j) {
          const Float4& other = others.rows[j];
          const float x = at.x - other.x, y = at.y - other.y, z = at.z - other.z, far = x * x + y * y + z * z;
          const float share = far / (search.reach * search.reach);
          const std::size_t count = named.count(j);
          EXPECT_TRUE(share < 0.9999F ? count == 1 : (share < 1.0001F || count == 0))
              << "row " << j << " at " << share << " is named " << count;
        }
      }
    return good;
  };
  PairLists lists;
  EXPECT_TRUE(lists_of({first, second}, Population(crowd, reach), lists));
  ASSERT_EQ(lists.chunks().size(), 1U);
  ASSERT_EQ(lists.chunks()[0].clusters.size(), 2U);
  EXPECT_NE(lists.chunks()[0].clusters[0].pages, lists.chunks()[0].clusters[1].pages);
  heap(third, 70000, crowd);
  EXPECT_FALSE(lists_of({third}, Population(crowd, reach), lists));
  // After lists_of() has failed, the same object must still be able to build other lists.
  EXPECT_TRUE(lists_of({second, first}, Population(crowd, reach), lists));
}

TEST(SphCore, NoRowsMakeNoLists) {
  Random random(1);
  Pairing pair(SphKernel::wendland, {}, {}, random);
  EXPECT_EQ(pair.tank.space.lists.entries(), 0U);
  EXPECT_EQ(pair.tank.space.table.bricks().size(), 0U);
}

TEST(SphCore, HeapedRowsBeyondTheLimitAreRefused) {
  Random random(1);
  Pairing pair(SphKernel::wendland, places(2, 400, 0.02, random), {}, random);
  SphWorkspace& space = pair.tank.space;
  const PairSource near[1] = {{&space.table, space.rows.data(), 0}};
  PairSearch search;
  search.targets = near[0];
  search.near = near;
  search.near_padding = 400;
  search.reach = 0.04F;
  search.most_pairs = 1000;
  EXPECT_FALSE(space.lists.build(search));
}

TEST(SphCore, HeapsThatSeveralThreadsRefuseAtOnceAreRefused) {
  // Each heap has more rows than a window can address, so the lists of each heap are refused. Threads refuse several of
  // them at the same time.
  constexpr double reach = 0.04;
  constexpr int heaps = 8, rows_of_heap = 70000;
  std::vector<Vec3> crowd;
  for (int heap = 0; heap < heaps; ++heap)
    crowd.insert(crowd.end(), rows_of_heap, Vec3((0.5 + 16 * heap) * reach, 0.5 * reach, 0.5 * reach));
  const Population rows(crowd, reach);
  const std::array<PairSource, 1> near{rows.source()};
  PairSearch search;
  search.targets = rows.source();
  search.near = near;
  search.near_padding = static_cast<std::uint32_t>(rows.rows.size());
  search.reach = static_cast<float>(reach);
  search.most_pairs = 400 * rows.rows.size();
  PairLists lists;
  const int threads = thread_count();
  set_thread_count(heaps);
  for (int round = 0; round < 20; ++round) EXPECT_FALSE(lists.build(search)) << round;
  set_thread_count(threads);
}

/// Returns the largest absolute difference between the arrays `a` and `b`, divided by the largest absolute value of
/// `b`. The function `size` returns the absolute value of an entry.
template <class A, class B, class F>
double worst(const A& a, const B& b, F size) {
  double difference = 0, largest = 1e-30;
  for (std::size_t i = 0; i < a.size(); ++i)
    difference = std::max(difference, size(a[i] - b[i])), largest = std::max(largest, size(b[i]));
  return difference / largest;
}

TEST(SphCore, SweepsAreTheReferencesUpToRounding) {
  Random random(7);
  std::uniform_real_distribution<double> any(0, 1);
  const auto size = [](double value) { return std::abs(value); };
  const auto length = [](const Vec3& value) { return value.norm(); };
  for (int round = 0; round < 12; ++round) {
    // The positions are uniformly random or form a lattice about the origin. In single precision, the relative error of
    // a position is 1e-7.
    const std::vector<Vec3> fluid = places(round % 2, 300, 0.02, random),
                            wall = round % 3 == 0 ? std::vector<Vec3>() : places(0, 80, 0.02, random);
    Pairing pair(round < 6 ? SphKernel::wendland : SphKernel::cubic, fluid, wall, random);
    SphWorkspace& space = pair.tank.space;
    const std::size_t n = fluid.size();
    std::vector<double> density, answer, virial, kappa, rate;
    std::vector<Vec3> moved;
    for (const DensityRow& row : space.density)
      density.push_back(static_cast<double>(row.density)), answer.push_back(static_cast<double>(row.answer)),
          virial.push_back(static_cast<double>(row.virial));
    // The density sweep uses exact square roots. The sums have about 40 terms, so single precision leaves a relative
    // error of 1e-6.
    EXPECT_LT(worst(density, pair.reference.density, size), 3e-6);
    EXPECT_LT(worst(answer, pair.reference.answer, size), 3e-5);
    EXPECT_LT(worst(virial, pair.reference.virial, size), 3e-5);
    rate_sweep(space.input(), space.rate);
    for (const float value : space.rate) rate.push_back(static_cast<double>(value));
    // The rate sweep uses approximate square roots with a relative error of up to 4e-4. At half the support radius, the
    // factor (1 - q)^3 of the kernel gradient (q: distance over support radius) increases this error up to threefold.
    EXPECT_LT(worst(rate, pair.reference.rates(pair.tank.v), size), 2e-3);
    for (std::size_t i = 0; i < n; ++i) {
      kappa.push_back(1000 * any(random));
      space.rows[i].w = static_cast<float>(kappa[i]);
    }
    space.before.assign(space.motion.size(), Float4{});
    push_sweep(space.input(), {space.inverse_density, space.before, 1e-3F}, space.motion);
    for (std::size_t i = 0; i < n; ++i) moved.emplace_back(space.motion[i].x, space.motion[i].y, space.motion[i].z);
    EXPECT_LT(worst(moved, pair.reference.pushed(std::vector<Vec3>(n, Vec3::Zero()), kappa, 1e-3), length), 2e-3);
  }
}

TEST(SphCore, ALatticeIsAtRestDensityInsideAndAtItsWalls) {
  for (const SphKernel kernel : {SphKernel::wendland, SphKernel::cubic}) {
    TankSetup setup;
    setup.kernel = kernel;
    FluidTank tank(setup);
    tank.fill({0, 0, 0}, {8, 30, 8});
    tank.prepare();
    for (std::size_t i = 0; i < tank.x.size(); ++i) {
      const double density = static_cast<double>(tank.space.density[i].density);
      if (tank.x[i].y() < 0.56)
        EXPECT_NEAR(density, 1, 2e-6) << tank.x[i].transpose();
      else
        EXPECT_LT(density, 1 + 2e-6);
    }
  }
}

TEST(SphCore, KeysAscendAndTheOrderIsStable) {
  Random random(3);
  KeySort sort;
  std::uniform_int_distribution<std::uint64_t> any(0, 500);
  for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{1} << 40U, (std::uint64_t{1} << 62U) - 100})
    for (const std::size_t count : {0UL, 1UL, 2UL, 1000UL, 50000UL}) {
      std::vector<std::uint64_t> keys;
      for (std::size_t i = 0; i < count; ++i) keys.push_back(offset + any(random));
      sort.keys = keys;
      sort.sort();
      ASSERT_EQ(sort.order.size(), count);
      for (std::size_t k = 0; k < count; ++k) {
        ASSERT_EQ(sort.keys[k], keys[sort.order[k]]);
        ASSERT_TRUE(k == 0 || sort.keys[k - 1] < sort.keys[k] ||
                    (sort.keys[k - 1] == sort.keys[k] && sort.order[k - 1] < sort.order[k]));
      }
    }
}

TEST(SphCore, PointsFarOutOrNoNumbersHaveAKeyAtTheBorder) {
  const CellFrame frame{Vec3::Zero(), 0.04};
  const double none = std::nan("");
  EXPECT_EQ(place_key(frame, Vec3(1e30, 0, 0)), place_key(frame, Vec3(1e20, 0, 0)));
  EXPECT_EQ(place_key(frame, Vec3(none, 0, 0)), place_key(frame, Vec3(-1e30, 0, 0)));
}

}  // namespace
}  // namespace vw
