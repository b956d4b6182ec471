// Vectorised noise compared with scalar noise in double precision, and the same bits on every instruction set.
#include <cmath>
#include <functional>

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include "sim/base/random.h"
#include "sim/field/noise/perlin.h"
#include "sim/field/noise/turbulence_lanes.h"
#include "tests/support/validation.h"

namespace vw {
namespace {

using Floats = std::vector<float>;

bool same_bits(const Floats& a, const Floats& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](float x, float y) {
           return x == y || (std::isnan(x) && std::isnan(y));
         });
}

/// Calls `once` for each instruction set of the machine, beginning with the widest.
void on_every_target(const std::function<void(const std::string& name)>& once) {
  const std::int64_t supported = hwy::SupportedTargets();
  int tried = 0;
  for (std::int64_t left = supported; left != 0; left &= left - 1, ++tried) {
    hwy::SetSupportedTargetsForTest(left & -left);
    once(hwy::TargetName(left & -left));
  }
  hwy::SetSupportedTargetsForTest(0);
  EXPECT_GE(tried, 2);
}

template <int N>
struct SampledNoise {
  std::array<Floats, N> offset, gradient;
  Floats value;
  NoisePlaces<N> places;
  explicit SampledNoise(std::size_t count, double origin, double extent) : value(count) {
    for (std::size_t a = 0; a < N; ++a) {
      for (std::size_t i = 0; i < count; ++i)
        offset[a].push_back(static_cast<float>(extent * (random_uniform({3, a}, i) - 0.5)));
      places.offset[a] = offset[a];
      places.origin[a] = origin * (1 + 0.1 * static_cast<double>(a));
      gradient[a].resize(count);
    }
  }
  [[nodiscard]] NoiseRows<N> rows() {
    NoiseRows<N> out;
    out.value = value;
    for (std::size_t a = 0; a < N; ++a) out.gradient[a] = gradient[a];
    return out;
  }
  [[nodiscard]] Eigen::Matrix<double, N, 1> place(std::size_t i) const {
    Eigen::Matrix<double, N, 1> x;
    for (std::size_t a = 0; a < N; ++a) x[static_cast<int>(a)] = places.origin[a] + static_cast<double>(offset[a][i]);
    return x;
  }
};

NoiseSampleOf<2> plain_noise(const Eigen::Vector2d& x, std::uint64_t seed) { return gradient_noise(x[0], x[1], seed); }
NoiseSampleOf<3> plain_noise(const Vec3& x, std::uint64_t seed) { return gradient_noise(x, seed); }
NoiseSampleOf<4> plain_noise(const Vec4& x, std::uint64_t seed) { return gradient_noise_4d(x, seed); }

template <int N>
void compare_with_double(double origin) {
  SampledNoise<N> s(1003, origin, 20);
  gradient_noise<N>(s.places, 42, s.rows());
  double value = 0, gradient = 0;
  for (std::size_t i = 0; i < s.value.size(); ++i) {
    const auto plain = plain_noise(s.place(i), 42);
    value = std::max(value, std::abs(plain.value - static_cast<double>(s.value[i])));
    for (std::size_t a = 0; a < N; ++a)
      gradient =
          std::max(gradient, std::abs(plain.gradient[static_cast<int>(a)] - static_cast<double>(s.gradient[a][i])));
  }
  // The offset of up to ten cells and the origin's position within its cell are added in float, which has a rounding
  // error of 5e-7 cells.
  EXPECT_LT(value, 2e-6) << N << " dimensions about " << origin;
  EXPECT_LT(gradient, 8e-6) << N << " dimensions about " << origin;
}

TEST(NoiseLanes, AreTheNoiseInDoubleNearAndFar) {
  for (const double origin : {0.0, -0.3, 1e6 + 0.7, -3e9}) {
    compare_with_double<2>(origin);
    compare_with_double<3>(origin);
    compare_with_double<4>(origin);
  }
}

