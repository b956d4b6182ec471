// How deep a sphere sits in one voxel of a lattice.
#pragma once

#include <cstdint>

#include "sim/base/math.h"

namespace vw {

/// A voxel as others meet it.
struct Cube {
  Vec3 position;
  Quat orientation;
  double half_edge = 0;
  std::uint8_t open_faces = 0x3F;  ///< bit 0..5: -x +x -y +y -z +z has no neighbour; one can leave the cube only through these
};

struct CubeHit {
  double depth = 0;  ///< > 0: the sphere's surface is inside [m]
  Vec3 normal{0, 1, 0};
  bool on_face = false;  ///< straight above a face, or inside; not round an edge or a corner
};

/// Where the centre is outside, the nearest point of the cube counts; inside, the nearest open face, so that nothing is pushed deeper into a lattice.
/// Negative depth: no contact. A cube without open faces is never touched.
[[nodiscard]] CubeHit sphere_on_cube(const Cube& cube, const Vec3& center, double radius);

}  // namespace vw
