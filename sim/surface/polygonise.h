// Marching cubes on sparse blocks. The result is the zero level set of the level function as a closed manifold mesh.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/surface/fluid_bodies.h"
#include "sim/surface/node_blocks.h"

namespace vw {

struct BodyMesh {
  std::vector<Vec3> position;                          ///< Positions of the vertices [m].
  std::vector<std::uint32_t> body;                     ///< For each vertex, the body of fluid
                                                       ///< that the surface encloses there.
  std::vector<std::array<std::uint32_t, 3>> triangle;  ///< Indices of vertices, counter-clockwise seen from outside.
};

/// Makes the surface of the level function, which is positive inside. Adjacent triangles share vertices. Vertices and
/// triangles are ordered by blocks and nodes.
[[nodiscard]] BodyMesh polygonise(const NodeBlocks& blocks, std::span<const float> level, const FluidBodies& bodies);

}  // namespace vw
