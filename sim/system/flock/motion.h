// How a member moves by itself: the limits of its speed, its turning and its climbing, and what is seen of that. Pure functions of one member.
#pragma once

#include "sim/base/math.h"
#include "sim/system/flock/flock_params.h"

namespace vw {

/// Motion of a member through its medium: speed [m/s] along the unit vector heading.
struct OwnMotion {
  Vec3 heading{1, 0, 0};
  double speed = 0;
  [[nodiscard]] Vec3 velocity() const { return speed * heading; }
};

/// A species' limits as a step needs them.
struct MotionLimits {
  MotionLimits() = default;
  MotionLimits(const SpeciesParams& species, double dt);
  double min_speed = 0, max_speed = 0;
  double turn = 0, cos_turn = 1, sin_turn = 0;  ///< in one step
  double cos_climb = 0, sin_climb = 1;
};
/// The motion after a step in which it gave itself `change` [m/s]: never faster or slower than it can, never turned farther, never headed steeper
/// (who was steeper comes back as fast as it turns).
[[nodiscard]] OwnMotion turned(const OwnMotion& before, const Vec3& change, const MotionLimits& limits);
/// A unit vector no steeper than allowed, of the same bearing.
[[nodiscard]] Vec3 level_to(const Vec3& heading, const MotionLimits& limits);

/// Bank [rad] of a balanced turn for this acceleration [m/s^2] across the heading, times `banking`: at most upside down.
[[nodiscard]] double balanced_bank(const Vec3& heading, const Vec3& acceleration, double gravity_mps2, double banking);
/// Strokes a second of its tail or wings [1/s] at that speed with the effort [m/s^2] of its thrust.
[[nodiscard]] double stroke_rate(const SpeciesParams& species, double speed_mps, double effort_mps2);

/// Attitude of a body with its nose along x, its back along y and its right side along z.
[[nodiscard]] Quat attitude(const Vec3& heading, double bank);

}  // namespace vw
