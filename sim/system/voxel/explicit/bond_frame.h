// Mid frame of a bond. The mid rotation of q1 and q2 is the normalised sum q1 + q2. The vector and scalar parts of
// q1^-1 q2 give sine and cosine of half the angle between the voxels. At small angles the mid frame is therefore
// computed without trigonometric functions and square roots.
#pragma once

#include <algorithm>
#include <cmath>

#include "sim/base/elementary/elementary.h"
#include "sim/base/math.h"

namespace vw {

/// Mid frame of a bond, and the rotation of voxel 2 relative to voxel 1 by the angle 2 theta about the axis a.
struct MidFrame {
  Mat3 rotation;  ///< Q
  /// Vector sin(theta) a, the vector part of q1^-1 q2. It has the same components in the frames of q1, q2 and Q.
  Vec3 v;
  double f;  ///< 1 / (1 + max(cos(theta), most_bent))
  double h;  ///< theta / sin(theta)
  double k;  ///< (h - 1) / sin(theta)^2
};

/// Lower bound of cos(theta) in the rotation-dependent stiffness of a bond. The bound corresponds to 240 degrees
/// between the voxels. A bond breaks at 180 degrees, but only at the end of a substep. Until then, the bound keeps the
/// bond away from the singularity at 360 degrees. The bound also limits the stiffness, which would otherwise exceed the
/// value for which the substep was chosen.
inline constexpr double most_bent = -0.5;

/// Sets h and k at large angles by atan2. `w` is cos(theta). If `w` is below `most_bent`, h and k get their values at
/// `most_bent`.
inline void slow_angle(double sin_squared, double w, MidFrame& frame) {
  const bool held = w < most_bent;
  const double sine = std::max(std::sqrt(sin_squared), held ? std::sqrt(1 - most_bent * most_bent) : 1e-3);
  frame.h = elementary::atan2(sine, held ? most_bent : w) / sine;
  frame.k = (frame.h - 1) / (sine * sine);
}

/// Sets h and k by the series of asin(sqrt(x)) / sqrt(x) with x = sin(theta)^2. For x < 0.02 (16 degrees between the
/// voxels) the first omitted term is below 1e-15.
inline void fast_angle(double x, MidFrame& frame) {
  frame.k = 1.0 / 6 +
            x * (3.0 / 40 +
                 x * (5.0 / 112 + x * (35.0 / 1152 + x * (63.0 / 2816 + x * (231.0 / 13312 + x * (143.0 / 10240))))));
  frame.h = 1 + x * frame.k;
}

/// Computes the mid frame of two unit quaternions.
[[nodiscard]] inline MidFrame mid_frame(const Quat& q1, const Quat& q2) {
  MidFrame frame;
  const double w = q1.w() * q2.w() + q1.vec().dot(q2.vec());
  frame.v = q1.w() * q2.vec() - q2.w() * q1.vec() - q1.vec().cross(q2.vec());
  frame.f = 1 / (1 + std::max(w, most_bent));
  const double sin_squared = frame.v.squaredNorm();
  if (sin_squared < 0.02 && w > 0)
    fast_angle(sin_squared, frame);
  else
    slow_angle(sin_squared, w, frame);

  // Rotation matrix of the quaternion m = q1 + q2. m is not normalised: |m|^2 = 2 (1 + w).
  const double x = q1.x() + q2.x(), y = q1.y() + q2.y(), z = q1.z() + q2.z(), u = q1.w() + q2.w();
  const double f = frame.f;  // 2 / |m|^2
  const double xx = f * x * x, yy = f * y * y, zz = f * z * z, xy = f * x * y, xz = f * x * z, yz = f * y * z;
  const double ux = f * u * x, uy = f * u * y, uz = f * u * z;
  frame.rotation << 1 - yy - zz, xy - uz, xz + uy,  //
      xy + uz, 1 - xx - zz, yz - ux,                //
      xz - uy, yz + ux, 1 - xx - yy;
  return frame;
}

}  // namespace vw
