#include "sim/base/rotation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/base/elementary/elementary.h"

namespace vw {

Quat rotation_about(const Vec3& axis, double angle) {
  const auto [sine, cosine] = elementary::sin_cos(0.5 * angle);
  return {cosine, sine * axis.x(), sine * axis.y(), sine * axis.z()};
}

Quat rotation_of(const Vec3& rotation_vector) {
  const double angle = rotation_vector.norm();
  return angle > 0 ? rotation_about(rotation_vector / angle, angle) : Quat::Identity();
}

Vec3 rotation_vector_of(const Quat& rotation) {
  const double sine = rotation.vec().norm(), cosine = std::abs(rotation.w());
  if (!(sine > 0)) return Vec3::Zero();
  // Angle divided by the sine of half the angle. This factor is finite and accurate down to the smallest angles.
  const double scale = 2 * elementary::atan2(sine, cosine) / sine;
  return (rotation.w() < 0 ? -scale : scale) * rotation.vec();
}

Quat rotation_between(const Vec3& from, const Vec3& to) {
  const Vec3 a = from.normalized(), b = to.normalized();
  Vec3 axis = a.cross(b);
  if (axis.norm() < 1e-12) {  // for equal or opposite directions, any perpendicular axis is valid
    Eigen::Index least = 0;
    a.cwiseAbs().minCoeff(&least);
    axis = a.cross(Vec3::Unit(least));
  }
  axis =
      (axis - a.dot(axis) * a).normalized();  // for nearly opposite directions, the cross product has an error along a
  const double cosine = 0.5 * (a + b).norm(), sine = 0.5 * (a - b).norm();  // of half the angle
  return Quat(cosine, sine * axis.x(), sine * axis.y(), sine * axis.z()).normalized();
}

Quat slerp(const Quat& from, const Quat& to, double share) {
  const double dot = from.dot(to), cosine = std::abs(dot);
  double first = 1 - share, second = share;
  if (cosine < 1 - std::numeric_limits<double>::epsilon()) {
    const double angle = elementary::acos(cosine), sine = elementary::sin(angle);
    first = elementary::sin(first * angle) / sine;
    second = elementary::sin(second * angle) / sine;
  }
  return Quat(first * from.coeffs() + (dot < 0 ? -second : second) * to.coeffs());
}

double angle_between(const Quat& a, const Quat& b) {
  const Quat turn = a * b.conjugate();
  return 2 * elementary::atan2(turn.vec().norm(), std::abs(turn.w()));
}

Vec3 symmetric_eigenvalues(const Mat3& matrix) {
  // Trigonometric solution of the characteristic equation (Smith, "Eigenvalues of a symmetric 3 x 3 matrix", CACM 4,
  // 1961). The deviator is divided by its largest entry, so that nothing overflows.
  const double mean = matrix.trace() / 3;
  const Mat3 deviator = matrix - mean * Mat3::Identity();
  const double scale = deviator.cwiseAbs().maxCoeff();
  if (!(scale > 0)) return Vec3::Constant(mean);
  const Mat3 scaled = deviator / scale;
  const double p = std::sqrt(scaled.squaredNorm() / 6), half_determinant = 0.5 * scaled.determinant(), cube = p * p * p;
  // half_determinant / cube is cos(3 angle), where `angle` is the unknown. The angle is computed with atan2, because
  // acos is inaccurate near multiples of pi.
  const double root = std::sqrt(std::max(0.0, (cube - half_determinant) * (cube + half_determinant)));
  const auto [sine, cosine] = elementary::sin_cos(elementary::atan2(root, half_determinant) / 3);
  const double shift = std::sqrt(3.0) * sine;
  return Vec3::Constant(mean) + scale * p * Vec3(-cosine - shift, -cosine + shift, 2 * cosine);
}

}  // namespace vw
