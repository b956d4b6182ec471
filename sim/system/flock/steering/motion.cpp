#include "sim/system/flock/steering/motion.h"

#include <algorithm>
#include <cmath>

#include "sim/base/elementary/elementary.h"

namespace vw {
namespace {

constexpr double tiny = 1e-12;

/// Returns the direction of the component of `to` that is perpendicular to the unit vector `from`. If this component is
/// zero, returns any unit vector perpendicular to `from`.
Vec3 side_of(const Vec3& from, const Vec3& to) {
  const Vec3 across = to - to.dot(from) * from;
  const double size = across.norm();
  if (size > tiny * std::max(1.0, to.norm())) return across / size;
  // If the directions are parallel or opposite, the returned direction is horizontal.
  const Vec3 right = from.cross(Vec3::UnitY());
  return right.squaredNorm() > tiny ? Vec3(right.normalized()) : Vec3(Vec3::UnitX());
}

/// Turns the unit vector `from` towards the unit vector `to`, by at most the largest turn angle of a step.
Vec3 turn_towards(const Vec3& from, const Vec3& to, const MotionLimits& limits) {
  if (to.dot(from) >= limits.cos_turn) return to;
  return (limits.cos_turn * from + limits.sin_turn * side_of(from, to)).normalized();
}

/// Turns the compass bearing of `from` towards the bearing of `to` without changing the climb angle. The angle between
/// the old and the new direction is at most the largest turn angle of a step. This function is used if the direct turn
/// would be too steep.
Vec3 turned_about(const Vec3& from, const Vec3& to, const MotionLimits& limits) {
  const double level_squared = from.x() * from.x() + from.z() * from.z();
  const double most =
      elementary::acos(std::clamp(1 - (1 - limits.cos_turn) / std::max(level_squared, tiny), -1.0, 1.0));
  const double wanted = elementary::atan2(from.z() * to.x() - from.x() * to.z(), from.x() * to.x() + from.z() * to.z());
  const auto [sine, cosine] = elementary::sin_cos(std::clamp(wanted, -most, most));
  return {cosine * from.x() + sine * from.z(), from.y(), cosine * from.z() - sine * from.x()};
}

}  // namespace

MotionLimits::MotionLimits(const SpeciesParams& species, double dt)
    : min_speed(species.min_speed_mps),
      max_speed(species.max_speed_mps),
      turn(std::min(species.turn_rate_radps * dt, pi)),
      cos_turn(elementary::cos(turn)),
      sin_turn(elementary::sin(turn)),
      cos_climb(elementary::cos(species.climb_deg * pi / 180)),
      sin_climb(elementary::sin(species.climb_deg * pi / 180)) {}

Vec3 level_to(const Vec3& heading, const MotionLimits& limits) {
  if (std::abs(heading.y()) <= limits.sin_climb) return heading;
  const double level = std::sqrt(heading.x() * heading.x() + heading.z() * heading.z());
  if (level <= tiny) return {limits.cos_climb, std::copysign(limits.sin_climb, heading.y()), 0};
  const double stretch = limits.cos_climb / level;
  return {stretch * heading.x(), std::copysign(limits.sin_climb, heading.y()), stretch * heading.z()};
}

OwnMotion turned(const OwnMotion& before, const Vec3& change, const MotionLimits& limits) {
  const Vec3 wanted = before.velocity() + change;
  const double size = wanted.norm();
  const Vec3 aim = size > tiny ? level_to(wanted / size, limits) : before.heading;
  Vec3 heading = turn_towards(before.heading, aim, limits);
  // The direct turn between two allowed headings may pass over a heading that is too steep.
  if (std::abs(heading.y()) > limits.sin_climb && std::abs(before.heading.y()) <= limits.sin_climb) {
    heading = level_to(heading, limits);
    if (heading.dot(before.heading) < limits.cos_turn) heading = turned_about(before.heading, aim, limits);
  }
  return {heading, std::clamp(wanted.dot(heading), limits.min_speed, limits.max_speed)};
}

double balanced_bank(const Vec3& heading, const Vec3& acceleration, double gravity_mps2, double banking) {
  const Vec3 right = heading.cross(Vec3::UnitY());
  const double level = right.norm();
  if (level <= 1e-6 || banking == 0) return 0;
  return std::clamp(banking * elementary::atan(acceleration.dot(right) / (level * std::max(gravity_mps2, 0.1))), -pi,
                    pi);
}

double stroke_rate(const SpeciesParams& species, double speed_mps, double effort_mps2) {
  const double strength =
      species.max_acceleration_mps2 > 0 ? std::clamp(effort_mps2 / species.max_acceleration_mps2, -1.0, 1.0) : 0;
  // A fish advances by about 0.7 body lengths per stroke (Bainbridge 1958). Its tail beats faster while the fish
  // accelerates.
  if (species.body == MemberBody::fish)
    return std::max(0.0, speed_mps / (0.7 * species.length_m) * (1 + 0.5 * strength));
  // The wing-beat frequency is about four times the frequency of a pendulum of the bird's length. This agrees with
  // Pennycuick (1990) within a factor of 2 from starlings to swans. Wings almost rest while the bird slows down.
  return 1.2 * std::sqrt(9.81 / species.length_m) * std::max(0.1, 0.6 + 2 * strength);
}

Quat attitude(const Vec3& heading, double bank) {
  const Vec3 level = heading.cross(Vec3::UnitY());
  const Vec3 right = level.squaredNorm() > 1e-12 ? Vec3(level.normalized()) : Vec3(Vec3::UnitZ());
  const Vec3 back = right.cross(heading);
  Mat3 axes;
  axes.col(0) = heading;
  axes.col(1) = elementary::cos(bank) * back + elementary::sin(bank) * right;
  axes.col(2) = elementary::cos(bank) * right - elementary::sin(bank) * back;
  return Quat(axes);
}

}  // namespace vw
