// Conversions between rotations and rotation vectors, and interpolation of poses.
#include "sim/collision/pose.h"

#include <cmath>

namespace vw {

Quat rotation_of(const Vec3& rotation_vector) {
  const double angle = rotation_vector.norm();
  return angle > 0 ? Quat(Eigen::AngleAxisd(angle, rotation_vector / angle)) : Quat::Identity();
}

Vec3 rotation_vector_of(const Quat& rotation) {
  const double sine = rotation.vec().norm(), cosine = std::abs(rotation.w());
  if (!(sine > 0)) return Vec3::Zero();
  // Angle divided by the sine of half the angle. This factor is finite and accurate down to the smallest angles.
  const double scale = 2 * std::atan2(sine, cosine) / sine;
  return (rotation.w() < 0 ? -scale : scale) * rotation.vec();
}

Pose between(const Pose& from, const Pose& to, double share) {
  const Vec3 turn = rotation_vector_of(to.orientation * from.orientation.conjugate());
  return {from.position + share * (to.position - from.position),
          (rotation_of(share * turn) * from.orientation).normalized()};
}

}  // namespace vw
