// A triangulated surface as a picture or a file takes it: flat arrays, shared by reference, never changed once made.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/base/math.h"

namespace vw {

struct SurfaceMesh {
  std::vector<Vec3f> position;                         ///< [m]
  std::vector<Vec3f> normal;                           ///< unit, outward; one a vertex (corners of an edged solid stand once for each face)
  std::vector<std::array<std::uint32_t, 3>> triangle;  ///< counter-clockwise seen from outside
};

}  // namespace vw
