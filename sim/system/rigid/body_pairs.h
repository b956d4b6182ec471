// Who of a system's bodies could touch whom: a grid of cells for each class of sizes, in linear time whatever small bodies lie on a large one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/cell_grid.h"
#include "sim/system/rigid/rigid_scene.h"

namespace vw {

/// The box about a body that it does not leave in a substep, and a little more.
struct BodyBox {
  Vec3 middle = Vec3::Zero(), half = Vec3::Zero();
  double margin = 0;  ///< that it holds beyond the body [m]
};

class BodyPairs {
 public:
  /// Classes of sizes, once.
  void prepare(std::span<const RigidBody> bodies);
  /// Boxes of all bodies, and the grids.
  void build(const RigidScene& scene);
  /// The boxes alone.
  void build_boxes(const RigidScene& scene);
  [[nodiscard]] const BodyBox& box(std::size_t body) const { return boxes_[body]; }
  [[nodiscard]] bool meet(std::size_t a, std::size_t b) const {
    return ((boxes_[a].middle - boxes_[b].middle).cwiseAbs().array() <= (boxes_[a].half + boxes_[b].half).array()).all();
  }
  /// Bodies whose boxes meet that of `body` and that are not both asleep, ascending. Each pair is found once: by the smaller one's class, in a class
  /// by who is awake, or else by the first.
  void partners(const RigidScene& scene, std::size_t body, std::vector<std::uint32_t>& out) const;

 private:
  /// Bodies of about the same size.
  struct Class {
    std::vector<std::uint32_t> members;
    std::vector<Vec3> middles;
    CellGrid grid;
    double largest_half = 0;
    bool any_awake = false;
  };

  std::vector<Class> classes_;  ///< small ones first
  std::vector<std::uint32_t> class_of_;
  std::vector<BodyBox> boxes_;
};

}  // namespace vw
