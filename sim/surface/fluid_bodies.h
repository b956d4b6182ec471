// Connected bodies of fluid on a sparse grid of nodes. Inner nodes that are neighbours along an axis belong to the same
// body. Marching cubes connects its mesh in the same way.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/surface/node_blocks.h"

namespace vw {

class FluidBodies {
 public:
  static constexpr std::uint32_t none = 0xffffffffU;

  /// Numbers the bodies in the order of their first nodes. A body consists of nodes at which `level` is positive.
  FluidBodies(const NodeBlocks& blocks, std::span<const float> level);

  [[nodiscard]] std::size_t size() const { return count_; }
  /// Returns the number of the body to which an inner node belongs.
  [[nodiscard]] std::uint32_t at(std::size_t block, std::size_t node) const {
    return body_[first_part_[block] + part_[block * NodeBlocks::nodes + node]];
  }
  /// Returns the total volume of the particles of each body [m^3]. A particle belongs to the body of the nearest inner
  /// node that is at most `reach` cells away. A particle without such a node belongs to no body.
  [[nodiscard]] std::vector<double> particle_volumes(const NodeBlocks& blocks, std::span<const float> level,
                                                     std::span<const Vec3> position, std::span<const double> volume_m3,
                                                     int reach) const;

 private:
  std::vector<std::uint16_t> part_;        ///< Number of the connected part to which each node belongs, within the
                                           ///< block.
  std::vector<std::uint32_t> first_part_;  ///< Number of the first part of each block.
  std::vector<std::uint32_t> body_;        ///< Number of the body to which each part belongs.
  std::size_t count_ = 0;
};

}  // namespace vw
