#include "sim/system/fluid/deep_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/base/parallel.h"

namespace vw {
namespace {

/// dt sqrt(p / rho) / d. Columns of 8, 15, 30 and 60 layers all stand still up to 0.62 - 0.70 and boil beyond.
constexpr double most_swing = 0.57;
constexpr std::size_t grain = 4096;

struct Most {
  double value = -std::numeric_limits<double>::infinity();
  Most& operator+=(const Most& other) {
    value = std::max(value, other.value);
    return *this;
  }
};
template <class F>
double most_of(std::size_t count, F f) {
  return ordered_sum(count, grain, Most{},
                     [&](Range range) {
                       Most part;
                       for (std::size_t i = range.begin; i < range.end; ++i) part.value = std::max(part.value, f(i));
                       return part;
                     })
      .value;
}

}  // namespace

double deep_step(const FluidRows& rows, double spacing_m) {
  const double volume = spacing_m * spacing_m * spacing_m;
  const double most = most_of(rows.size(), [&](std::size_t i) { return static_cast<double>(rows.pressure[i]) * volume / rows.elements.mass[i]; });
  return most > 0 ? most_swing * spacing_m / std::sqrt(most) : std::numeric_limits<double>::infinity();
}

void expect_pressures(FluidRows& rows, const Vec3& gravity, double spacing_m) {
  if (rows.size() == 0) return;
  const Elements& e = rows.elements;
  const double top = most_of(rows.size(), [&](std::size_t i) { return -gravity.dot(e.position[i]); });
  const double volume = spacing_m * spacing_m * spacing_m;
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows.pressure[i] = static_cast<float>(e.mass[i] / volume * std::max(0.0, top + gravity.dot(e.position[i])));
}

}  // namespace vw
