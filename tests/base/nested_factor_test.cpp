// The nested Cholesky factor and the lowest eigenpairs, compared with dense linear algebra.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include <Eigen/Eigenvalues>

#include "sim/base/linear_algebra/lowest_pairs.h"
#include "sim/base/linear_algebra/nested_factor.h"
#include "sim/base/random.h"

namespace vw {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

struct Lattice {
  Sparse a;
  std::vector<Vec3> place;
};

/// Returns the positions and stiffness matrix of a box of nx * ny * nz points. Springs of random stiffness join each
/// point to its neighbours up to `reach` steps along the axes. A spring of stiffness `hold` ties each point to the
/// ground.
Lattice springs(int nx, int ny, int nz, int reach, double hold) {
  Lattice out;
  const auto at = [&](int x, int y, int z) { return x + nx * (y + ny * z); };
  std::vector<Eigen::Triplet<double>> entries;
  std::uint64_t draw = 0;
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x) {
        out.place.emplace_back(x, y, z);
        entries.emplace_back(at(x, y, z), at(x, y, z), hold);
        for (int step = 1; step <= reach; ++step)
          for (const int other : {x + step < nx ? at(x + step, y, z) : -1, y + step < ny ? at(x, y + step, z) : -1,
                                  z + step < nz ? at(x, y, z + step) : -1}) {
            if (other < 0) continue;
            const double k = 0.5 + random_uniform(RandomKey{3, 1}, draw++);
            const int me = at(x, y, z);
            entries.emplace_back(me, me, k), entries.emplace_back(other, other, k);
            entries.emplace_back(me, other, -k), entries.emplace_back(other, me, -k);
          }
      }
  out.a.resize(nx * ny * nz, nx * ny * nz);
  out.a.setFromTriplets(entries.begin(), entries.end());
  return out;
}

Eigen::VectorXd some_vector(Eigen::Index n) {
  Eigen::VectorXd b(n);
  for (Eigen::Index i = 0; i < n; ++i) b[i] = random_uniform(RandomKey{5, 1}, static_cast<std::uint64_t>(i)) - 0.5;
  return b;
}

TEST(NestedFactor, SolvesWhateverTheShapeAndReach) {
  for (const int reach : {1, 2})
    for (const auto& [nx, ny, nz] :
         {std::array{1, 1, 1}, std::array{400, 1, 1}, std::array{30, 20, 1}, std::array{9, 8, 10}}) {
      const Lattice lattice = springs(nx, ny, nz, reach, 0.01);
      NestedFactor factor;
      factor.analyze(lattice.a, lattice.place);
      ASSERT_EQ(factor.factorize(lattice.a, {}), NestedFactor::Outcome::done);
      const Eigen::VectorXd b = some_vector(lattice.a.rows()), x = factor.solve(b);
      EXPECT_LT((lattice.a * x - b).norm(), 1e-10 * b.norm())
          << nx << " x " << ny << " x " << nz << ", reach " << reach;
      EXPECT_GE(factor.bytes(), static_cast<std::size_t>(lattice.a.rows()) * sizeof(double));
    }
}

TEST(NestedFactor, PointsAtOnePlaceAndSeveralPiecesAreNoTrouble) {
  Lattice lattice = springs(200, 1, 1, 1, 0.1);
  for (Vec3& x : lattice.place) x.setZero();
  NestedFactor factor;
  factor.analyze(lattice.a, lattice.place);
  ASSERT_EQ(factor.factorize(lattice.a, {}), NestedFactor::Outcome::done);
  const Eigen::VectorXd b = some_vector(200);
  EXPECT_LT((lattice.a * factor.solve(b) - b).norm(), 1e-10 * b.norm());
  Sparse apart(300, 300);
  apart.setIdentity();
  std::vector<Vec3> place;
  for (int i = 0; i < 300; ++i) place.emplace_back(i, 0, 0);
  factor.analyze(apart, place);
  ASSERT_EQ(factor.factorize(apart, {}), NestedFactor::Outcome::done);
  const Eigen::VectorXd c = some_vector(300);
  EXPECT_LT((factor.solve(c) - c).norm(), 1e-15);
}

