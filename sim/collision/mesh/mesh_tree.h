// A tree of boxes over triangles, eight children a node, in single precision about the mesh's middle: it finds who may be nearest or hit; what it
// finds is decided in double on the triangles themselves.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/collision/mesh/triangle.h"
#include "sim/collision/mesh/triangle_mesh.h"

namespace vw {

inline constexpr std::size_t tree_width = 8;
/// No path from the root is longer; a walk's stack has room for all children of each.
inline constexpr std::size_t tree_depth = 48;
inline constexpr std::uint32_t leaf_bit = 0x80000000U, no_child = 0xffffffffU;

/// What holds eight children, rounded outwards. A child is a node, or (with leaf_bit) a block of triangles. Boxes are loose about a flat patch that
/// lies aslant, and a near point would see all the patches around; so each child also has a round disc across its mean normal, which is tight there.
struct alignas(64) TreeNode {
  float low[3][tree_width], high[3][tree_width];
  float axis[3][tree_width], core[3][tree_width];  ///< the disc's unit normal and its middle
  float half_height[tree_width], radius[tree_width];
  std::uint32_t child[tree_width];
};

/// Up to eight triangles: first corner, and from it the other two. Lanes left over are very far away.
struct alignas(64) TriangleBlock {
  float corner[3][tree_width], edge_0[3][tree_width], edge_1[3][tree_width];
  std::uint32_t id[tree_width];
};

struct MeshTree {
  std::vector<TreeNode> nodes;  ///< the root is the first; children come after their parents
  std::vector<TriangleBlock> blocks;
  Vec3 middle = Vec3::Zero();
  double extent = 0;  ///< largest half edge of the box about the middle
};

/// Splits by the surface area heuristic over bins (Wald 2007), the same tree on every run.
[[nodiscard]] MeshTree build_tree(const TriangleList& list);

[[nodiscard]] inline Triangle triangle_of(const TriangleList& list, std::uint32_t i) {
  const auto& t = list.triangle[i];
  return {list.position[t[0]], list.position[t[1]], list.position[t[2]]};
}

struct NearestOnMesh {
  double distance = 0;
  std::uint32_t triangle = 0xffffffffU;  ///< none within reach
  NearestOnTriangle at;
};
/// Nearest point of all triangles that is not farther than `reach`. The vector kernel that this machine runs best. `guess`, a triangle or no_child,
/// is looked at first: a good one rules out most of the others at once.
[[nodiscard]] NearestOnMesh nearest_on_mesh(const MeshTree& tree, const TriangleList& list, const Vec3& point, double reach, std::uint32_t guess);

/// A triangle that a ball's way may touch, asked in about the order in which it comes to them. Returns the share of the way beyond which nothing
/// else is of interest.
struct TouchVisitor {
  void* object;
  double (*call)(void* object, std::uint32_t triangle);
};
void visit_along(const MeshTree& tree, const BallPath& path, TouchVisitor visitor);

}  // namespace vw
