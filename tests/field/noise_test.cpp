// Gradient noise and the winds made of it: zeros, smoothness, exact gradients, no divergence, asked strength.
#include <cmath>

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include "sim/base/parallel.h"
#include "sim/base/random.h"
#include "sim/field/field.h"
#include "sim/field/noise.h"
#include "sim/field/turbulence_lanes.h"
#include "tests/support/field_node.h"
#include "tests/support/validation.h"

namespace vw {
using test::record_case;
namespace {

Vec3 somewhere(std::uint64_t i, double extent) {
  const RandomKey key{11, 7};
  return extent * Vec3(random_uniform(key, i, 0) - 0.5, random_uniform(key, i, 1) - 0.5, random_uniform(key, i, 2) - 0.5);
}

TEST(GradientNoise, IsZeroAtLatticePoints) {
  for (int i = -3; i <= 3; ++i)
    for (int j = -3; j <= 3; ++j)
      for (int k = -3; k <= 3; ++k) {
        EXPECT_EQ(gradient_noise(Vec3(i, j, k), 5).value, 0);
        EXPECT_EQ(gradient_noise(Vec3(i, j, k), 2.0, 5).value, 0);
      }
}

TEST(GradientNoise, GradientIsTheDifferenceQuotient) {
  double worst = 0;
  const double h = 1e-5;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const Vec3 x = somewhere(i, 40);
    const double w = 0.37 * static_cast<double>(i);
    const Vec3 three = gradient_noise(x, 9).gradient, four = gradient_noise(x, w, 9).gradient;
    for (int a = 0; a < 3; ++a) {
      const Vec3 e = h * Vec3::Unit(a);
      worst = std::max(worst, std::abs(three[a] - (gradient_noise(x + e, 9).value - gradient_noise(x - e, 9).value) / (2 * h)));
      worst = std::max(worst, std::abs(four[a] - (gradient_noise(x + e, w, 9).value - gradient_noise(x - e, w, 9).value) / (2 * h)));
    }
  }
  // Central differences err by h^2 f''' / 6 < 1e-8 and rounding 1e-16 / h.
  record_case("field", "Perlin gradient against difference quotient (worst of 12,000)", worst, 0, 1e-7);
  EXPECT_LT(worst, 1e-7);
}

TEST(GradientNoise, IsTwiceContinuouslyDifferentiableAcrossCells) {
  const double h = 1e-6;
  for (std::uint64_t i = 0; i < 500; ++i) {
    Vec3 x = somewhere(i, 20);
    x[0] = std::round(x[0]);  // on a cell's face
    const Vec3 e = h * Vec3::UnitX();
    const Vec3 left = gradient_noise(x - e, 3).gradient, right = gradient_noise(x + e, 3).gradient, here = gradient_noise(x, 3).gradient;
    // First derivatives meet; one-sided second derivatives agree to O(h) of the third.
    EXPECT_LT((left - right).norm(), 1e-4);
    EXPECT_LT(((here - left) / h - (right - here) / h).norm(), 1e-3);
  }
}

TEST(CurlNoise, HasNoDivergence) {
  double worst = 0;
  const double h = 1e-4;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const Vec3 x = somewhere(i, 30);
    double divergence = 0;
    for (int a = 0; a < 3; ++a) divergence += (curl_noise(x + h * Vec3::Unit(a), 0.3, 4)[a] - curl_noise(x - h * Vec3::Unit(a), 0.3, 4)[a]) / (2 * h);
    worst = std::max(worst, std::abs(divergence));
  }
  // The exact divergence is zero; central differences of second derivatives err by h^2 / 6 times a fourth derivative of some hundreds.
  record_case("field", "curl noise: divergence by central differences (worst of 1,000)", worst, 0, 1e-4);
  EXPECT_LT(worst, 1e-4);
}

TEST(CurlNoise, HasTheStatedStrength) {
  double sum = 0;
  const int n = 60000;
  for (int i = 0; i < n; ++i) sum += curl_noise(somewhere(static_cast<std::uint64_t>(i), 4000), 0.1 * i, 1).squaredNorm();
  const double rms = std::sqrt(sum / 3 / n);
  record_case("field", "curl noise: rms of a component", rms, curl_noise_rms, 0.02);
  EXPECT_NEAR(rms, curl_noise_rms, 0.02 * curl_noise_rms);  // 60,000 samples of three components: 0.3 % standard error
}

