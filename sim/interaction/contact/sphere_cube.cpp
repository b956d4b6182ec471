// Overlap of a sphere and a cube, computed in the cube's frame.
#include "sim/interaction/contact/sphere_cube.h"

#include <limits>

namespace vw {
namespace {

/// Returns the contact of a sphere whose centre is inside the cube. The contact is on the nearest open face.
CubeHit inside(const Cube& cube, const Vec3& local, double radius) {
  CubeHit hit;
  hit.on_face = true;
  double shortest = std::numeric_limits<double>::infinity();
  Vec3 normal = Vec3::Zero();
  for (int face = 0; face < 6; ++face) {
    if ((cube.open_faces >> face & 1) == 0) continue;
    const double sign = face % 2 == 0 ? -1 : 1;
    const double way = cube.half_edge - sign * local[face / 2];
    if (way >= shortest) continue;
    shortest = way;
    normal = sign * Vec3::Unit(face / 2);
  }
  hit.depth = radius + shortest;
  hit.normal = cube.orientation * normal;
  return hit;
}

}  // namespace

CubeHit sphere_on_cube(const Cube& cube, const Vec3& center, double radius) {
  CubeHit none;
  none.depth = -1;
  const Vec3 apart = center - cube.position;
  const double reach = 1.7320508075688774 * cube.half_edge + radius;
  if (cube.open_faces == 0 || !(apart.squaredNorm() < reach * reach)) return none;
  const Vec3 local = cube.orientation.conjugate() * apart;
  const Vec3 beyond = (local.cwiseAbs().array() - cube.half_edge).max(0.0);
  const double distance = beyond.norm();
  if (distance == 0) return inside(cube, local, radius);
  CubeHit hit;
  hit.depth = radius - distance;
  hit.on_face = (beyond.array() > 0).count() == 1;
  const Vec3 outward = local.unaryExpr([](double x) { return x < 0 ? -1.0 : 1.0; }).cwiseProduct(beyond) / distance;
  hit.normal = cube.orientation * outward;
  return hit;
}

}  // namespace vw
