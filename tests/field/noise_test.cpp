// Gradient noise and winds derived from it: zeros, smoothness, exact gradients, zero divergence, prescribed strength.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/base/parallel/parallel.h"
#include "sim/base/random.h"
#include "sim/field/field.h"
#include "sim/field/noise/noise.h"
#include "sim/field/noise/noise_shape.h"
#include "tests/support/field_node.h"
#include "tests/support/validation.h"

namespace vw {
using test::record_case;
namespace {

Vec3 somewhere(std::uint64_t i, double extent) {
  const RandomKey key{11, 7};
  return extent *
         Vec3(random_uniform(key, i, 0) - 0.5, random_uniform(key, i, 1) - 0.5, random_uniform(key, i, 2) - 0.5);
}

TEST(GradientNoise, IsZeroAtLatticePoints) {
  double largest = 0;
  for (int i = -3; i <= 3; ++i)
    for (int j = -3; j <= 3; ++j)
      for (int k = -3; k <= 3; ++k) {
        EXPECT_EQ(gradient_noise(i, j, 5).value, 0);
        EXPECT_EQ(gradient_noise(Vec3(i, j, k), 5).value, 0);
        EXPECT_EQ(gradient_noise(Vec3(i, j, k), 2.0, 5).value, 0);
        largest = std::max(largest, std::abs(gradient_noise(Vec3(i + 1e9, j, k), 5).value));
      }
  test::expect_case("field", "Perlin noise at lattice points, the largest", largest, 0, 0);
}

TEST(GradientNoise, GradientIsTheDifferenceQuotient) {
  double worst = 0;
  const double h = 1e-5;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const Vec3 x = somewhere(i, 40);
    const double w = 0.37 * static_cast<double>(i);
    const Vec3 three = gradient_noise(x, 9).gradient, four = gradient_noise(x, w, 9).gradient;
    const Eigen::Vector2d two = gradient_noise(x[0], x[1], 9).gradient;
    for (int a = 0; a < 2; ++a) {
      const Eigen::Vector2d e = h * Eigen::Vector2d::Unit(a);
      worst = std::max(worst, std::abs(two[a] - (gradient_noise(x[0] + e[0], x[1] + e[1], 9).value -
                                                 gradient_noise(x[0] - e[0], x[1] - e[1], 9).value) /
                                                    (2 * h)));
    }
    for (int a = 0; a < 3; ++a) {
      const Vec3 e = h * Vec3::Unit(a);
      worst = std::max(
          worst, std::abs(three[a] - (gradient_noise(x + e, 9).value - gradient_noise(x - e, 9).value) / (2 * h)));
      worst = std::max(
          worst, std::abs(four[a] - (gradient_noise(x + e, w, 9).value - gradient_noise(x - e, w, 9).value) / (2 * h)));
    }
  }
  // Central differences of a function f have an error of h^2 f''' / 6 < 1e-8 and a rounding error of 1e-16 / h.
  record_case("field", "Perlin gradient against difference quotient (worst of 16,000)", worst, 0, 1e-7);
  EXPECT_LT(worst, 1e-7);
}

/// Returns the largest jump of the second derivatives, normal and mixed, across a cell face. `slope_at` returns the
/// gradient.
template <class Slope>
double second_derivative_jump(const Slope& slope_at) {
  const double h = 1e-6;
  double worst = 0;
  for (std::uint64_t i = 0; i < 500; ++i) {
    Vec3 x = somewhere(i, 20);
    x[0] = std::round(x[0]);
    const Vec3 e = h * Vec3::UnitX();
    const auto left = slope_at(x - e), here = slope_at(x), right = slope_at(x + e);
    worst = std::max(worst, ((here - left) / h - (right - here) / h).norm());
  }
  return worst;
}

TEST(GradientNoise, IsTwiceContinuouslyDifferentiableAcrossCells) {
  // If the second derivatives are continuous, the one-sided differences of the slope over h = 1e-6 differ by at most h
  // times third derivatives of some hundreds, plus a rounding error of 1e-16 / h.
  const double two = second_derivative_jump([](const Vec3& x) { return gradient_noise(x[0], x[1], 3).gradient; });
  const double three = second_derivative_jump([](const Vec3& x) { return gradient_noise(x, 3).gradient; });
  const double four =
      second_derivative_jump([](const Vec3& x) { return gradient_noise_4d(Vec4(x[0], x[1], x[2], 0.3), 3).gradient; });
  test::expect_case("field", "Perlin noise: jump of second derivatives across cells (worst of 1,500)",
                    std::max({two, three, four}), 0, 1e-3);
}

TEST(GradientNoise, HasTheStatedMeanAndStrengthAndNoDirection) {
  double mean[5] = {}, square[5] = {};
  Vec3 slopes = Vec3::Zero();
  const int n = 60000;
  for (int i = 0; i < n; ++i) {
    const Vec3 x = somewhere(static_cast<std::uint64_t>(i), 4000);
    const NoiseSample three = gradient_noise(x, 8);
    const double values[5] = {0, 0, gradient_noise(x[0], x[1], 8).value, three.value,
                              gradient_noise(x, 0.37 * i, 8).value};
    for (int d = 2; d <= 4; ++d) {
      mean[d] += values[d] / n;
      square[d] += values[d] * values[d] / n;
    }
    slopes += three.gradient.cwiseAbs2() / n;
  }
  for (int d = 2; d <= 4; ++d) {
    EXPECT_NEAR(mean[d], 0, 0.004) << d;  // The tolerance is above 4 standard errors of 0.2 / sqrt(60,000).
    test::expect_case("field", "Perlin noise in " + std::to_string(d) + " dimensions: rms", std::sqrt(square[d]),
                      gradient_noise_rms(d), 0.02);
  }
  // The tolerance is 3 standard errors.
  for (int a = 0; a < 3; ++a) EXPECT_NEAR(slopes[a], slopes.mean(), 0.03 * slopes.mean()) << a;
}

TEST(GradientNoise, IsThereAtHugeAndNegativePlacesAndNotWhereThereIsNoPlace) {
  const double far = 3e12;
  double square = 0;
  for (std::uint64_t i = 0; i < 2000; ++i)
    square += std::pow(gradient_noise(somewhere(i, 50) - Vec3(far, -far, 2 * far), 8).value, 2) / 2000;
  EXPECT_NEAR(std::sqrt(square), gradient_noise_rms(3), 0.1 * gradient_noise_rms(3));
  // Doubles of this magnitude are integers, so the point is on the lattice.
  EXPECT_EQ(gradient_noise(Vec3(1e300, -1e300, 9.3e18), 8).value, 0);
  EXPECT_TRUE(std::isnan(gradient_noise(Vec3(0.5, NAN, 0.5), 8).value));
  EXPECT_TRUE(std::isnan(gradient_noise(Vec3(0.5, INFINITY, 0.5), 8).value));
  EXPECT_TRUE(std::isnan(white_noise(Vec3(NAN, 0, 0), 0, 8)));
}

TEST(GradientNoise, NeighboursOnTheLatticeAreIndependent) {
  // At a lattice point, the gradient of the noise is the random gradient of that point. The products of gradients of
  // different points average to zero. The tolerance is 6 standard errors: a product has a standard deviation of 1/3.
  constexpr int n = 32;
  std::vector<Vec3> g;
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) g.push_back(gradient_noise(Vec3(i - 16, j - 16, k - 16), 1).gradient);
  for (const int lag : {1, 2, 3, n, 2 * n, n * n, n * n + n + 1, n * n - 2 * n + 3}) {
    Vec3 sum = Vec3::Zero();
    const std::size_t pairs = g.size() - static_cast<std::size_t>(lag);
    for (std::size_t i = 0; i < pairs; ++i) sum += g[i].cwiseProduct(g[i + static_cast<std::size_t>(lag)]);
    EXPECT_LT((sum / static_cast<double>(pairs)).cwiseAbs().maxCoeff(), 6 * 0.34 / std::sqrt(pairs)) << lag;
  }
}

