// Generalised winding numbers of meshes that may have holes (Jacobson et al. 2013). In the tree, all triangles of a
// distant box are approximated by a single dipole (Barill et al. 2018).
#pragma once

#include <vector>

#include "sim/collision/mesh/mesh_tree.h"

namespace vw {

class WindingTree {
 public:
  WindingTree() = default;
  WindingTree(const MeshTree& tree, const TriangleList& list);
  /// Returns the winding number at a point: 1 inside a closed mesh, 0 outside, and a value in between near a hole. The
  /// error is a few hundredths.
  [[nodiscard]] double at(const MeshTree& tree, const TriangleList& list, const Vec3& point) const;

 private:
  struct Dipole {
    Vec3 middle = Vec3::Zero(), area = Vec3::Zero();
    /// Sum of the areas of the triangles [m^2], and upper bound of the distance of their corners from `middle` [m].
    double weight = 0, radius = 0;
  };
  [[nodiscard]] const Dipole& of(std::uint32_t child) const;
  std::vector<Dipole> node_, block_;
};

}  // namespace vw
