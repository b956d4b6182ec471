// Where a rigid thing is: a place and an orientation, and how poses combine.
#pragma once

#include "sim/base/math.h"

namespace vw {

struct Pose {
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();
};

/// `inner`, which is given in the frame of `outer`, in the frame that `outer` is given in.
[[nodiscard]] inline Pose operator*(const Pose& outer, const Pose& inner) {
  return {outer.position + outer.orientation * inner.position, (outer.orientation * inner.orientation).normalized()};
}
[[nodiscard]] inline Pose inverse(const Pose& pose) {
  const Quat back = pose.orientation.conjugate();
  return {-(back * pose.position), back};
}

/// Rotation of a rotation vector (axis times angle), and the rotation vector of the shorter way to a rotation.
[[nodiscard]] Quat rotation_of(const Vec3& rotation_vector);
[[nodiscard]] Vec3 rotation_vector_of(const Quat& rotation);

/// A share of the way from one pose to another: straight, and turning evenly by the shorter way.
[[nodiscard]] Pose between(const Pose& from, const Pose& to, double share);

}  // namespace vw
