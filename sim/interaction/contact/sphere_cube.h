// Contact of a sphere with one voxel of a lattice.
#pragma once

#include <cstdint>

#include "sim/base/math.h"

namespace vw {

/// A voxel as a collision shape.
struct Cube {
  Vec3 position;
  Quat orientation;
  double half_edge = 0;
  /// Bit set of the faces without a neighbour. Bits 0 to 5 stand for -x +x -y +y -z +z. A sphere inside the cube can
  /// leave it only through these faces.
  std::uint8_t open_faces = 0x3F;
};

struct CubeHit {
  double depth = 0;  ///< Penetration depth [m]. If it is not positive, the sphere does not overlap the cube.
  Vec3 normal{0, 1, 0};
  bool on_face = false;  ///< Whether the contact is on a face. It is false for a contact on an edge or corner, and true
                         ///< if the centre is inside.
};

/// Returns the contact of a sphere with a cube. If the sphere's centre is outside, the contact is at the nearest point
/// of the cube. If the centre is inside, the contact is on the nearest open face, so that no sphere is pushed deeper
/// into a lattice. If the depth of the result is not positive, the sphere does not overlap the cube. A cube without
/// open faces has no contacts.
[[nodiscard]] CubeHit sphere_on_cube(const Cube& cube, const Vec3& center, double radius);

}  // namespace vw
