// Marching cubes on sparse blocks: the surface where the level function is zero, as a closed manifold mesh.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/surface/fluid_bodies.h"
#include "sim/surface/node_blocks.h"

namespace vw {

struct BodyMesh {
  std::vector<Vec3> position;                          ///< [m]
  std::vector<std::uint32_t> body;                     ///< body of fluid inside the surface at each vertex
  std::vector<std::array<std::uint32_t, 3>> triangle;  ///< counter-clockwise seen from outside
};

/// Returns the surface of the level function (positive inside). Adjacent triangles share their vertices. Vertices and
/// triangles are in the order of their blocks and nodes.
[[nodiscard]] BodyMesh polygonise(const NodeBlocks& blocks, std::span<const float> level, const FluidBodies& bodies);

}  // namespace vw
