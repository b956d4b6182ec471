// A surface of triangles: exact distances, sweeps and samples through a tree of boxes. Made once, read by any thread.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/collision/shape/shape.h"

namespace vw {

/// Vertices and triangles as a file or a builder gives them.
struct TriangleList {
  std::vector<Vec3> position;                          ///< [m]
  std::vector<std::array<std::uint32_t, 3>> triangle;  ///< counter-clockwise seen from outside
};

/// More triangles are refused, by files as early as their header tells.
inline constexpr std::uint64_t max_triangles = 10'000'000;

/// What a mesh takes for its inside.
enum class MeshInside : std::uint8_t {
  by_side,     ///< closed, every edge has two triangles that agree: behind the nearest point, by angle-weighted normals (Baerentzen & Aanaes 2005)
  by_winding,  ///< holes, disorder or overlap: where the generalised winding number (Jacobson et al. 2013) is over 1/2, holes closed by a skin
  nowhere      ///< a sheet: no inside, distances are never negative, met from both sides
};

/// What was found in the triangles and done about it.
/// Vertices nearer to each other than this share of the diagonal of the mesh's box are one: what rounding leaves of sin(pi).
inline constexpr double join_share = 1e-9;

struct MeshReport {
  std::uint64_t triangles = 0;     ///< that are left
  std::uint64_t without_area = 0;  ///< left out
  std::uint64_t repeated = 0;      ///< left out: with the same corners as another
  std::uint64_t welded = 0;        ///< vertices that stood at the place of another, or hardly beside it
  std::uint64_t joined = 0;        ///< of those, the ones beside it: by less than `join_share` of the mesh's size
  std::uint64_t open_edges = 0;    ///< with one triangle only
  std::uint64_t odd_edges = 0;     ///< with more than two triangles
  bool turned = false;             ///< triangles were wound anew: they disagreed, or faced inwards
  bool overlapping = false;        ///< closed, but of parts that reach into each other, or of one that crosses itself
  MeshInside inside = MeshInside::by_side;
  /// Empty for a closed mesh with nothing amiss. To who asked for a sheet there is nothing to say about one.
  [[nodiscard]] std::string sentence(bool two_sided = false) const;
};

class TriangleMesh : public Geometry {
 public:
  /// Welds vertices that are equal up to rounding, drops triangles without area, winds triangles alike. Fails with one sentence on numbers that are
  /// not finite, indices out of range, too many triangles and on none at all.
  [[nodiscard]] static Result<std::shared_ptr<const TriangleMesh>> make(TriangleList list);

  [[nodiscard]] virtual const MeshReport& report() const = 0;
  [[nodiscard]] virtual const TriangleList& triangles() const = 0;  ///< after cleaning
  /// Sum over the triangles of the signed solid angle under which they are seen, over 4 pi: 1 inside a closed mesh, 0 outside.
  [[nodiscard]] virtual double winding_number(const Vec3& point) const = 0;
};

}  // namespace vw
