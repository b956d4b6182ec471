// The 256 cases of marching cubes (Lorensen & Cline 1987) as a table of triangles. The same rule determines how the
// surface crosses a face in both cubes that share this face. Therefore, the mesh has no holes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace vw {

/// An edge of a cube: it starts at corner (x, y, z) and runs along `axis`.
struct CubeEdge {
  std::uint8_t x, y, z, axis;
};

/// The twelve edges of a cube. The edges 4 a to 4 a + 3 run along axis a.
inline constexpr std::array<CubeEdge, 12> cube_edges{{{0, 0, 0, 0},
                                                      {0, 1, 0, 0},
                                                      {0, 0, 1, 0},
                                                      {0, 1, 1, 0},
                                                      {0, 0, 0, 1},
                                                      {1, 0, 0, 1},
                                                      {0, 0, 1, 1},
                                                      {1, 0, 1, 1},
                                                      {0, 0, 0, 2},
                                                      {1, 0, 0, 2},
                                                      {0, 1, 0, 2},
                                                      {1, 1, 0, 2}}};

/// Triangles of one case, as indices into cube_edges, counter-clockwise seen from outside the fluid.
using CubeTriangles = std::vector<std::array<std::uint8_t, 3>>;

/// Returns the table of triangles. The index of a case is the set of corners that are inside: bit x + 2 y + 4 z is set
/// if corner (x, y, z) is inside.
///
/// On a face with two opposite inner corners, the surface separates these two corners. No inner edge of a polygon joins
/// two edges of the same face. As a result, each edge of the mesh has exactly two triangles.
[[nodiscard]] const std::array<CubeTriangles, 256>& cube_cases();

}  // namespace vw