/// Returns the number of instruction sets whose results have the same bits as those of the first.
template <int N>
int compare_targets() {
  int alike = 0;
  SampledNoise<N> first(777, 123.4, 60);
  for (std::size_t a = 0; a < N; ++a) {
    first.offset[a][5] = NAN;
    first.offset[a][6] = 1e30F;
    first.offset[a][7] = -3e9F;
  }
  gradient_noise<N>(first.places, 9, first.rows());
  EXPECT_TRUE(std::isnan(first.value[5]));
  EXPECT_EQ(first.value[6], 0);
  EXPECT_EQ(first.value[7], 0);
  on_every_target([&](const std::string& name) {
    SampledNoise<N> again = first;
    std::fill(again.value.begin(), again.value.end(), 7.0F);
    for (auto& slope : again.gradient) std::fill(slope.begin(), slope.end(), 7.0F);
    for (std::size_t a = 0; a < N; ++a) again.places.offset[a] = again.offset[a];
    gradient_noise<N>(again.places, 9, again.rows());
    EXPECT_TRUE(same_bits(again.value, first.value)) << name;
    for (std::size_t a = 0; a < N; ++a)
      for (std::size_t i = 8; i < again.value.size(); ++i)
        ASSERT_EQ(again.gradient[a][i], first.gradient[a][i]) << name << " axis " << a << " row " << i;
    Floats value(again.value.size());  // receives values that are computed without gradients
    NoiseRows<N> rows;
    rows.value = value;
    gradient_noise<N>(again.places, 9, rows);
    EXPECT_TRUE(same_bits(value, first.value)) << name;
    alike += same_bits(again.value, first.value) && same_bits(value, first.value) ? 1 : 0;
  });
  return alike;
}

TEST(NoiseLanes, HaveTheSameBitsOnEveryInstructionSet) {
  int targets = 0;
  on_every_target([&](const std::string&) { ++targets; });
  EXPECT_GE(targets, 1);
  EXPECT_EQ(compare_targets<2>(), targets);
  EXPECT_EQ(compare_targets<3>(), targets);
  EXPECT_EQ(compare_targets<4>(), targets);
}

TEST(NoiseLanes, AnyCountOfPointsGivesEachItsOwn) {
  const SampledNoise<3> all(100, 0.2, 30);
  SampledNoise<3> whole = all;
  gradient_noise<3>(all.places, 1, whole.rows());
  for (const std::size_t count : {0U, 1U, 3U, 15U, 16U, 17U, 33U}) {
    Floats value(count + 1, 7.0F);
    NoisePlaces<3> places = all.places;
    for (auto& offset : places.offset) offset = offset.first(count);
    NoiseRows<3> rows;
    rows.value = std::span(value).first(count);
    gradient_noise<3>(places, 1, rows);
    for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(value[i], whole.value[i]) << count;
    EXPECT_EQ(value[count], 7.0F) << count;
  }
}

TEST(NoiseLanes, GridsAreTheNoiseAtTheirNodes) {
  NoiseGrid<3> grid{{-3.7, 1e6, 0.25}, {0.31, -0.17, 0.5}, {19, 5, 4}};
  const std::size_t count = 19 * 5 * 4;
  Floats value(count), slope(count);
  NoiseRows<3> rows;
  rows.value = value;
  rows.gradient[1] = slope;
  gradient_noise<3>(grid, 4, rows);
  for (std::size_t k = 0; k < 4; ++k)
    for (std::size_t j = 0; j < 5; ++j)
      for (std::size_t i = 0; i < 19; ++i) {
        const Vec3 x(grid.first[0] + 0.31 * static_cast<double>(i), grid.first[1] - 0.17 * static_cast<double>(j),
                     0.25 + 0.5 * static_cast<double>(k));
        const NoiseSample plain = gradient_noise(x, 4);
        EXPECT_NEAR(value[i + 19 * (j + 5 * k)], plain.value, 1e-6);
        EXPECT_NEAR(slope[i + 19 * (j + 5 * k)], plain.gradient.y(), 5e-6);
      }
  NoiseGrid<2> flat{{0, 0.5}, {0.1, 1}, {33, 3}};
  Floats flat_value(99);
  NoiseRows<2> flat_rows;
  flat_rows.value = flat_value;
  gradient_noise<2>(flat, 4, flat_rows);
  EXPECT_NEAR(flat_value[33 * 2 + 7], gradient_noise(0.7, 2.5, 4).value, 1e-6);
}