TEST(CurlNoise, HasNoDivergence) {
  double worst = 0;
  const double h = 1e-4;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const Vec3 x = somewhere(i, 30);
    double divergence = 0;
    for (int a = 0; a < 3; ++a)
      divergence +=
          (curl_noise(x + h * Vec3::Unit(a), 0.3, 4)[a] - curl_noise(x - h * Vec3::Unit(a), 0.3, 4)[a]) / (2 * h);
    worst = std::max(worst, std::abs(divergence));
  }
  // The exact divergence is zero. The wind consists of first derivatives of the potential. The central difference of a
  // wind has an error of h^2 / 6 times a fourth derivative of the potential, which is some hundreds.
  record_case("field", "curl noise: divergence by central differences (worst of 1,000)", worst, 0, 1e-4);
  EXPECT_LT(worst, 1e-4);
}

TEST(CurlNoise, HasTheStatedStrength) {
  double sum = 0;
  const int n = 60000;
  for (int i = 0; i < n; ++i)
    sum += curl_noise(somewhere(static_cast<std::uint64_t>(i), 4000), 0.1 * i, 1).squaredNorm();
  const double rms = std::sqrt(sum / 3 / n);
  // 60,000 samples of three components have a standard error of 0.3 %.
  test::expect_case("field", "curl noise: rms of a component", rms, curl_noise_rms(), 0.02);
}

