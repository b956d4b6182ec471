// Penetration of a sphere into one voxel of a lattice.
#pragma once

#include <cstdint>

#include "sim/base/math.h"

namespace vw {

/// A voxel as a collision shape.
struct Cube {
  Vec3 position;
  Quat orientation;
  double half_edge = 0;
  /// Faces without a neighbour, bit 0..5: -x +x -y +y -z +z. A sphere can leave the cube only through these.
  std::uint8_t open_faces = 0x3F;
};

struct CubeHit {
  double depth = 0;  ///< Penetration depth [m]; positive: the sphere overlaps the cube.
  Vec3 normal{0, 1, 0};
  bool on_face = false;  ///< The contact is on a face, or the centre is inside; false for edges and corners.
};

/// If the centre is outside, the contact is at the nearest point of the cube. If it is inside, the contact is at the
/// nearest open face, so that nothing is pushed deeper into a lattice. A negative depth means no contact. A cube
/// without open faces has no contacts.
[[nodiscard]] CubeHit sphere_on_cube(const Cube& cube, const Vec3& center, double radius);

}  // namespace vw
