// Which point of a triangle mesh a ray meets first: boxes in a tree over the triangles, made when a mesh is first asked and kept while it lives.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "render/renderer.h"

namespace vw {

/// Distance along the ray to the triangle, from either side; negative when missed. Moeller & Trumbore 1997.
[[nodiscard]] float hit_triangle(const Ray& ray, const glm::vec3& a, const glm::vec3& b, const glm::vec3& c);

class MeshTree {
 public:
  explicit MeshTree(const SurfaceMesh& mesh);
  /// Distance to the nearest triangle before the ray (in the mesh's frame), or a negative number. `backs`: those seen from behind count.
  [[nodiscard]] float hit(const Ray& ray, bool backs) const;

 private:
  struct Node {
    glm::vec3 low{0}, high{0};
    std::uint32_t first = 0, count = 0;  ///< of a leaf's triangles; count 0: first is the left child, the right one follows it
  };
  struct Triangle {
    glm::vec3 a, b, c;
  };
  void split(std::size_t node, std::size_t first, std::size_t end);

  std::vector<Triangle> triangles_;
  std::vector<Node> nodes_;
};

/// Trees by mesh. Meshes that are gone take theirs with them.
class MeshTrees {
 public:
  [[nodiscard]] const MeshTree& of(const std::shared_ptr<const SurfaceMesh>& mesh);

 private:
  struct Kept {
    std::weak_ptr<const SurfaceMesh> mesh;
    std::unique_ptr<MeshTree> tree;
  };
  std::vector<Kept> kept_;
};

/// The nearest element or collider that the ray meets. What is seen through does not count: glass, planes from behind and, where they are
/// `through_fluids`, fluids before a body. What is `hidden` by name is not met.
[[nodiscard]] std::optional<Pick> pick_element(const Snapshot& snapshot, const Ray& ray, MeshTrees& trees, bool through_fluids = false,
                                               std::span<const std::string> hidden = {});

}  // namespace vw
