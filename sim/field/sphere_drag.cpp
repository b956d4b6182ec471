#include "sim/field/sphere_drag.h"

#include <algorithm>
#include <cmath>

namespace vw {
namespace {

constexpr double highest = 3e5;

}  // namespace

double drag_over_stokes(double reynolds) {
  if (!(reynolds > 0)) return 1;
  // Both powers are of one logarithm. Beyond the drag crisis C_d stays: the factor grows with Re.
  const double within = std::min(reynolds, highest), log_re = std::log(within);
  const double factor = 1 + 0.15 * std::exp(0.687 * log_re) + within * (0.42 / 24) / (1 + 42500 * std::exp(-1.16 * log_re));
  return factor * (reynolds / within);
}

double sphere_drag(double reynolds) { return 24 / reynolds * drag_over_stokes(reynolds); }

double ball_drag(const DragMedium& medium, double radius, double speed) {
  return 6 * pi * medium.viscosity * radius * drag_over_stokes(2 * medium.density * radius * speed / medium.viscosity);
}

double sphere_drag_rate(const DragMedium& medium, double radius, double mass, double speed) { return ball_drag(medium, radius, speed) / mass; }

double terminal_speed(const DragMedium& medium, double radius, double force) {
  double low = 0, high = force / (6 * pi * medium.viscosity * radius);  // drag is never less than that of creeping flow
  for (int i = 0; i < 200 && high - low > 1e-15 * high; ++i) {
    const double speed = 0.5 * (low + high);
    (ball_drag(medium, radius, speed) * speed < force ? low : high) = speed;
  }
  return 0.5 * (low + high);
}

}  // namespace vw
