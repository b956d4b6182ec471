// Own motion of a member relative to the medium: limits of speed, turning and climbing, and the resulting attitude. All
// functions are pure functions of one member.
#pragma once

#include "sim/base/math.h"
#include "sim/system/flock/flock_params.h"

namespace vw {

/// Motion of a member relative to the medium: `speed` [m/s] in the direction of the unit vector `heading`.
struct OwnMotion {
  Vec3 heading{1, 0, 0};
  double speed = 0;
  [[nodiscard]] Vec3 velocity() const { return speed * heading; }
};

/// Limits of the motion of a species in one step.
struct MotionLimits {
  MotionLimits() = default;
  MotionLimits(const SpeciesParams& species, double dt);
  double min_speed = 0, max_speed = 0;
  double turn = 0, cos_turn = 1, sin_turn = 0;  ///< Largest turn angle in one step [rad], with cosine and sine.
  double cos_climb = 0, sin_climb = 1;
};
/// Motion after a step with the desired velocity change `change` [m/s], limited in speed, turn angle and climb angle.
/// If the heading was steeper than the climb limit, it returns to the limit at the largest turn rate.
[[nodiscard]] OwnMotion turned(const OwnMotion& before, const Vec3& change, const MotionLimits& limits);
/// Limits the climb angle of a unit vector without changing the compass bearing.
[[nodiscard]] Vec3 level_to(const Vec3& heading, const MotionLimits& limits);

/// Bank angle [rad] of a coordinated turn with the acceleration `acceleration` [m/s^2], multiplied by `banking` and
/// limited to [-pi, pi].
[[nodiscard]] double balanced_bank(const Vec3& heading, const Vec3& acceleration, double gravity_mps2, double banking);
/// Frequency of tail or wing strokes [1/s]. `effort_mps2` is the acceleration along the heading [m/s^2].
[[nodiscard]] double stroke_rate(const SpeciesParams& species, double speed_mps, double effort_mps2);

/// Orientation of a body with the heading `heading` and the bank angle `bank` [rad]. In the frame of the body, x points
/// to the nose, y to the upper side and z to the right side.
[[nodiscard]] Quat attitude(const Vec3& heading, double bank);

}  // namespace vw
