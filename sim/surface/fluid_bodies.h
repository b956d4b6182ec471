// Connected bodies of fluid on the nodes of sparse blocks. Inner nodes that are neighbours along an axis belong to one
// body, which is the connectivity of the mesh of marching cubes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/surface/node_blocks.h"

namespace vw {

class FluidBodies {
 public:
  static constexpr std::uint32_t none = 0xffffffffU;

  /// Numbers the bodies of the level function (positive inside), in the order of their first nodes.
  FluidBodies(const NodeBlocks& blocks, std::span<const float> level);

  [[nodiscard]] std::size_t size() const { return count_; }
  /// Body of an inner node.
  [[nodiscard]] std::uint32_t at(std::size_t block, std::size_t node) const {
    return body_[first_part_[block] + part_[block * NodeBlocks::nodes + node]];
  }
  /// Sums of the particle volumes of each body [m^3]. A particle belongs to the body of the nearest inner node,
  /// searched up to `reach` cells away. A particle without such a node counts for no body.
  [[nodiscard]] std::vector<double> particle_volumes(const NodeBlocks& blocks, std::span<const float> level,
                                                     std::span<const Vec3> position, std::span<const double> volume_m3,
                                                     int reach) const;

 private:
  std::vector<std::uint16_t> part_;        ///< for each node: connected part within its block
  std::vector<std::uint32_t> first_part_;  ///< number of the first part of each block
  std::vector<std::uint32_t> body_;        ///< body of each part
  std::size_t count_ = 0;
};

}  // namespace vw
