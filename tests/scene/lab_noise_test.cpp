// Statements in the texts of the lab scenes about noise, measured on the fields of these scenes.
#include <cmath>
#include <vector>

#include "scene_test_support.h"
#include "sim/api/analysis/field_spectrum.h"
#include "sim/base/random.h"
#include "sim/world/parts.h"
#include "tests/support/packaged.h"

namespace vw {
namespace {

using namespace scene_test;

/// A packaged scene with its fields. The region of each field is one half of the picture. values() samples a field only
/// inside its region.
struct Lab {
  Node root;
  FieldSet fields;

  explicit Lab(const std::string& name) {
    root = test::packaged_scene(name);
    fields = test::checked(build_fields(root));
  }

  [[nodiscard]] std::vector<double> values(const std::string& field, const Vec3& shift,
                                           std::size_t count = 4000) const {
    const Vec3 center = fields.find(field)->where().region_center;
    std::vector<Vec3> place(count);
    for (std::size_t i = 0; i < count; ++i)
      for (int a = 0; a < 3; ++a)
        place[i][a] = center[a] + shift[a] + 0.6 * (random_uniform({3, 5}, i, static_cast<std::uint64_t>(a)) - 0.5);
    std::vector<double> value(count);
    fields.sample(FieldQuantity::value, field, place, 0, value);
    return value;
  }
  /// Returns the autocorrelation of a field at the displacement `lag` [m].
  [[nodiscard]] double correlation(const std::string& field, const Vec3& lag) const {
    const auto a = values(field, -0.5 * lag), b = values(field, 0.5 * lag);
    const double mean_a = mean(a), mean_b = mean(b);
    double ab = 0, aa = 0, bb = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      ab += (a[i] - mean_a) * (b[i] - mean_b);
      aa += (a[i] - mean_a) * (a[i] - mean_a);
      bb += (b[i] - mean_b) * (b[i] - mean_b);
    }
    return ab / std::sqrt(aa * bb);
  }
  [[nodiscard]] double deviation(const std::string& field) const {
    const auto a = values(field, Vec3::Zero());
    double sum = 0;
    for (const double v : a) sum += (v - mean(a)) * (v - mean(a));
    return std::sqrt(sum / static_cast<double>(a.size()));
  }

 private:
  static double mean(const std::vector<double>& a) {
    double sum = 0;
    for (const double v : a) sum += v;
    return sum / static_cast<double>(a.size());
  }
};

TEST(LabNoise, WhiteNoiseIsUncorrelatedAndPerlinNoiseIsCorrelated) {
  const Lab lab("lab-noise");
  const Vec3 cell(0.02, 0, 0);
  EXPECT_NEAR(lab.correlation("white", 1.5 * cell), 0, 0.06);
  EXPECT_GT(lab.correlation("perlin", 1.5 * cell), 0.7);
  EXPECT_NEAR(lab.deviation("white"), 1, 0.08);
  EXPECT_NEAR(lab.deviation("perlin"), 1, 0.12);
}

TEST(LabNoise, TurbulenceHasSmallerPartsThanItsFirstOctaveAndCreasesAreAllOnOneSide) {
  const Lab lab("lab-turbulence");
  const Vec3 near(0.03, 0, 0);
  EXPECT_GT(lab.correlation("octave", near), 0.93);
  EXPECT_LT(lab.correlation("octaves", near), lab.correlation("octave", near) - 0.02);
  EXPECT_LT(lab.correlation("turbulence", near), lab.correlation("octaves", near) - 0.02);
  for (const double v : lab.values("turbulence", Vec3::Zero())) ASSERT_GE(v, 0);
}

/// Returns the largest deviation of log10 of the spectrum from the power law with the exponent `slope`, after
/// subtraction of the mean deviation.
double staircase(const api::FieldSpectrum& spectrum, double slope) {
  double mean = 0, largest = 0;
  std::vector<double> off;
  for (const SpectrumRow& row : spectrum.rows)
    if (row.measured > 0) off.push_back(std::log10(row.measured) - slope * std::log10(row.k));
  for (const double d : off) mean += d / static_cast<double>(off.size());
  for (const double d : off) largest = std::max(largest, std::abs(d - mean));
  return largest;
}

TEST(LabNoise, ShapedSpectrumKeepsItsLawAndASumOfDilatedBandsIsAStaircaseAboutIt) {
  const Lab lab("lab-spectrum");
  const auto shaped = api::spectrum_of_field(lab.root, "shaped", 0, 0),
             dilated = api::spectrum_of_field(lab.root, "dilated", 0, 0);
  ASSERT_TRUE(shaped) << shaped.error().message();
  ASSERT_TRUE(dilated) << dilated.error().message();
  constexpr double law = -5.0 / 3;
  EXPECT_NEAR(shaped->slope, law, 0.08);
  // Under a power law with the exponent `law`, each octave has 2^(1 + law) times the energy of the octave below it.
  // Dilated noise has this law only from octave to octave: within an octave, its spectrum is that of white noise and
  // rises as k^2.
  const double first = 2 * pi / std::get<double>(lab.root.find("field", "dilated")->value("outer_scale"));
  std::vector<double> octave(4);
  for (const SpectrumRow& row : dilated->rows) {
    const double which = std::floor(std::log2(row.k / first));
    if (which >= 0 && which < 4) octave[static_cast<std::size_t>(which)] += row.measured;
  }
  for (std::size_t i = 1; i < octave.size(); ++i)
    EXPECT_NEAR(octave[i] / octave[i - 1], std::pow(2, 1 + law), 0.25) << i;
  EXPECT_LT(staircase(*shaped, law), 0.15);
  EXPECT_GT(staircase(*dilated, law), 2 * staircase(*shaped, law));
}

TEST(LabNoise, OneGridRepeatsAfterItsPeriodAndTwoDoNot) {
  const Lab lab("lab-period");
  const double period = std::get<double>(lab.root.find("field", "one")->value("period"));
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_GT(lab.correlation("one", period * Vec3::Unit(axis)), 0.999) << axis;
    EXPECT_LT(std::abs(lab.correlation("two", period * Vec3::Unit(axis))), 0.65) << axis;
  }
}

}  // namespace
}  // namespace vw
