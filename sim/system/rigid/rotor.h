// A rigid body that turns freely: orientation and angular momentum over a time, without a drift in either.
#pragma once

#include "sim/base/math.h"

namespace vw {

/// How a body's mass lies about its centre: moments [kg m^2] about axes that stand still in the body.
struct Inertia {
  Vec3 moments = Vec3::Ones();
  Mat3 axes = Mat3::Identity();  ///< columns, right-handed, in the body's frame

  /// From a tensor in the body's frame.
  [[nodiscard]] static Inertia of(const Mat3& tensor);
  /// In the world, of a body so oriented.
  [[nodiscard]] Mat3 tensor(const Quat& orientation) const;
  [[nodiscard]] Mat3 inverse(const Quat& orientation) const;
};

/// Turns a body for `dt` with nothing acting on it. Its angular momentum stays to rounding; its energy swings by less than 1e-4 and does not drift.
void turn_freely(const Inertia& inertia, Quat& orientation, Vec3& angular_velocity, double dt);

}  // namespace vw
