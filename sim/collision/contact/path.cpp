#include "sim/collision/contact/path.h"

#include <algorithm>
#include <cmath>

#include "sim/base/elementary/elementary.h"

namespace vw {
namespace {

/// Height above a plane along a path. Without drag, it is h(t) = gap + b t + a t^2 / 2.
/// With drag, it is h(t) = gap + w t + (b - w) tau (1 - exp(-t / tau)). `gap` is the
/// height at the start [m] and `b` the initial velocity away from the plane [m/s].
struct Height {
  double gap, b;
  double a;    ///< Acceleration without drag [m/s^2].
  double w;    ///< Terminal velocity with drag [m/s].
  double tau;  ///< Drag time constant [s]. 0 means no drag.
  [[nodiscard]] double at(double t) const { return gap + w * t - (b - w) * tau * elementary::expm1(-t / tau); }
  [[nodiscard]] double slope(double t) const { return w + (b - w) * elementary::exp(-t / tau); }
};

std::optional<double> root_of_parabola(const Height& h, double horizon) {
  double t = 0;
  if (h.gap > 0) {
    const double discriminant = h.b * h.b - 2 * h.a * h.gap;
    if (discriminant < 0) return std::nullopt;
    // These formulas give the earlier positive root for either sign of a, and avoid cancellation.
    const double root = std::sqrt(discriminant) + std::abs(h.b);
    if (!(root > 0) || (h.b > 0 && !(h.a < 0))) return std::nullopt;
    t = h.b > 0 ? -root / h.a : 2 * h.gap / root;
  } else {
    if (!(h.b > 0) || !(h.a < 0)) return std::nullopt;
    t = -2 * h.b / h.a;
  }
  return t <= horizon ? std::optional(t) : std::nullopt;
}

/// Returns the first root of the height with drag, which is a convex or a concave function of time. Newton's method
/// starts at time 0 if the function is convex, and at the horizon if it is concave. From there, it approaches the root
/// without passing it.
std::optional<double> root_with_drag(const Height& h, double horizon) {
  constexpr int most_path_passes = 60;
  const bool convex = h.b < h.w;
  double t = convex ? 0 : horizon;
  if (convex && h.gap <= 0) return std::nullopt;  // The height increases ever faster.
  if (!convex && h.at(horizon) > 0) return std::nullopt;
  if (!convex && h.gap <= 0 && !(h.b > 0)) return std::nullopt;
  for (int pass = 0; pass < most_path_passes; ++pass) {
    const double slope = h.slope(t);
    if (!(slope < 0)) return convex ? std::nullopt : std::optional(t);
    const double next = t - h.at(t) / slope;
    if (convex ? !(next > t) : !(next < t)) break;
    t = next;
    if (convex && t > horizon) return std::nullopt;
  }
  return std::max(t, 0.0);
}

}  // namespace

Vec3 Path::position(double t) const {
  if (drag_time_s <= 0) return x + t * v + (0.5 * t * t) * acceleration;
  const Vec3 limit = wind + drag_time_s * acceleration;
  return x + t * limit - drag_time_s * elementary::expm1(-t / drag_time_s) * (v - limit);
}

Vec3 Path::velocity(double t) const {
  if (drag_time_s <= 0) return v + t * acceleration;
  const Vec3 limit = wind + drag_time_s * acceleration;
  return limit + elementary::exp(-t / drag_time_s) * (v - limit);
}

Vec3 Path::acceleration_at(const Vec3& velocity) const {
  return drag_time_s > 0 ? Vec3(acceleration + (wind - velocity) / drag_time_s) : acceleration;
}

double Path::longest_way(double t) const {
  if (drag_time_s <= 0) return t * v.norm() + 0.5 * t * t * acceleration.norm();
  // The velocity changes along a straight line from v to the terminal velocity, so the speed never exceeds the larger
  // of these two speeds.
  return t * std::max(v.norm(), (wind + drag_time_s * acceleration).norm());
}

Path Path::from(double t) const { return {position(t), velocity(t), acceleration, drag_time_s, wind}; }

std::optional<double> time_to_plane(const Path& path, const Vec3& drift, const Vec3& n, double gap, double horizon) {
  const double tau = path.drag_time_s, b = n.dot(path.v - drift), a = n.dot(path.acceleration);
  const Height height{gap, b, a, n.dot(path.wind - drift) + tau * a, tau};
  return tau > 0 ? root_with_drag(height, horizon) : root_of_parabola(height, horizon);
}

}  // namespace vw
