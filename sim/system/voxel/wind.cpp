// Drag of faces in a relative wind u: 1/2 rho c_d A u_n^2 against the face, 1/2 rho c_f A |u_t| u_t along it.
#include "sim/system/voxel/wind.h"

#include <cmath>

namespace vw {
namespace {

Vec3 face_force(const WindParams& wind, const Vec3& u, const Vec3& normal, double area) {
  const double across = u.dot(normal);
  const Vec3 along = u - across * normal;
  const double q = 0.5 * wind.air_density * area;
  Vec3 force = q * wind.friction * along.norm() * along;
  if (across < 0) force -= q * wind.drag * across * across * normal;
  return force;
}

}  // namespace

void wind_forces(const WindParams& wind, const LatticeTopology& topology, const Elements& elements, std::span<const Vec3> air, double dt,
                 std::span<Vec3> force, Range range) {
  for (std::size_t v = range.begin; v < range.end; ++v) {
    if (topology.exposed[v] == 0) continue;
    const Vec3 u = air[v] - elements.velocity[v];
    const Mat3 axes = elements.orientation[v].toRotationMatrix();
    const double area = 4 * elements.radius[v] * elements.radius[v];
    Vec3 sum = Vec3::Zero();
    for (int face = 0; face < face_count; ++face) {
      if ((topology.exposed[v] >> face & 1) == 0) continue;
      sum += face_force(wind, u, face % 2 == 0 ? Vec3(-axes.col(face / 2)) : Vec3(axes.col(face / 2)), area);
    }
    const double limit = elements.mass[v] * u.norm(), impulse = sum.norm() * dt;
    force[v] += impulse > limit ? Vec3(sum * (limit / impulse)) : sum;
  }
}

}  // namespace vw