TEST(CurlNoise, HasTheSameStrengthAtEveryTimeOnceItIsLevelled) {
  for (const double t : {0.0, 0.2, 0.5, 0.85}) {
    double square = 0, value = 0;
    const int n = 20000;
    for (int i = 0; i < n; ++i) {
      const PotentialSample p = potential_noise(somewhere(static_cast<std::uint64_t>(i), 4000), 17 + t, 3);
      square += p.slope.squaredNorm() / 9;
      value += p.value.squaredNorm() / 3;
    }
    const SliceGain level = slice_gain(17 + t);
    // The rms of a derivative is the rms of the curl over sqrt(2). Standard errors are 0.4 %.
    EXPECT_NEAR(level.curl * std::sqrt(square / n), curl_noise_rms() / std::sqrt(2), 0.02 * curl_noise_rms()) << t;
    EXPECT_NEAR(level.value * std::sqrt(value / n), gradient_noise_rms(4), 0.02 * gradient_noise_rms(4)) << t;
  }
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
  // The tolerance is 4 standard errors of 0.7 / sqrt(30,000) for the norm of three components.
  EXPECT_LT((mean - Vec3(2, 0, -1)).norm(), 0.03);
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

/// Returns the root mean square of a component of the turbulence field of `node`, without its mean.
double strength_of(const Node& node, double time) {
  const auto field = test::made_field(node);
  std::vector<Vec3> x, u(40000, Vec3::Zero());
  for (std::uint64_t i = 0; i < u.size(); ++i) x.push_back(somewhere(i, 800));
  field->add_velocity(x, {time}, u);
  double square = 0;
  for (const Vec3& v : u) square += v.squaredNorm() / (3 * static_cast<double>(u.size()));
  return std::sqrt(square);
}

TEST(Turbulence, HasTheAskedStrengthWhateverFAndAmplitudesAre) {
  Node node = test::field_node("turbulence");
  node.set("mean", Vec3(0, 0, 0));
  node.set("strength", 0.7);
  node.set("length", 0.3);
  node.set("curve", NumberList{0, 0.5, -0.2, 1, 0.4});
  for (const char* f : {"identity", "absolute", "ridge", "curve"}) {
    node.set("f", std::string(f));
    for (const double time : {0.0, 0.5, 7.3})
      test::expect_case("field", fmt::format("turbulence, f = {}, t = {} s: rms of a component [m/s]", f, time),
                        strength_of(node, time), 0.7, 0.03);
  }
  node.set("f", std::string("identity"));
  node.set("alpha", NumberList{0, 2});  // Only the second octave has an amplitude above 0.
  EXPECT_NEAR(strength_of(node, 0.5), 0.7, 0.02);
  EXPECT_NEAR(test::made_field(node)->length_m(), 0.15, 1e-12);
  node.set("alpha", NumberList{3e-200, 0});
  EXPECT_NEAR(strength_of(node, 0.5), 0.7, 0.02) << "only ratios count";
  node.set("strength", 0.0);
  EXPECT_EQ(strength_of(node, 0.5), 0);
}

TEST(Turbulence, AmplitudesAreWhatSlopeSaysOrAsListed) {
  Node sloped = test::field_node("turbulence"), listed = sloped;
  sloped.set("beta", 3.0);
  sloped.set("slope", 1.0);
  listed.set("beta", 3.0);
  listed.set("slope", 1.0);
  listed.set("octaves", std::int64_t{1});
  listed.set("alpha", NumberList{9, 3, 1});
  for (std::uint64_t i = 0; i < 20; ++i)
    EXPECT_LT((test::air_at(*test::made_field(sloped), somewhere(i, 30), 0.4) -
               test::air_at(*test::made_field(listed), somewhere(i, 30), 0.4))
                  .norm(),
              1e-6);
}

TEST(Turbulence, IsFiniteWhereverThereIsAPlaceAndTouchesNoOther) {
  for (const char* f : {"identity", "absolute", "ridge"}) {
    Node node = test::field_node("turbulence");
    node.set("f", std::string(f));
    const auto field = test::made_field(node);
    const std::vector<Vec3> x{Vec3(0.3, 0.1, 0.2), Vec3(NAN, 0, 0), Vec3(1e300, -1e300, 1e15), Vec3(1e6, -1e6, 1e6),
                              Vec3(0.3, 0.1, 0.2)};
    std::vector<Vec3> u(x.size(), Vec3::Zero());
    field->add_velocity(x, {0.5}, u);
    EXPECT_TRUE(u[0].allFinite() && u[2].allFinite() && u[3].allFinite()) << f;
    EXPECT_TRUE(std::isnan(u[1].sum())) << f;
    EXPECT_EQ(u[0], u[4]) << f;
    EXPECT_GT((u[3] - Vec3(1, 0, 0)).norm(), 0.01) << f << ": it blows a thousand kilometres away too";
  }
}

TEST(Turbulence, SaysWhatIsWrongWithItsTables) {
  Node node = test::field_node("turbulence");
  const auto sentence = [&] {
    for (const auto& kind : field_kinds())
      if (kind.schema == node.schema) {
        const auto made = kind.create(node, 1);
        return made ? std::string() : made.error().message();
      }
    return std::string();
  };
  EXPECT_EQ(sentence(), "");
  node.set("f", std::string("curve"));
  EXPECT_EQ(sentence(), "curve = 0 numbers: must contain at least two numbers if f = \"curve\"");
  node.set("curve", NumberList{0, 1});
  EXPECT_EQ(sentence(), "");
  node.set("alpha", NumberList(13, 1.0));
  EXPECT_EQ(sentence(), "alpha = 13 numbers: must contain at most 12 numbers, one per octave");
  node.set("alpha", NumberList(3, 0.0));
  EXPECT_EQ(sentence(), "alpha = 3 numbers, all 0: must contain at least one number that is not 0");
}

TEST(Turbulence, IsNotScaledByTheRoundingOfACurveThatIsConstant) {
  for (const char* kind : {"turbulence", "noise"}) {
    Node node = test::field_node(kind);
    if (kind == std::string("noise")) node.set("of", std::string("turbulence"));
    node.set("f", std::string("curve"));
    node.line = 7;
    const auto made = [&] {
      const auto row =
          std::ranges::find_if(field_kinds(), [&](const FieldKind& one) { return one.schema == node.schema; });
      return row->create(node, 1);
    };
    for (const NumberList& curve :
         {NumberList{0.1, 0.1, 0.1}, NumberList{1, 1}, NumberList{3, 3}, NumberList{1, 1 + 1e-15, 1},
          NumberList{0, 0, 0}, NumberList{2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}}) {
      node.set("curve", curve);
      const auto field = made();
      ASSERT_FALSE(field) << kind << " of " << curve.size() << " numbers";
      EXPECT_EQ(field.error().message(), fmt::format("curve = {} numbers: must not be constant between n = -0.7 and n "
                                                     "= 0.7, where nearly all values of the noise n lie",
                                                     curve.size()));
      EXPECT_EQ(field.error().line, 7);
    }
    for (const NumberList& curve : {NumberList{0.1, 0.1, 0.2}, NumberList{1, 1.001}, NumberList{0, 1e-9}}) {
      node.set("curve", curve);
      EXPECT_TRUE(made()) << kind;
    }
  }
}

TEST(NoiseShape, CurvesGoThroughTheirNumbersSmoothlyAndOnStraight) {
  const std::vector<double> y{0.3, -1, 2, 2, 0.5, 1};
  const NoiseShape curve = NoiseShape::through(y);
  const double step = 2.0 / 5;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double n = -1 + step * static_cast<double>(i);
    EXPECT_NEAR(curve.value(n), y[i], 1e-6);
    EXPECT_NEAR(curve.slope(n - 1e-7), curve.slope(n + 1e-7), 1e-4);
  }
  for (double n = -1.5; n < 1.5; n += 0.037)
    EXPECT_NEAR(curve.slope(n), (curve.value(n + 1e-5) - curve.value(n - 1e-5)) / 2e-5, 1e-3) << n;
  EXPECT_NEAR(curve.value(1.4) - curve.value(1.2), curve.value(1.2) - curve.value(1), 1e-6);
  const NoiseShape line = NoiseShape::through(std::vector<double>{-3, 3});
  EXPECT_NEAR(line.value(0.4), 1.2, 1e-6);
  EXPECT_NEAR(line.slope(-2), 3, 1e-6);
}

TEST(UniformWind, GustsAboutItsVelocity) {
  Node node = test::field_node("uniform");
  ASSERT_TRUE(set_parameter(node, "velocity", Value(Vec3(4, 0, 0))));
  ASSERT_TRUE(set_parameter(node, "gust", Value(0.5)));
  ASSERT_TRUE(set_parameter(node, "gust_period", Value(2.0)));
  const auto field = test::made_field(node);
  const std::vector<Vec3> x{Vec3::Zero()};
  std::vector<Vec3> u{Vec3::Zero()};
  field->add_velocity(x, {0.5}, u);  // 0.5 s is a quarter of the gust's period, where the sine is 1.
  EXPECT_NEAR(u[0].x(), 6, 1e-12);
}

}  // namespace
}  // namespace vw
