// Bounding volume hierarchy of triangles with eight children per node. It uses single precision, relative to the centre
// of the mesh, to find candidates for the nearest triangle or the first hit. The candidates are then compared in double
// precision.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/collision/mesh/triangle.h"
#include "sim/collision/mesh/triangle_mesh.h"

namespace vw {

inline constexpr std::size_t tree_width = 8;
/// Largest depth of a tree. It determines the size of the stack of a traversal.
inline constexpr std::size_t tree_depth = 48;
inline constexpr std::uint32_t leaf_bit = 0x80000000U, no_child = 0xffffffffU;

/// Bounds of eight children, rounded outwards. A child is a node or, if its index has the leaf_bit, a block of
/// triangles. The bounding box of a flat oblique patch of triangles is much larger than the patch, so a search for the
/// nearest point would often visit it unnecessarily. Each child therefore also has a bounding disc, perpendicular to
/// the mean normal of its triangles, which is tight for such a patch.
struct alignas(64) TreeNode {
  float low[3][tree_width], high[3][tree_width];
  float axis[3][tree_width], core[3][tree_width];  ///< Unit normal and centre of each disc.
  float half_height[tree_width], radius[tree_width];
  std::uint32_t child[tree_width];
};

/// Up to eight triangles. Each is given by its first corner and the edges from there to the other two corners. Unused
/// entries contain triangles that are very far away.
struct alignas(64) TriangleBlock {
  float corner[3][tree_width], edge_0[3][tree_width], edge_1[3][tree_width];
  std::uint32_t id[tree_width];
};

struct MeshTree {
  std::vector<TreeNode> nodes;  ///< The root is the first node. Children come after their parents.
  std::vector<TriangleBlock> blocks;
  Vec3 middle = Vec3::Zero();
  double extent = 0;  ///< Largest half side of the mesh's bounding box, whose centre is `middle` [m].
};

/// Builds the tree by the surface area heuristic with bins (Wald 2007). The result is deterministic.
[[nodiscard]] MeshTree build_tree(const TriangleList& list);

[[nodiscard]] inline Triangle triangle_of(const TriangleList& list, std::uint32_t i) {
  const auto& t = list.triangle[i];
  return {list.position[t[0]], list.position[t[1]], list.position[t[2]]};
}

struct NearestOnMesh {
  double distance = 0;
  std::uint32_t triangle = 0xffffffffU;  ///< Index of the nearest triangle, or 0xffffffff if none is within reach.
  NearestOnTriangle at;
};
/// Returns the nearest point on all triangles within `reach`. Uses the best instruction set of the machine. The
/// triangle `guess` is tested first, unless it is no_child. If this triangle is near, it excludes most other triangles.
[[nodiscard]] NearestOnMesh nearest_on_mesh(const MeshTree& tree, const TriangleList& list, const Vec3& point,
                                            double reach, std::uint32_t guess);

/// Callback for triangles that the path of a ball may touch, in roughly the order along the path. It returns the
/// fraction of the path beyond which triangles need not be visited.
struct TouchVisitor {
  void* object;
  double (*call)(void* object, std::uint32_t triangle);
};
void visit_along(const MeshTree& tree, const BallPath& path, TouchVisitor visitor);

}  // namespace vw
