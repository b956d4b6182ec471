// Picking: the first intersection of a ray with triangle meshes. Each mesh has a bounding volume hierarchy (BVH), which
// is built on first use and deleted after the mesh.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "render/renderer.h"
#include "render/scene/cut.h"

namespace vw {

/// Returns the distance along the ray to the triangle, or a negative number if the ray misses. Both sides of the
/// triangle count (T. Moeller, B. Trumbore, "Fast, minimum storage ray-triangle intersection", 1997).
[[nodiscard]] float hit_triangle(const Ray& ray, const glm::vec3& a, const glm::vec3& b, const glm::vec3& c);

class PickTree {
 public:
  explicit PickTree(const SurfaceMesh& mesh);
  /// Returns the distance along the ray to the nearest triangle, or a negative number if the ray misses. The ray is in
  /// the frame of the mesh. `backs`: whether back faces count.
  [[nodiscard]] float hit(const Ray& ray, bool backs) const;

 private:
  struct Node {
    glm::vec3 low{0}, high{0};
    /// Triangles of a leaf. If `count` is 0, the node is an inner node: `first` is the left child, and the right child
    /// follows it.
    std::uint32_t first = 0, count = 0;
  };
  struct Triangle {
    glm::vec3 a, b, c;
  };
  void split(std::size_t node, std::size_t first, std::size_t end);

  std::vector<Triangle> triangles_;
  std::vector<Node> nodes_;
};

/// BVH of each mesh. A BVH is deleted after its mesh has been deleted.
class MeshTrees {
 public:
  [[nodiscard]] const PickTree& of(const std::shared_ptr<const SurfaceMesh>& mesh);

 private:
  struct Kept {
    std::weak_ptr<const SurfaceMesh> mesh;
    std::unique_ptr<PickTree> tree;
  };
  std::vector<Kept> kept_;
};

/// Whether pick_element() skips fluids that are in front of a body.
enum class FluidPick { opaque, transparent };

/// Returns the nearest element or collider on the ray, or nothing. Transparent objects are skipped: glass, planes seen
/// from behind and, for FluidPick::transparent, fluids in front of a body. Systems and colliders whose names are in
/// `hidden` are skipped too, and so is everything that `cut` hides.
[[nodiscard]] std::optional<Pick> pick_element(const Snapshot& snapshot, const Ray& ray, MeshTrees& trees,
                                               FluidPick fluids = FluidPick::opaque,
                                               std::span<const std::string> hidden = {}, const CutPlanes& cut = {});

}  // namespace vw
