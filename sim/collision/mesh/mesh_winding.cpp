#include "sim/collision/mesh/mesh_winding.h"

#include <array>

namespace vw {

WindingTree::WindingTree(const MeshTree& tree, const TriangleList& list)
    : node_(tree.nodes.size()), block_(tree.blocks.size()) {
  for (std::size_t b = 0; b < block_.size(); ++b) {
    Dipole& dipole = block_[b];
    for (const std::uint32_t id : tree.blocks[b].id) {
      if (id == no_child) continue;
      const Triangle t = triangle_of(list, id);
      const Vec3 area = 0.5 * t.area_vector();
      dipole.area += area;
      dipole.weight += area.norm();
      dipole.middle += area.norm() / 3 * (t.a + t.b + t.c);
    }
    dipole.middle /= dipole.weight;
    for (const std::uint32_t id : tree.blocks[b].id) {
      if (id == no_child) continue;
      const Triangle t = triangle_of(list, id);
      for (const Vec3& corner : {t.a, t.b, t.c})
        dipole.radius = std::max(dipole.radius, (corner - dipole.middle).norm());
    }
  }
  for (std::size_t n = node_.size(); n-- > 0;) {
    Dipole& dipole = node_[n];
    for (const std::uint32_t child : tree.nodes[n].child) {
      if (child == no_child) continue;
      dipole.area += of(child).area;
      dipole.weight += of(child).weight;
      dipole.middle += of(child).weight * of(child).middle;
    }
    dipole.middle /= dipole.weight;
    for (const std::uint32_t child : tree.nodes[n].child)
      if (child != no_child)
        dipole.radius = std::max(dipole.radius, (of(child).middle - dipole.middle).norm() + of(child).radius);
  }
}

const WindingTree::Dipole& WindingTree::of(std::uint32_t child) const {
  return (child & leaf_bit) != 0 ? block_[child & ~leaf_bit] : node_[child];
}

double WindingTree::at(const MeshTree& tree, const TriangleList& list, const Vec3& point) const {
  constexpr double far = 2.5;  // Distance, in radii, from which a dipole is accurate.
  std::array<std::uint32_t, tree_depth*(tree_width - 1) + tree_width> stack{};
  std::size_t size = 1;
  double angle = 0;
  while (size > 0) {
    const std::uint32_t child = stack[--size];
    const Dipole& dipole = of(child);
    const Vec3 away = dipole.middle - point;
    const double distance_2 = away.squaredNorm();
    if (distance_2 > far * far * dipole.radius * dipole.radius) {
      angle += dipole.area.dot(away) / (distance_2 * std::sqrt(distance_2));
    } else if ((child & leaf_bit) == 0) {
      for (const std::uint32_t next : tree.nodes[child].child)
        if (next != no_child) stack[size++] = next;
    } else {
      for (const std::uint32_t id : tree.blocks[child & ~leaf_bit].id)
        if (id != no_child) angle += solid_angle(triangle_of(list, id), point);
    }
  }
  return angle / (4 * pi);
}

}  // namespace vw
