// The 256 cases of marching cubes (Lorensen & Cline 1987) as a table of triangles. The table is computed from a rule
// for the faces of a cube, so adjacent cubes always agree and the mesh has no holes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace vw {

/// An edge of a cube: it starts at corner (x, y, z) and runs along `axis`.
struct CubeEdge {
  std::uint8_t x, y, z, axis;
};

/// Edges 4 a ... 4 a + 3 run along axis a.
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

/// Triangles of one case, as indices into cube_edges. They are counter-clockwise seen from the outside of the fluid.
using CubeTriangles = std::vector<std::array<std::uint8_t, 3>>;

/// Returns the triangles for each set of inner corners. Bit x + 2 y + 4 z of a case is set if corner (x, y, z) is
/// inside.
///
/// On a face with two opposite inner corners, the surface separates these corners. No inner edge of a polygon connects
/// two edges of one face. Each edge of the mesh therefore has exactly two triangles.
[[nodiscard]] const std::array<CubeTriangles, 256>& cube_cases();

}  // namespace vw