const Vec3 drift(0.3, 0, -2e6);

std::vector<Vec3> many_places() {
  std::vector<Vec3> at;
  for (std::uint64_t i = 0; i < 1003; ++i)
    at.push_back(drift + std::pow(10.0, static_cast<double>(i % 7)) * random_direction({5, 6}, i));
  at.push_back(drift);
  return at;
}

std::vector<NoiseShape> all_shapes() {
  return {NoiseShape(), NoiseShape(NoiseForm::absolute), NoiseShape(NoiseForm::ridge),
          NoiseShape::through(std::vector<double>{0, 0.3, -0.2, 1, 0.5})};
}

std::vector<NearSurface> many_walls(std::size_t count) {
  std::vector<NearSurface> walls;
  for (std::size_t i = 0; i < count; ++i)
    walls.push_back({1.2 * random_uniform({8, 1}, i) - 0.1, random_direction({8, 2}, i), Vec3::Zero()});
  return walls;
}

/// Returns the wind of one octave in double precision: the curl of the product of potential and ramp by the product
/// rule. The ramp rises from 0 at an obstacle to 1 at the distance `wall_m`.
Vec3 plain_wind(const Vec3& x, const NoiseOctave& o, const TurbulenceSum& sum, const NearSurface* wall) {
  const PotentialSample p = potential_noise((x - sum.drift) * o.scale, o.w, o.seed);
  Vec3 value;
  Mat3 d;
  for (int a = 0; a < 3; ++a) {
    value[a] = sum.shape->value(o.level * p.value[a]) - sum.shape_mean;
    d.row(a) = sum.shape->slope(o.level * p.value[a]) * o.level * p.slope.row(a);
  }
  const Vec3 curl(d(2, 1) - d(1, 2), d(0, 2) - d(2, 0), d(1, 0) - d(0, 1));
  if (wall == nullptr) return o.gain * curl;
  const double t = std::clamp(wall->distance_m / o.wall_m, 0.0, 1.0), s = 1 - t * t;
  const double ramp = t * (1.875 + t * t * (-1.25 + t * t * 0.375)),
               rise = wall->distance_m < 0 ? 0 : 1.875 * s * s / (o.wall_m * o.scale);
  return o.gain * (ramp * curl + rise * wall->normal.cross(value));
}

TEST(TurbulenceLanes, AreTheCurlInDoubleWithAnyFAndWalls) {
  const std::vector<NoiseOctave> octaves{
      {2, 0.3, 17, 1.25, 0.97, 0.5}, {4.1, -0.7, 18, 0.5, 1.02, 0.25}, {160, 12345.6, 19, 0.1, 1, 0.01}};
  const auto at = many_places();
  const auto walls = many_walls(at.size());
  for (const NoiseShape& shape : all_shapes())
    for (const bool walled : {false, true}) {
      const TurbulenceSum sum{octaves, &shape, 0.2, drift};
      std::vector<Vec3> measured(at.size(), Vec3(1, 2, 3));
      add_turbulence(at, sum, walled ? std::span(walls) : std::span<const NearSurface>(), measured);
      double worst = 0;
      for (std::size_t i = 0; i < at.size(); ++i) {
        Vec3 expected(1, 2, 3);
        bool crease = false;  // whether a noise is so close to 0 that its sign may differ in float
        for (const NoiseOctave& o : octaves) {
          expected += plain_wind(at[i], o, sum, walled ? &walls[i] : nullptr);
          crease = crease || potential_noise((at[i] - drift) * o.scale, o.w, o.seed).value.cwiseAbs().minCoeff() < 1e-5;
        }
        if (!crease) worst = std::max(worst, (measured[i] - expected).norm());
      }
      // The tolerance covers two errors. Derivatives of some units are computed in float and multiplied by a slope of
      // up to five. At 1e6 m and 160 cells per metre, a position in double has a resolution of 2e-8 cells.
      EXPECT_LT(worst, 4e-5) << "form " << static_cast<int>(shape.form()) << (walled ? " with walls" : "");
    }
}

