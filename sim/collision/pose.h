// Pose of a rigid object (position and orientation), and composition of poses.
#pragma once

#include "sim/base/math.h"
#include "sim/base/rotation.h"

namespace vw {

struct Pose {
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();
};

/// Returns the composition of two poses. `inner` is given in the frame of `outer`. The result refers to the same frame
/// as `outer`.
[[nodiscard]] inline Pose operator*(const Pose& outer, const Pose& inner) {
  return {outer.position + outer.orientation * inner.position, (outer.orientation * inner.orientation).normalized()};
}
[[nodiscard]] inline Pose inverse(const Pose& pose) {
  const Quat back = pose.orientation.conjugate();
  return {-(back * pose.position), back};
}

/// Returns the pose at the fraction `share` of the motion from one pose to another, at constant velocity and angular
/// velocity. The rotation takes the shorter arc.
[[nodiscard]] Pose between(const Pose& from, const Pose& to, double share);

}  // namespace vw
