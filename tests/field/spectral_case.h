// Recipes and measures shared by the tests of spectral fields.
#pragma once

#include <cmath>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>

#include <gtest/gtest.h>

#include "sim/base/parallel/parallel.h"
#include "sim/field/spectral/spectral_modes.h"
#include "sim/field/spectral/spectrum_measure.h"
#include "tests/support/checked.h"

namespace vw::test {

/// Returns a recipe of nodes^3 vectors on a period of 2 m with a power-law spectrum. The wavelengths lie between half
/// the period and four node spacings.
inline SpectralRecipe power_recipe(double slope, std::uint64_t seed = 1, int nodes = 64) {
  SpectralRecipe recipe;
  recipe.nodes = nodes;
  recipe.period_m = 2;
  recipe.spectrum.spectrum = SpectrumShape::power_law;
  recipe.spectrum.spectrum_slope = slope;
  recipe.seed = seed;
  return recipe;
}

inline std::shared_ptr<const SpectralModes> made(const SpectralRecipe& recipe) {
  return test::checked(SpectralModes::make(recipe));
}

inline GridValues values_of(const SpectralModes& modes, double time = 0) {
  GridValues values;
  modes.values_at(time, values);
  return values;
}
inline GridValues values_of(const SpectralRecipe& recipe, double time = 0) { return values_of(*made(recipe), time); }

inline double mean_product(std::span<const float> a, std::span<const float> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum / static_cast<double>(a.size());
}
inline double mean_product(const GridValues& a, const GridValues& b) {
  return mean_product(a.x, b.x) + (a.is_vector() ? mean_product(a.y, b.y) + mean_product(a.z, b.z) : 0);
}
/// Returns the root mean square of a component over the grid.
inline double rms_of(const GridValues& values) {
  return std::sqrt(mean_product(values, values) / (values.is_vector() ? 3 : 1));
}

inline bool same_bits(const GridValues& a, const GridValues& b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/// Returns the largest difference between the values of two grids.
inline double difference(const GridValues& a, const GridValues& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.x.size(); ++i) {
    worst = std::max<double>(worst, std::abs(a.x[i] - b.x[i]));
    if (a.is_vector()) worst = std::max<double>(worst, std::max(std::abs(a.y[i] - b.y[i]), std::abs(a.z[i] - b.z[i])));
  }
  return worst;
}

/// Sets an environment variable for the lifetime of the object.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old, was_ = true;
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() { was_ ? ::setenv(name_, old_.c_str(), 1) : ::unsetenv(name_); }

 private:
  const char* name_;
  std::string old_;
  bool was_ = false;
};

/// Restores the default number of threads at the end of a test.
class ThreadsKept {
 public:
  ~ThreadsKept() { set_thread_count(0); }
};

}  // namespace vw::test
