// Triangle mesh as geometry, with exact distances, sweeps and samples based on a bounding volume hierarchy. A mesh
// never changes after construction and may be used on any thread.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/collision/shape/shape.h"

namespace vw {

/// Vertices and triangles from a file or a mesh builder.
struct TriangleList {
  std::vector<Vec3> position;                          ///< Positions [m].
  std::vector<std::array<std::uint32_t, 3>> triangle;  ///< Vertex indices, counter-clockwise as seen from outside.
};

/// Largest number of triangles of a mesh. If the header of a file states more, the file is rejected before its data are
/// read.
inline constexpr std::uint64_t max_triangles = 10'000'000;

/// Definition of the inside of a mesh.
enum class MeshInside : std::uint8_t {
  /// The mesh is closed: every edge has two triangles with consistent orientations. A point is inside if it is behind
  /// the nearest surface point, as determined by the angle-weighted normal there (Baerentzen & Aanaes 2005).
  by_side,
  /// The mesh has holes, inconsistent orientations or overlapping parts. A point is inside if its generalised winding
  /// number (Jacobson et al. 2013) exceeds 1/2. Each hole then acts as if it were closed by a surface.
  by_winding,
  /// The mesh is a sheet without an inside. Its distances are never negative, and it is hit from both sides.
  nowhere
};

/// Vertices closer than this fraction of the diagonal of the mesh's box are joined. The value covers the rounding error
/// of sin(pi) in exported files.
inline constexpr double join_share = 1e-9;

/// Defects that were found and corrected when the triangles of a mesh were cleaned.
struct MeshReport {
  std::uint64_t triangles = 0;     ///< Number of remaining triangles.
  std::uint64_t without_area = 0;  ///< Number of removed triangles without area.
  std::uint64_t repeated = 0;      ///< Number of removed copies of other triangles.
  std::uint64_t welded = 0;        ///< Number of vertices joined with another vertex at (nearly) the same position.
  /// Number of those joined vertices whose positions differed (by less than `join_share` of the mesh's size).
  std::uint64_t joined = 0;
  std::uint64_t open_edges = 0;  ///< Number of edges with only one triangle.
  std::uint64_t odd_edges = 0;   ///< Number of edges with more than two triangles.
  bool turned = false;       ///< Whether triangles were reversed, because orientations were inconsistent or inwards.
  bool overlapping = false;  ///< Whether the mesh is closed, but parts overlap or a part intersects itself.
  MeshInside inside = MeshInside::by_side;
  /// Returns one sentence for the user. The result is empty if the mesh was closed and nothing was changed. If
  /// `two_sided`, the sentence does not mention that the mesh is a sheet.
  [[nodiscard]] std::string sentence(bool two_sided = false) const;
};

class TriangleMesh : public Geometry {
 public:
  /// Joins vertices that are equal up to rounding, removes triangles without area, and makes orientations consistent.
  /// Returns an error if a coordinate is not finite or exceeds 1e9 m, if an index is out of range, if there are too
  /// many triangles, or if no triangle has an area.
  [[nodiscard]] static Result<std::shared_ptr<const TriangleMesh>> make(TriangleList list);

  [[nodiscard]] virtual const MeshReport& report() const = 0;
  [[nodiscard]] virtual const TriangleList& triangles() const = 0;  ///< Triangles after cleaning.
  /// Returns the winding number of a point: the signed solid angles of all triangles, summed and divided by 4 pi. It is
  /// 1 inside a closed mesh and 0 outside.
  [[nodiscard]] virtual double winding_number(const Vec3& point) const = 0;
};

}  // namespace vw
