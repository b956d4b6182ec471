// Computes forces and moments on all bodies by one segmented reduction. They must equal plain sums for bodies of any
// size, with the same bits at any number of threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/base/parallel/parallel.h"
#include "sim/base/parallel/segmented_sum.h"
#include "sim/base/random.h"

namespace vw {
namespace {

struct Crowd {
  std::vector<std::uint32_t> first{0};
  std::vector<Vec3> center, place, force;

  /// Builds bodies with the given numbers of particles. The centres of the bodies lie far from the origin, and the
  /// magnitudes of the forces differ widely.
  explicit Crowd(const std::vector<std::uint32_t>& sizes) {
    for (const std::uint32_t size : sizes) {
      const std::uint64_t body = center.size();
      center.push_back(100 * random(body, 0));
      for (std::uint32_t k = 0; k < size; ++k) {
        place.push_back(center.back() + random(body, 3 + 6 * k));
        force.push_back(std::pow(10.0, static_cast<double>(k % 7) - 3) * random(body, 6 + 6 * k));
      }
      first.push_back(first.back() + size);
    }
  }
  [[nodiscard]] SortedParticles particles() const { return {first, center, place, force}; }
  [[nodiscard]] std::vector<Wrench> totals() const {
    std::vector<Wrench> out(center.size(), Wrench{Vec3::Ones(), Vec3::Ones()});
    SegmentedSum().run(particles(), out);
    return out;
  }

 private:
  static Vec3 random(std::uint64_t body, std::uint64_t k) {
    const auto one = [&](std::uint64_t at) { return 2 * random_uniform({7, 5}, body, at) - 1; };
    return {one(k), one(k + 1), one(k + 2)};
  }
};

/// Returns the largest difference from a plain sum in extended precision, divided by the allowed error. With the
/// particles' forces f and positions x, the allowed error is 1e-12 of sum |f| for the force on a body and 1e-12 of sum
/// |x - center| |f| for the moment.
double worst_error(const Crowd& crowd) {
  using Long3 = Eigen::Matrix<long double, 3, 1>;
  const std::vector<Wrench> totals = crowd.totals();
  double worst = 0;
  for (std::size_t b = 0; b < totals.size(); ++b) {
    Long3 force = Long3::Zero(), torque = Long3::Zero();
    double forces = 0, torques = 0;
    for (std::size_t i = crowd.first[b]; i < crowd.first[b + 1]; ++i) {
      const Vec3 arm = crowd.place[i] - crowd.center[b];
      force += crowd.force[i].cast<long double>();
      torque += arm.cast<long double>().cross(crowd.force[i].cast<long double>());
      forces += crowd.force[i].norm(), torques += arm.norm() * crowd.force[i].norm();
    }
    const double off_force = (totals[b].force - force.cast<double>()).norm(),
                 off_torque = (totals[b].torque - torque.cast<double>()).norm();
    if (off_force > 0) worst = std::max(worst, off_force / (1e-12 * forces));
    if (off_torque > 0) worst = std::max(worst, off_torque / (1e-12 * torques));
  }
  return worst;
}

std::vector<std::uint32_t> uneven_sizes() {
  std::vector<std::uint32_t> sizes{0, 0, 1, 40000, 0, 8192, 3, 39, 40, 41};
  for (std::uint32_t k = 0; k < 500; ++k) sizes.push_back(k % 23);
  sizes.insert(sizes.end(), {30000, 2, 0, 0});
  return sizes;
}

TEST(SegmentedSum, EqualsPlainSumsOfOneBodyOfManyAndOfUnlikeOnes) {
  EXPECT_LT(worst_error(Crowd({100000})), 1);
  EXPECT_LT(worst_error(Crowd(std::vector<std::uint32_t>(100, 1000))), 1);
  EXPECT_LT(worst_error(Crowd(std::vector<std::uint32_t>(10000, 10))), 1);
  EXPECT_LT(worst_error(Crowd(uneven_sizes())), 1);
}

TEST(SegmentedSum, BodiesWithoutParticlesHaveNoTotals) {
  const Crowd crowd(uneven_sizes());
  const auto totals = crowd.totals();
  for (std::size_t b = 0; b < totals.size(); ++b)
    EXPECT_EQ(crowd.first[b] == crowd.first[b + 1], totals[b].force.isZero(0) && totals[b].torque.isZero(0)) << b;
  EXPECT_TRUE(Crowd({0, 0}).totals()[1].force.isZero(0));
  EXPECT_TRUE(Crowd({}).totals().empty());
}

TEST(SegmentedSum, GivesTheSameBitsAtAnyNumberOfThreads) {
  const Crowd crowd(uneven_sizes());
  set_thread_count(1);
  const auto one = crowd.totals();
  for (const int threads : {2, 3, 8}) {
    set_thread_count(threads);
    const auto many = crowd.totals();
    for (std::size_t b = 0; b < one.size(); ++b)
      EXPECT_TRUE(one[b].force == many[b].force && one[b].torque == many[b].torque) << b;
  }
  set_thread_count(0);
}

}  // namespace
}  // namespace vw
