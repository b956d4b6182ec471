// Vector types of the simulation: Eigen types in double precision, or in single precision if the name ends in `f`. All
// values are in SI units; the y axis points up.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace vw {

using Vec3 = Eigen::Vector3d;
using Vec3f = Eigen::Vector3f;
using Vec4f = Eigen::Vector4f;
using Mat3 = Eigen::Matrix3d;
using Quat = Eigen::Quaterniond;
using Quatf = Eigen::Quaternionf;

/// A half-open range [begin, end) of array indices, as passed to kernels.
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
  [[nodiscard]] std::size_t size() const { return end - begin; }
};

inline constexpr double pi = 3.14159265358979323846;

}  // namespace vw
