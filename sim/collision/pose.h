// Pose of a rigid object (position and orientation), and composition of poses.
#pragma once

#include "sim/base/math.h"

namespace vw {

struct Pose {
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();
};

/// Composition: `inner` is relative to `outer`; the result is in the frame in which `outer` is given.
[[nodiscard]] inline Pose operator*(const Pose& outer, const Pose& inner) {
  return {outer.position + outer.orientation * inner.position, (outer.orientation * inner.orientation).normalized()};
}
[[nodiscard]] inline Pose inverse(const Pose& pose) {
  const Quat back = pose.orientation.conjugate();
  return {-(back * pose.position), back};
}

/// Rotation of a rotation vector (axis times angle), and the shortest rotation vector of a rotation.
[[nodiscard]] Quat rotation_of(const Vec3& rotation_vector);
[[nodiscard]] Vec3 rotation_vector_of(const Quat& rotation);

/// Pose at a fraction of the way between two poses: linear in position, constant angular velocity on the shorter way.
[[nodiscard]] Pose between(const Pose& from, const Pose& to, double share);

}  // namespace vw
