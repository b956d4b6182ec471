// Triangle mesh as geometry: exact distances, sweeps and samples by a bounding volume hierarchy. A mesh is immutable
// after construction and may be used by any thread.
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

/// Largest number of triangles of a mesh. If the header of a file states a larger number, the file is rejected before
/// its data are read.
inline constexpr std::uint64_t max_triangles = 10'000'000;

/// Definition of the inside of a mesh.
enum class MeshInside : std::uint8_t {
  /// The mesh is closed: every edge has two triangles of consistent orientation. A point is inside if it is behind the
  /// nearest surface point, as determined by angle-weighted normals (Baerentzen & Aanaes 2005).
  by_side,
  /// The mesh has holes, inconsistent orientation or overlapping parts. A point is inside if the generalised winding
  /// number (Jacobson et al. 2013) exceeds 1/2. This closes each hole by a surface.
  by_winding,
  /// The mesh is a sheet. It has no inside, its distances are never negative, and contact occurs from both sides.
  nowhere
};

/// Distance below which vertices are joined, as a fraction of the diagonal of the mesh's box. The value covers the
/// rounding error of sin(pi) in exported files.
inline constexpr double join_share = 1e-9;

/// Result of cleaning the triangles of a mesh.
struct MeshReport {
  std::uint64_t triangles = 0;     ///< Number of remaining triangles.
  std::uint64_t without_area = 0;  ///< Number of removed triangles without area.
  std::uint64_t repeated = 0;      ///< Number of removed triangles with the corners of another triangle.
  std::uint64_t welded = 0;  ///< Number of vertices joined with another vertex at the same or nearly the same position.
  /// Number of welded vertices whose position differed from the position of the other vertex, by less than `join_share`
  /// of the mesh's size.
  std::uint64_t joined = 0;
  std::uint64_t open_edges = 0;  ///< Number of edges with only one triangle.
  std::uint64_t odd_edges = 0;   ///< Number of edges with more than two triangles.
  bool turned = false;  ///< Whether the orientation of triangles was changed, because it was inconsistent or inwards.
  bool overlapping = false;  ///< Whether the mesh is closed, but parts overlap or a part intersects itself.
  MeshInside inside = MeshInside::by_side;
  /// One sentence for the user, or empty for a closed mesh without changes. If `two_sided`, the sentence does not
  /// mention that the mesh is a sheet.
  [[nodiscard]] std::string sentence(bool two_sided = false) const;
};

class TriangleMesh : public Geometry {
 public:
  /// Welds vertices that are equal up to rounding, removes triangles without area, and makes the orientation
  /// consistent. Returns an error of one sentence for numbers that are not finite, for indices out of range, for too
  /// many triangles, and for an empty list.
  [[nodiscard]] static Result<std::shared_ptr<const TriangleMesh>> make(TriangleList list);

  [[nodiscard]] virtual const MeshReport& report() const = 0;
  [[nodiscard]] virtual const TriangleList& triangles() const = 0;  ///< Triangles after cleaning.
  /// Winding number of a point: the sum of the signed solid angles of all triangles, divided by 4 pi. It is 1 inside a
  /// closed mesh and 0 outside.
  [[nodiscard]] virtual double winding_number(const Vec3& point) const = 0;
};

}  // namespace vw
