#include "sim/field/drag/sphere_drag.h"

#include <algorithm>
#include <cmath>

#include "sim/base/elementary/elementary.h"

namespace vw {
namespace {

constexpr double highest = 3e5;

}  // namespace

double drag_over_stokes(double reynolds) {
  if (!(reynolds > 0)) return 1;
  // One logarithm yields both powers. Above the Reynolds number `highest`, C_d is constant, so the factor is
  // proportional to Re.
  const double within = std::min(reynolds, highest), log_re = elementary::log(within);
  const double factor =
      1 + 0.15 * elementary::exp(0.687 * log_re) + within * (0.42 / 24) / (1 + 42500 * elementary::exp(-1.16 * log_re));
  return factor * (reynolds / within);
}

double sphere_drag(double reynolds) { return 24 / reynolds * drag_over_stokes(reynolds); }

double ball_drag(const DragMedium& medium, double radius, double speed) {
  return 6 * pi * medium.viscosity * radius * drag_over_stokes(2 * medium.density * radius * speed / medium.viscosity);
}

double sphere_drag_rate(const DragMedium& medium, double radius, double mass, double speed) {
  return ball_drag(medium, radius, speed) / mass;
}

double mean_drag_rate(const DragMedium& medium, double radius, double mass, const Vec3& u, const Vec3& gravity,
                      double dt) {
  // A step is short enough if rate times step is at most `resolved`. The rate counts as constant if a step changes it
  // by less than the fraction `settled`.
  constexpr double resolved = 0.25, settled = 1e-3;
  constexpr int most_steps = 100;  // Sufficient for a decrease of the rate by a factor of 1e9.
  const auto rate_at = [&](const Vec3& v) { return sphere_drag_rate(medium, radius, mass, v.norm()); };
  Vec3 now = u;
  double left = dt, sum = 0;
  for (int step = 0;; ++step) {
    const double rate = rate_at(now);
    double h = std::min(left, resolved / rate);
    const auto moved = [&](double time, double by) {
      const double gain = elementary::exp(-time * by);
      return Vec3(gain * now + ((1 - gain) / by) * gravity);
    };
    double middle = rate_at(moved(0.5 * h, rate));
    if (middle * h > 2 * resolved) {  // Gravity accelerates the sphere, which raises the rate within the step.
      h = resolved / middle;
      middle = rate_at(moved(0.5 * h, rate));
    }
    if (!(h < dt)) return middle;
    const bool is_last = !(h < left) || step == most_steps || std::abs(middle - rate) < settled * rate;
    sum += (is_last ? left : h) * middle;
    if (is_last) return sum / dt;
    now = moved(h, middle);
    left -= h;
  }
}

double terminal_speed(const DragMedium& medium, double radius, double force) {
  // The drag is at least that of creeping flow, so this speed is an upper bound.
  double low = 0, high = force / (6 * pi * medium.viscosity * radius);
  for (int i = 0; i < 200 && high - low > 1e-15 * high; ++i) {
    const double speed = 0.5 * (low + high);
    (ball_drag(medium, radius, speed) * speed < force ? low : high) = speed;
  }
  return 0.5 * (low + high);
}

}  // namespace vw
