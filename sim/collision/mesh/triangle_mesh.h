// A triangle mesh as geometry: exact distances, sweeps and samples through a bounding volume hierarchy. Immutable after
// construction; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/collision/shape/shape.h"

namespace vw {

/// Vertices and triangles from a file or a builder.
struct TriangleList {
  std::vector<Vec3> position;                          ///< Positions [m].
  std::vector<std::array<std::uint32_t, 3>> triangle;  ///< Vertex indices, counter-clockwise as seen from outside.
};

/// Meshes with more triangles are rejected; files as soon as their header states the number.
inline constexpr std::uint64_t max_triangles = 10'000'000;

/// Definition of the inside of a mesh.
enum class MeshInside : std::uint8_t {
  /// Closed; every edge has two triangles of consistent orientation. A point is inside if it is behind the nearest
  /// point, by angle-weighted normals (Baerentzen & Aanaes 2005).
  by_side,
  /// Holes, inconsistent orientation or overlap. A point is inside if the generalised winding number (Jacobson et al.
  /// 2013) exceeds 1/2; holes are thus closed by a surface.
  by_winding,
  nowhere  ///< A sheet: no inside, distances are never negative, contact from both sides.
};

/// Vertices that are nearer than this share of the diagonal of the mesh's box are joined. It covers the rounding of
/// sin(pi).
inline constexpr double join_share = 1e-9;

/// Result of cleaning the triangles of a mesh.
struct MeshReport {
  std::uint64_t triangles = 0;     ///< Remaining triangles.
  std::uint64_t without_area = 0;  ///< Removed triangles without area.
  std::uint64_t repeated = 0;      ///< Removed triangles with the same corners as another.
  std::uint64_t welded = 0;        ///< Vertices joined with another at the same or nearly the same position.
  /// Those of the welded vertices whose position differed, by less than `join_share` of the mesh's size.
  std::uint64_t joined = 0;
  std::uint64_t open_edges = 0;  ///< Edges with only one triangle.
  std::uint64_t odd_edges = 0;   ///< Edges with more than two triangles.
  bool turned = false;           ///< The orientation of triangles was changed, because it was inconsistent or inwards.
  bool overlapping = false;      ///< Closed, but parts overlap or a part intersects itself.
  MeshInside inside = MeshInside::by_side;
  /// One sentence for the user; empty for a closed mesh without changes. With `two_sided`, the fact that the mesh is a
  /// sheet is not mentioned.
  [[nodiscard]] std::string sentence(bool two_sided = false) const;
};

class TriangleMesh : public Geometry {
 public:
  /// Welds vertices that are equal up to rounding, removes triangles without area, and makes the orientation
  /// consistent. Returns an error of one sentence for numbers that are not finite, indices out of range, too many
  /// triangles, or none.
  [[nodiscard]] static Result<std::shared_ptr<const TriangleMesh>> make(TriangleList list);

  [[nodiscard]] virtual const MeshReport& report() const = 0;
  [[nodiscard]] virtual const TriangleList& triangles() const = 0;  ///< After cleaning.
  /// Sum over the triangles of their signed solid angles, divided by 4 pi: 1 inside a closed mesh, 0 outside.
  [[nodiscard]] virtual double winding_number(const Vec3& point) const = 0;
};

}  // namespace vw
