// Vector types of the simulation: Eigen types in double precision, or in single precision if the name ends in `f`. All
// values are in SI units; the y axis points up.
#pragma once

#include <limits>

#include <Eigen/Core>
#include <Eigen/Geometry>

/// The product of a quaternion and a vector, by the formula of Eigen's general version and with the same bits. Kernels
/// use it everywhere, but the compiler would not inline the general version, and the linker might take the copy of a
/// source file that is compiled with less optimization. A third of the time of some scenes was spent there.
template <>
[[gnu::always_inline]] inline Eigen::Vector3d Eigen::QuaternionBase<Eigen::Quaterniond>::_transformVector(
    const Eigen::Vector3d& v) const {
  const double qx = x(), qy = y(), qz = z();
  double ux = qy * v.z() - qz * v.y(), uy = qz * v.x() - qx * v.z(), uz = qx * v.y() - qy * v.x();
  ux += ux, uy += uy, uz += uz;
  return {v.x() + w() * ux + (qy * uz - qz * uy), v.y() + w() * uy + (qz * ux - qx * uz),
          v.z() + w() * uz + (qx * uy - qy * ux)};
}

namespace vw {

using Vec3 = Eigen::Vector3d;
using Vec3f = Eigen::Vector3f;
using Vec4f = Eigen::Vector4f;
using Vec6 = Eigen::Matrix<double, 6, 1>;
using Mat3 = Eigen::Matrix3d;
using Mat6 = Eigen::Matrix<double, 6, 6>;
using Quat = Eigen::Quaterniond;
using Quatf = Eigen::Quaternionf;

/// A half-open range [begin, end) of array indices, as passed to kernels.
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
  [[nodiscard]] std::size_t size() const { return end - begin; }
};

inline constexpr double pi = 3.14159265358979323846;
inline constexpr double earth_gravity = 9.81;  ///< Acceleration of gravity on earth [m/s^2].
inline constexpr double infinite = std::numeric_limits<double>::infinity();

/// Returns the matrix of the cross product: cross_matrix(a) * b equals a.cross(b).
[[nodiscard]] inline Mat3 cross_matrix(const Vec3& a) {
  Mat3 m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

}  // namespace vw