TEST(TurbulenceLanes, SumsOfValuesAndGradientsAreThoseInDouble) {
  const std::vector<NoiseOctave> octaves{{0.8, 0.3, 17, 1.25, 0.97}, {4.1, -0.7, 18, 0.5, 1.02}};
  const auto at = many_places();
  for (const NoiseShape& shape : all_shapes())
    for (const bool in_time : {false, true}) {
      const TurbulenceSum sum{octaves, &shape, 0, drift};
      std::vector<double> value(at.size(), 2), alone(at.size(), 2);
      std::vector<Vec3> gradient(at.size(), Vec3(1, 0, 0));
      add_noise(at, sum, in_time, value, gradient);
      add_noise(at, sum, in_time, alone);
      EXPECT_EQ(value, alone);
      double worst = 0, steepest = 0;
      for (std::size_t i = 0; i < at.size(); ++i) {
        double expected = 2;
        Vec3 slope(1, 0, 0);
        bool crease = false;
        for (const NoiseOctave& o : octaves) {
          const Vec3 x = (at[i] - drift) * o.scale;
          const NoiseSample n = in_time ? gradient_noise(x, o.w, o.seed) : gradient_noise(x, o.seed);
          expected += o.gain * shape.value(o.level * n.value);
          slope += o.gain * o.level * o.scale * shape.slope(o.level * n.value) * n.gradient;
          crease = crease || std::abs(n.value) < 1e-5;
        }
        worst = std::max(worst, std::abs(value[i] - expected));
        if (!crease) steepest = std::max(steepest, (gradient[i] - slope).norm());
      }
      EXPECT_LT(worst, 1e-5) << static_cast<int>(shape.form());
      EXPECT_LT(steepest, 1e-4) << static_cast<int>(shape.form());
    }
}

TEST(TurbulenceLanes, HaveTheSameBitsOnEveryInstructionSet) {
  const std::vector<NoiseOctave> octaves{{2, 0.3, 17, 1.25, 0.97, 0.5}, {4.1, -0.7, 18, 0.5, 1.02, 0.25}};
  auto at = many_places();
  at.push_back(Vec3(1e300, -1e300, 9.3e18));  // beyond the range of the lattice
  const auto walls = many_walls(at.size());
  for (const NoiseShape& shape : all_shapes()) {
    const TurbulenceSum sum{octaves, &shape, 0.2, drift};
    const auto all = [&] {
      std::vector<Vec3> out(3 * at.size(), Vec3::Zero());
      std::vector<double> value(at.size(), 0);
      add_turbulence(at, sum, {}, std::span(out).first(at.size()));
      add_turbulence(at, sum, walls, std::span(out).subspan(at.size(), at.size()));
      add_noise(at, sum, true, value, std::span(out).last(at.size()));
      for (const double v : value) out.push_back(Vec3(v, 0, 0));
      return out;
    };
    const auto first = all();
    on_every_target([&](const std::string& name) { EXPECT_EQ(all(), first) << name; });
  }
}

TEST(TurbulenceLanes, MomentsOfAShapeAreThoseOfItsNoise) {
  double mean = 0, square = 0;
  const int n = 60000;
  const NoiseShape ridge(NoiseForm::ridge);
  for (std::uint64_t i = 0; i < n; ++i) {
    const double value =
        ridge.value(gradient_noise(Vec3(1000 * random_uniform({2, 1}, i), 1000 * random_uniform({2, 2}, i),
                                        1000 * random_uniform({2, 3}, i)),
                                   3)
                        .value);
    mean += value / n;
    square += value * value / n;
  }
  const ShapeMoments moments = shape_moments(ridge, false);
  EXPECT_NEAR(moments.mean, mean, 0.004);  // tolerance: 5 standard errors
  EXPECT_NEAR(moments.rms, std::sqrt(square - mean * mean), 0.004);
  // The derivatives of |noise| equal those of the noise up to their sign, so the mean squares are equal.
  EXPECT_NEAR(shape_moments(NoiseShape(NoiseForm::absolute), true).curl, curl_noise_rms(), 0.01 * curl_noise_rms());
}

}  // namespace
}  // namespace vw
