// Broad phase: pairs of bodies that could touch in a substep. Each size class has its own grid of cells, so that the
// cost is linear even if many small bodies lie on a large body.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/cell_grid.h"
#include "sim/system/rigid/rigid_scene.h"

namespace vw {

/// Box that contains a body throughout a substep. The box exceeds the body by a margin on all sides.
struct BodyBox {
  Vec3 middle = Vec3::Zero(), half = Vec3::Zero();
  double margin = 0;  ///< Distance by which the box exceeds the body [m].
};

class BodyPairs {
 public:
  /// Assigns the bodies to size classes. Call once.
  void prepare(std::span<const RigidBody> bodies);
  /// Computes the bounding boxes of all bodies and the grid of each size class.
  void build(const RigidScene& scene);
  /// Computes only the bounding boxes.
  void build_boxes(const RigidScene& scene);
  [[nodiscard]] const BodyBox& box(std::size_t body) const { return boxes_[body]; }
  [[nodiscard]] bool meet(std::size_t a, std::size_t b) const {
    return ((boxes_[a].middle - boxes_[b].middle).cwiseAbs().array() <= (boxes_[a].half + boxes_[b].half).array())
        .all();
  }
  /// Writes to `out` the bodies whose boxes intersect the box of `body`, in ascending order. Pairs of two sleeping
  /// bodies are left out. Each pair is found by one of its two bodies only. If the size classes differ, it is found by
  /// the body of the smaller class. Within a class, it is found by the awake body, or by the body of lower index if
  /// both are awake.
  void partners(const RigidScene& scene, std::size_t body, std::vector<std::uint32_t>& out) const;

 private:
  /// Bodies of similar size.
  struct Class {
    std::vector<std::uint32_t> members;
    std::vector<Vec3> middles;
    CellGrid grid;
    bool any_awake = false;
  };

  std::vector<Class> classes_;  ///< Size classes, smallest first.
  std::vector<std::uint32_t> class_of_;
  std::vector<BodyBox> boxes_;
};

}  // namespace vw
