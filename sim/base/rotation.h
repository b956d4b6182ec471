// Functions for rotations. They replace functions of Eigen that call the C library (docs/design/elementary.md).
#pragma once

#include "sim/base/math.h"

namespace vw {

/// Returns the rotation by an angle [rad] about a unit vector.
[[nodiscard]] Quat rotation_about(const Vec3& axis, double angle);

/// Returns the rotation of a rotation vector (axis times angle) [rad].
[[nodiscard]] Quat rotation_of(const Vec3& rotation_vector);
/// Returns the shortest rotation vector (axis times angle) of a rotation [rad].
[[nodiscard]] Vec3 rotation_vector_of(const Quat& rotation);

/// Returns the shortest rotation that turns the direction `from` into the direction `to`. The vectors may have any
/// length of at least 1e-150. For opposite directions, an arbitrary axis perpendicular to them is used. Eigen's
/// FromTwoVectors is not used, because it instantiates a singular value decomposition, which adds ten seconds to the
/// compilation of every source file that calls it.
[[nodiscard]] Quat rotation_between(const Vec3& from, const Vec3& to);

/// Returns the rotation at the fraction `share` of the shorter arc from `from` to `to`, with constant angular velocity
/// (Shoemake, "Animating rotation with quaternion curves", SIGGRAPH 1985). Both arguments must be unit quaternions.
[[nodiscard]] Quat slerp(const Quat& from, const Quat& to, double share);

/// Returns the angle [rad] of the shortest rotation between two orientations, in [0, pi].
[[nodiscard]] double angle_between(const Quat& a, const Quat& b);

/// Returns the eigenvalues of a symmetric matrix, in increasing order.
[[nodiscard]] Vec3 symmetric_eigenvalues(const Mat3& matrix);

}  // namespace vw
