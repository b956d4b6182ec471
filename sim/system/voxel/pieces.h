// The connected pieces of a lattice, and their momentum. An implicit step leaves two errors in a piece's rigid motion: what the linear solver left of
// the residual, and the angular momentum that backward Euler takes from anything that turns, h sum m v1 x v0. Both are known exactly.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sim/system/system.h"
#include "sim/system/voxel/constants.h"

namespace vw {

struct MomentumInput {
  std::span<const Vec3> velocity_before;
  std::span<const double> residual;                                ///< inertia minus loads at the end, 6 a voxel [N], [N m]
  std::span<const std::uint32_t> touched;                          ///< pieces that press against an obstacle: what is left of their residual stays
  std::span<const std::pair<std::uint32_t, std::uint32_t>> links;  ///< voxels that press on each other: their pieces have one momentum
  double dt = 0;
};

class Pieces {
 public:
  /// Finds the pieces anew when bonds or held freedoms changed.
  void update(const LatticeTopology& topology, std::span<const std::uint8_t> held);
  [[nodiscard]] std::size_t count() const { return free_.size(); }
  [[nodiscard]] std::size_t of(std::size_t voxel) const { return piece_[voxel]; }
  /// Nothing of it is held.
  [[nodiscard]] bool is_free(std::size_t piece) const { return free_[piece] != 0; }
  /// Corrects the velocities of the pieces of which nothing is held, and of pieces that press on each other together.
  void restore_momentum(const LatticeConstants& constants, const MomentumInput& in, Elements& elements) const;

 private:
  /// Groups of pieces that `links` join; each carries the number of its first one.
  [[nodiscard]] std::vector<std::uint32_t> groups_of(std::span<const std::pair<std::uint32_t, std::uint32_t>> links) const;
  void restore_piece(const LatticeConstants& constants, const MomentumInput& in, std::size_t piece, bool alone, Elements& elements) const;
  void restore_group(const LatticeConstants& constants, const MomentumInput& in, std::span<const std::uint32_t> pieces, Elements& elements) const;
  [[nodiscard]] std::span<const std::uint32_t> voxels_of(std::size_t piece) const {
    return {voxels_.data() + first_[piece], first_[piece + 1] - first_[piece]};
  }

  std::vector<std::array<std::int32_t, 6>> bond_at_;
  std::vector<std::uint8_t> held_;
  std::vector<std::uint32_t> piece_;   ///< of each voxel
  std::vector<std::uint32_t> first_;   ///< pieces + 1
  std::vector<std::uint32_t> voxels_;  ///< by piece, ascending
  std::vector<std::uint8_t> free_;     ///< nothing of the piece is held
};

}  // namespace vw
