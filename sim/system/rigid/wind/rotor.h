// Torque-free rotation of a rigid body: advances orientation and angular velocity without drift of energy or angular
// momentum.
#pragma once

#include "sim/base/math.h"

namespace vw {

/// Principal moments of inertia about the centre of mass [kg m^2], and principal axes in the body's frame.
struct Inertia {
  Vec3 moments = Vec3::Ones();
  Mat3 axes = Mat3::Identity();  ///< The columns are the principal axes, which form a right-handed system.

  /// Returns the inertia of a body whose inertia tensor in its frame is `tensor`.
  [[nodiscard]] static Inertia of(const Mat3& tensor);
  /// Returns the inertia tensor in world axes for a body with this orientation.
  [[nodiscard]] Mat3 tensor(const Quat& orientation) const;
  [[nodiscard]] Mat3 inverse(const Quat& orientation) const;
};

/// Rotates a body for `dt` without torque. Angular momentum is conserved to rounding. The relative error of the energy
/// oscillates by less than 1e-4 and does not drift.
void turn_freely(const Inertia& inertia, Quat& orientation, Vec3& angular_velocity, double dt);

}  // namespace vw
