// Bounding volume hierarchy of triangles with eight children per node, in single precision relative to the mesh's
// centre. The tree finds candidates for the nearest or first-hit triangle; the decision uses the triangles in double
// precision.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/collision/mesh/triangle.h"
#include "sim/collision/mesh/triangle_mesh.h"

namespace vw {

inline constexpr std::size_t tree_width = 8;
/// Largest depth. The stack of a traversal has room for all children on each level.
inline constexpr std::size_t tree_depth = 48;
inline constexpr std::uint32_t leaf_bit = 0x80000000U, no_child = 0xffffffffU;

/// Bounds of eight children, rounded outwards. A child is a node or (with leaf_bit) a block of triangles. A box is
/// loose around a flat oblique patch, so that a near point would have to visit all patches around it. Each child
/// therefore also has a bounding disc perpendicular to its mean normal, which is tight there.
struct alignas(64) TreeNode {
  float low[3][tree_width], high[3][tree_width];
  float axis[3][tree_width], core[3][tree_width];  ///< Unit normal and centre of the disc.
  float half_height[tree_width], radius[tree_width];
  std::uint32_t child[tree_width];
};

/// Up to eight triangles: the first corner, and the edges from it to the other two. Unused lanes are very far away.
struct alignas(64) TriangleBlock {
  float corner[3][tree_width], edge_0[3][tree_width], edge_1[3][tree_width];
  std::uint32_t id[tree_width];
};

struct MeshTree {
  std::vector<TreeNode> nodes;  ///< The root is the first; children come after their parents.
  std::vector<TriangleBlock> blocks;
  Vec3 middle = Vec3::Zero();
  double extent = 0;  ///< Largest half extent of the box about the centre.
};

/// Splits by the surface area heuristic with bins (Wald 2007). The tree is the same on every run.
[[nodiscard]] MeshTree build_tree(const TriangleList& list);

[[nodiscard]] inline Triangle triangle_of(const TriangleList& list, std::uint32_t i) {
  const auto& t = list.triangle[i];
  return {list.position[t[0]], list.position[t[1]], list.position[t[2]]};
}

struct NearestOnMesh {
  double distance = 0;
  std::uint32_t triangle = 0xffffffffU;  ///< 0xffffffff: none within reach.
  NearestOnTriangle at;
};
/// Nearest point on all triangles that is not farther than `reach`, with the vector code that suits the machine best.
/// `guess` is a triangle that is tested first, or no_child; a good guess excludes most other triangles at once.
[[nodiscard]] NearestOnMesh nearest_on_mesh(const MeshTree& tree, const TriangleList& list, const Vec3& point,
                                            double reach, std::uint32_t guess);

/// Callback for triangles that the path of a ball may touch, called roughly in the order along the path. It returns the
/// fraction of the path beyond which further triangles are irrelevant.
struct TouchVisitor {
  void* object;
  double (*call)(void* object, std::uint32_t triangle);
};
void visit_along(const MeshTree& tree, const BallPath& path, TouchVisitor visitor);

}  // namespace vw
