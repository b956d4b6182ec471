// Cleans a list of triangles before a tree is built: joins vertices at nearly the same position (see join_share),
// removes triangles without area, finds the neighbours of each triangle, and makes orientations consistent.
#pragma once

#include <span>

#include "sim/collision/mesh/triangle_mesh.h"

namespace vw {

/// Value of MeshTopology::beside for an edge that does not belong to exactly two triangles.
inline constexpr std::uint32_t no_triangle = 0xffffffffU;

/// Cleaned triangles and their neighbours.
struct MeshTopology {
  TriangleList list;
  /// Neighbour of each triangle at each of its edges. Edge k goes from corner k to corner k + 1.
  std::vector<std::array<std::uint32_t, 3>> beside;
  /// Index in `around` of the first triangle of each vertex. The last entry is the length of `around`.
  std::vector<std::uint32_t> first_around;
  std::vector<std::uint32_t> around;  ///< Triangles at each vertex, in ascending order.
  /// Index of the connected part to which each triangle belongs. Two triangles are connected if they share an edge that
  /// belongs to no other triangle. Parts are numbered in the order of their first triangles.
  std::vector<std::uint32_t> part;
  std::uint32_t parts = 0;
  MeshReport report;

  [[nodiscard]] std::span<const std::uint32_t> triangles_at(std::uint32_t vertex) const {
    return std::span(around).subspan(first_around[vertex], first_around[vertex + 1] - first_around[vertex]);
  }
};

[[nodiscard]] Result<MeshTopology> clean_mesh(TriangleList list);
/// Reverses the orientation of all triangles in the marked parts, and records this in the report.
void turn_parts(MeshTopology& mesh, const std::vector<bool>& parts);

}  // namespace vw