TEST(Turbulence, HasTheAskedMeanAndStrengthAndTheSameBitsAtAnyThreadCount) {
  Node node = test::field_node("turbulence");
  ASSERT_TRUE(set_parameter(node, "mean", Value(Vec3(2, 0, -1))));
  ASSERT_TRUE(set_parameter(node, "strength", Value(0.7)));
  ASSERT_TRUE(set_parameter(node, "length", Value(0.2)));
  FieldSet fields;
  fields.add("wind", test::made_field(node));
  std::vector<Vec3> x, u;
  for (std::uint64_t i = 0; i < 30000; ++i) x.push_back(somewhere(i, 500));
  u.resize(x.size());
  set_thread_count(1);
  fields.velocity(x, 3.0, u);
  Vec3 mean = Vec3::Zero();
  for (const Vec3& v : u) mean += v / static_cast<double>(u.size());
  double variance = 0;
  for (const Vec3& v : u) variance += (v - mean).squaredNorm() / 3 / static_cast<double>(u.size());
  EXPECT_LT((mean - Vec3(2, 0, -1)).norm(), 0.03);  // 4 standard errors of 0.7 / sqrt(30,000) in three components
  record_case("field", "turbulence: rms of a component [m/s]", std::sqrt(variance), 0.7, 0.029);
  EXPECT_NEAR(std::sqrt(variance), 0.7, 0.02);
  for (const int threads : {2, 3, 8}) {
    set_thread_count(threads);
    std::vector<Vec3> again(x.size());
    fields.velocity(x, 3.0, again);
    EXPECT_EQ(again, u);
  }
  set_thread_count(0);
}

TEST(Turbulence, AnotherSeedOrNameIsAnotherWindAndTheSameIsTheSame) {
  const Node node = test::field_node("turbulence");
  Node renamed = node;
  renamed.name = "draught";
  const std::vector<Vec3> x{Vec3(0.13, 0.2, 0.7)};
  const auto at = [&](const Node& n, std::uint64_t seed) {
    std::vector<Vec3> u(1, Vec3::Zero());
    test::made_field(n, seed)->add_velocity(x, {0.5}, u);
    return u[0];
  };
  EXPECT_EQ(at(node, 1), at(node, 1));
  EXPECT_NE(at(node, 1), at(node, 2));
  EXPECT_NE(at(node, 1), at(renamed, 1));
}

TEST(UniformWind, GustsAboutItsVelocity) {
  Node node = test::field_node("uniform");
  ASSERT_TRUE(set_parameter(node, "velocity", Value(Vec3(4, 0, 0))));
  ASSERT_TRUE(set_parameter(node, "gust", Value(0.5)));
  ASSERT_TRUE(set_parameter(node, "gust_period", Value(2.0)));
  const auto field = test::made_field(node);
  const std::vector<Vec3> x{Vec3::Zero()};
  std::vector<Vec3> u{Vec3::Zero()};
  field->add_velocity(x, {0.5}, u);  // a quarter period: sin = 1
  EXPECT_NEAR(u[0].x(), 6, 1e-12);
}

TEST(Noise, ManyPointsInLanesHaveTheBitsOfOneByOne) {
  const std::vector<CurlOctave> octaves{{2, 0.3, 17, 1.25}, {4.1, -0.7, 18, 0.5}, {1e5, 12345.6, 19, 0.1}};
  const Vec3 drift(0.3, 0, -2), mean(1, -0.25, 0);
  std::vector<Vec3> at;
  for (std::uint64_t i = 0; i < 1003; ++i) at.push_back(std::pow(10.0, static_cast<double>(i % 9)) * random_direction({5, 6}, i));
  at.push_back(Vec3(0, 0, 0));
  at.push_back(Vec3(1e300, -1e300, 9.3e18));  // beyond the lattice
  std::vector<Vec3> expected;
  for (const Vec3& x : at) {
    Vec3 sum = Vec3::Zero();
    for (const CurlOctave& o : octaves) sum += o.gain * curl_noise((x - drift) * o.scale, o.w, o.seed);
    expected.push_back(Vec3(1, 2, 3) + (mean + sum));
  }
  for (std::int64_t target = 1; target > 0; target <<= 1) {
    if ((hwy::SupportedTargets() & target) == 0) continue;
    hwy::SetSupportedTargetsForTest(target);
    std::vector<Vec3> measured(at.size(), Vec3(1, 2, 3));
    add_turbulence(at, drift, octaves, mean, measured);
    hwy::SetSupportedTargetsForTest(0);
    for (std::size_t i = 0; i < at.size(); ++i) ASSERT_TRUE(measured[i] == expected[i] || !expected[i].allFinite()) << i << " on target " << target;
  }
}

}  // namespace
}  // namespace vw