TEST(NestedFactor, CutsBetweenThePartsOfAFork) {
  // A fork-shaped graph: two legs of 40 x 50 nodes that a yoke of 50 nodes joins at their lower ends. A cut across both
  // legs needs a separator of 100 rows. The part above this cut consists of two unconnected pieces.
  constexpr int leg = 40, broad = 50;
  Lattice fork = springs(2 * leg + 1, broad, 1, 1, 0.1);
  for (Vec3& x : fork.place) {
    const double along = x.x() - leg, height = std::abs(along);
    x = height == 0 ? Vec3(500, -1000, 0.01 * x.y()) : Vec3(along < 0 ? 0 : 1000, height, 0.01 * x.y());
  }
  NestedFactor factor;
  factor.analyze(fork.a, fork.place);
  ASSERT_EQ(factor.factorize(fork.a, {}), NestedFactor::Outcome::done);
  const Eigen::VectorXd b = some_vector(fork.a.rows());
  EXPECT_LT((fork.a * factor.solve(b) - b).norm(), 1e-10 * b.norm());
}

TEST(NestedFactor, CutsAWideFootUnderATallColumn) {
  // 500 of the 800 rows lie in one plane across the longest axis: the lowest or the highest plane, or a plane in
  // the middle. One dense front would take 800 * 800 numbers.
  for (const int side : {1, -1, 0}) {
    Lattice lattice = springs(40, 20, 1, 1, 0.1);
    for (Vec3& x : lattice.place) {
      const double height = x.x() < 25 ? 0 : 100 * (x.x() - 24);
      const bool is_up = side != 0 ? side > 0 : static_cast<int>(x.x()) % 2 == 0;
      x = Vec3(is_up ? height : -height, x.y(), x.x());
    }
    NestedFactor factor;
    factor.analyze(lattice.a, lattice.place);
    ASSERT_EQ(factor.factorize(lattice.a, {}), NestedFactor::Outcome::done);
    EXPECT_LT(factor.bytes(), 800U * 800U * sizeof(double) / 2) << side;
    const Eigen::VectorXd b = some_vector(800);
    EXPECT_LT((lattice.a * factor.solve(b) - b).norm(), 1e-10 * b.norm()) << side;
  }
}

TEST(NestedFactor, RefusesWhatIsNotDefiniteAndStopsWhenTold) {
  const Lattice lattice = springs(8, 8, 8, 1, -0.5);
  NestedFactor factor;
  factor.analyze(lattice.a, lattice.place);
  EXPECT_EQ(factor.factorize(lattice.a, {}), NestedFactor::Outcome::not_definite);
  int blocks = 0;
  EXPECT_EQ(factor.factorize(springs(8, 8, 8, 1, 0.5).a, [&] { return ++blocks < 3; }), NestedFactor::Outcome::stopped);
}

TEST(LowestPairs, AreThoseOfTheDenseSolverWithAndWithoutPlaces) {
  for (const double hold : {0.01, -0.02}) {  // the second matrix is indefinite, so the general factorisation is used
    const Lattice lattice = springs(9, 7, 8, 1, hold);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> dense{Eigen::MatrixXd(lattice.a)};
    const Sparse nothing(lattice.a.rows(), 0);
    for (const bool placed : {false, true}) {
      PairOptions options;
      options.count = 12;
      options.dense_rows = 0;
      if (placed) options.place = lattice.place;
      const auto found = lowest_pairs(lattice.a, nothing, options);
      ASSERT_TRUE(found) << found.error().message();
      ASSERT_EQ(found->values.size(), 12);
      EXPECT_LT((found->vectors.transpose() * found->vectors - Eigen::MatrixXd::Identity(12, 12)).norm(), 1e-10);
      for (int i = 0; i < 12; ++i) EXPECT_NEAR(found->values[i], dense.eigenvalues()[i], 1e-10) << i;
    }
  }
}

}  // namespace
}  // namespace vw
