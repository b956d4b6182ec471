// Drag of faces in a relative wind u: 1/2 rho c_d A u_n^2 against the face, 1/2 rho c_f A |u_t| u_t along it.
#include "sim/system/voxel/wind.h"

#include <cmath>

namespace vw {
Vec3 wind_force(const FaceDrag& wind, std::uint8_t exposed, const Vec3& air, const Vec3& velocity, const Quat& orientation, double half_edge,
                double mass, double dt) {
  const Vec3 u = air - velocity;
  const Mat3 axes = orientation.toRotationMatrix();
  const double area = 4 * half_edge * half_edge;
  Vec3 sum = Vec3::Zero();
  for (int face = 0; face < face_count; ++face) {
    if ((exposed >> face & 1) == 0) continue;
    sum += face_force(wind, u, face % 2 == 0 ? Vec3(-axes.col(face / 2)) : Vec3(axes.col(face / 2)), area);
  }
  const double limit = mass * u.norm(), impulse = sum.norm() * dt;
  return impulse > limit ? Vec3(sum * (limit / impulse)) : sum;
}

}  // namespace vw
