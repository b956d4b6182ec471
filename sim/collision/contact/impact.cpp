// Search for the first impact of a path on obstacles.
#include <algorithm>
#include <cmath>

#include "sim/base/rotation.h"
#include "sim/collision/contact/ballistic.h"

namespace vw {
namespace {

constexpr int most_impact_passes = 60;
// Largest distance between the path and its chords [m]. The distance is larger if this limit would need more than
// `most_chords` chords.
constexpr double most_sag = 1e-5;
constexpr int most_chords = 8;

/// One path and one obstacle, with the geometry between them.
struct Watch {
  const Path& path;
  double radius, dt, begin;
  const Barrier& barrier;

  [[nodiscard]] double horizon() const { return dt - begin; }
  [[nodiscard]] Vec3 drift_velocity() const { return barrier.drift / dt; }
  [[nodiscard]] double touching() const { return 1e-10 * (1 + path.x.cwiseAbs().maxCoeff()); }
  /// Returns the position at time s of the path, in the frame that moves with the obstacle without rotating. This frame
  /// coincides with the world frame at the start of the step.
  [[nodiscard]] Vec3 relative(double s) const { return path.position(s) - (begin + s) / dt * barrier.drift; }
  /// Returns the pose of a rotating obstacle at time s of the path.
  [[nodiscard]] Collider posed(double s) const { return vw::posed(barrier, (begin + s) / dt); }
  [[nodiscard]] SurfaceQuery look(double s) const {
    const double reach = radius + path.longest_way(horizon()) + barrier.drift.norm() + touching();
    return barrier.turns ? query(posed(s), path.position(s), reach) : barrier.at_start(relative(s), reach);
  }
  [[nodiscard]] Vec3 surface_velocity(double s, const SurfaceQuery& there) const {
    const Vec3 point = path.position(s) - there.distance * there.normal,
               origin = barrier.start->position + (begin + s) / dt * barrier.drift;
    return barrier.end->velocity + barrier.end->angular_velocity.cross(point - origin);
  }
  [[nodiscard]] Impact impact(double s, const SurfaceQuery& there) const {
    return {std::min(begin + s, dt), &barrier, there.normal, surface_velocity(s, there)};
  }
  /// Returns whether the particle approaches the surface, or is in contact and pressed against the surface.
  [[nodiscard]] bool closes(double s, const SurfaceQuery& there) const {
    const Vec3 v = path.velocity(s), surface = surface_velocity(s, there), relative_v = v - surface;
    const double v_n = relative_v.dot(there.normal), a_n = path.acceleration_at(v).dot(there.normal);
    return approaches(v_n, v, surface) || (a_n < 0 && v_n <= 1e-9 * (relative_v.norm() - a_n * dt));
  }
};

/// Returns the first impact on a convex obstacle that does not rotate. In each pass, the search advances along the path
/// to the tangent plane at the nearest surface point, because the path cannot reach the obstacle any earlier.
std::optional<Impact> meet_convex(const Watch& watch) {
  double s = 0;
  for (int pass = 0; pass < most_impact_passes; ++pass) {
    const SurfaceQuery there = watch.look(s);
    const double gap = there.distance - watch.radius, left = watch.horizon() - s;
    if (gap <= watch.touching() && watch.closes(s, there)) return watch.impact(s, there);
    const auto root = time_to_plane(watch.path.from(s), watch.drift_velocity(), there.normal,
                                    gap <= watch.touching() ? 0 : gap, left);
    if (!root) return std::nullopt;
    s += *root;
    if (*root <= 1e-14 * watch.dt) return watch.impact(s, there);
  }
  return watch.impact(s, watch.look(s));
}

/// Returns the distance and normal at time s. For a sheet, they refer to the side to which `facing` points, even if
/// Newton's method has stepped through the sheet.
SurfaceQuery look_from(const Watch& watch, double s, const Vec3& facing) {
  SurfaceQuery there = watch.look(s);
  if (watch.barrier.sheet && there.normal.dot(facing) < 0) there = {-there.distance, -there.normal};
  return there;
}

/// Refines the time s of a contact by Newton's method on the exact path.
std::optional<Impact> polish(const Watch& watch, double s, double until, const Vec3& facing) {
  SurfaceQuery there = look_from(watch, s, facing);
  for (int pass = 0; pass < 8; ++pass) {
    const double gap = there.distance - watch.radius;
    const Vec3 v = watch.path.velocity(s), surface = watch.surface_velocity(s, there);
    const double v_n = (v - surface).dot(there.normal);
    // A particle that does not approach has just bounced, or moves tangentially. It may return to the surface.
    if (!approaches(v_n, v, surface)) {
      const Vec3 plane = watch.barrier.turns ? watch.surface_velocity(s, there) : watch.drift_velocity();
      const auto back = time_to_plane(watch.path.from(s), plane, there.normal, std::max(gap, 0.0), until - s);
      if (!back || *back <= 0) return std::nullopt;
      s += *back;
    } else {
      if (std::abs(gap) <= 0.01 * watch.touching()) break;
      s = std::clamp(s - gap / v_n, 0.0, until);
    }
    there = look_from(watch, s, facing);
  }
  // A particle that keeps sliding and is not pressed against the surface has no impact.
  const Vec3 v = watch.path.velocity(s), surface = watch.surface_velocity(s, there);
  const bool slides = std::abs((v - surface).dot(there.normal)) <= rounding_of_speed(v, surface);
  if (slides && !watch.barrier.turns && !watch.closes(s, there)) return std::nullopt;
  return watch.impact(s, there);
}

std::optional<Impact> meet_along_chords(const Watch& watch) {
  const double horizon = watch.horizon();
  const SurfaceQuery first = watch.look(0);
  if (first.distance - watch.radius <= watch.touching() && watch.closes(0, first)) return watch.impact(0, first);
  const double sag = watch.path.acceleration_at(watch.path.v).norm() * horizon * horizon / 8;
  // The sag may be huge or, for a particle whose velocity is not finite, not a number.
  const double least_chords = std::ceil(std::sqrt(sag / most_sag));
  int chords = least_chords < most_chords ? std::max(1, static_cast<int>(least_chords)) : most_chords;
  if (watch.barrier.turns) chords = most_chords;
  const Collider& still = *watch.barrier.start;
  for (int k = 0; k < chords; ++k) {
    const double s0 = horizon * k / chords, s1 = horizon * (k + 1) / chords;
    const auto hit = watch.barrier.turns ? sweep(watch.posed(s0), watch.posed(s1), watch.path.position(s0),
                                                 watch.path.position(s1), watch.radius)
                                         : sweep(still, still, watch.relative(s0), watch.relative(s1), watch.radius);
    if (!hit) continue;
    if (auto impact = polish(watch, s0 + hit->share * (s1 - s0), s1, hit->normal)) return impact;
  }
  return std::nullopt;
}

bool convex(const Barrier& barrier) {
  return !barrier.sheet && !barrier.turns &&
         !std::holds_alternative<std::shared_ptr<const Geometry>>(barrier.start->shape);
}

}  // namespace

Collider posed(const Barrier& barrier, double share) {
  const double at = std::clamp(share, 0.0, 1.0);
  Collider there;
  there.shape = barrier.end->shape;
  there.two_sided = barrier.sheet;
  there.position = barrier.start->position + at * barrier.drift;
  there.orientation = slerp(barrier.start->orientation, barrier.end->orientation, at);
  there.velocity = barrier.end->velocity;
  there.angular_velocity = barrier.end->angular_velocity;
  return there;
}

std::optional<Impact> first_impact(const Path& path, double radius, const Barriers& barriers, double dt, double begin,
                                   const Barrier* but) {
  std::optional<Impact> first;
  for (const Barrier& barrier : barriers.all()) {
    if (&barrier == but) continue;
    const Watch watch{path, barrier.touch_radius(radius), dt, begin, barrier};
    if (!barrier.turns &&
        watch.look(0).distance - watch.radius > path.longest_way(watch.horizon()) + barrier.drift.norm())
      continue;
    const auto impact = convex(barrier) ? meet_convex(watch) : meet_along_chords(watch);
    if (!impact) continue;
    // If two impacts occur at the same time, the impact with the larger approach speed comes first. The obstacle on
    // which the particle rests is then treated last.
    const double closing = (path.velocity(impact->time - begin) - impact->surface_velocity).dot(impact->normal);
    const bool sooner = !first || impact->time < first->time ||
                        (impact->time == first->time &&
                         closing < (path.velocity(first->time - begin) - first->surface_velocity).dot(first->normal));
    if (sooner) first = impact;
  }
  return first;
}

}  // namespace vw
