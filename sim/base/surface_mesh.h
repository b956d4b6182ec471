// A triangulated surface for drawing and export, stored in flat arrays. Several users share a mesh, so it must not be
// changed after its creation.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/base/math.h"

namespace vw {

struct SurfaceMesh {
  std::vector<Vec3f> position;  ///< [m]
  /// Outward unit normal of each vertex. A corner of a solid with sharp edges has one vertex for each face.
  std::vector<Vec3f> normal;
  std::vector<std::array<std::uint32_t, 3>> triangle;  ///< counter-clockwise seen from outside
};

}  // namespace vw
