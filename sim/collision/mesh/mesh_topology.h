// What a list of triangles is made fit by, before a tree is built over it: equal vertices welded, triangles without area dropped, neighbours found,
// the winding made one.
#pragma once

#include <span>

#include "sim/collision/mesh/triangle_mesh.h"

namespace vw {

/// A neighbour's place when there is none, or more than one.
inline constexpr std::uint32_t no_triangle = 0xffffffffU;

/// Triangles that are clean, and who lies beside whom.
struct MeshTopology {
  TriangleList list;
  std::vector<std::array<std::uint32_t, 3>> beside;  ///< by triangle and edge (k: from corner k to k + 1): the triangle across
  std::vector<std::uint32_t> first_around;           ///< by vertex, one more at the end: where its triangles begin in `around`
  std::vector<std::uint32_t> around;                 ///< triangles at each vertex, rising
  std::vector<std::uint32_t> part;                   ///< by triangle: what hangs together by edges of two, numbered by their first triangles
  std::uint32_t parts = 0;
  MeshReport report;

  [[nodiscard]] std::span<const std::uint32_t> triangles_at(std::uint32_t vertex) const {
    return std::span(around).subspan(first_around[vertex], first_around[vertex + 1] - first_around[vertex]);
  }
};

[[nodiscard]] Result<MeshTopology> clean_mesh(TriangleList list);
/// Winds the triangles of those parts the other way around, and says so in the report.
void turn_parts(MeshTopology& mesh, const std::vector<bool>& parts);

}  // namespace vw
