// Connected pieces of a lattice, and the correction of their momentum. An implicit step leaves two known errors in a
// piece's rigid motion: the residual that the linear solver left, and the angular momentum h sum m v1 x v0 that
// backward Euler takes from a rotating body.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sim/system/system.h"
#include "sim/system/voxel/constants.h"

namespace vw {

/// Input of restore_momentum().
struct MomentumInput {
  std::span<const Vec3> velocity_before;  ///< at the start of the step [m/s]
  /// Inertia minus loads at the end of the step, 6 per voxel [N], [N m].
  std::span<const double> residual;
  /// By piece: 1 if it presses against an obstacle. Its residual is then not corrected.
  std::span<const std::uint32_t> touched;
  /// Pairs of voxels that press on each other. Their pieces are corrected together.
  std::span<const std::pair<std::uint32_t, std::uint32_t>> links;
  double dt = 0;
};

class Pieces {
 public:
  /// Finds the pieces again if bonds or held freedoms changed.
  void update(const LatticeTopology& topology, std::span<const std::uint8_t> held);
  [[nodiscard]] std::size_t count() const { return free_.size(); }
  /// Index of the piece of a voxel.
  [[nodiscard]] std::size_t of(std::size_t voxel) const { return piece_[voxel]; }
  /// True if none of the piece's freedoms is held.
  [[nodiscard]] bool is_free(std::size_t piece) const { return free_[piece] != 0; }
  /// Corrects the velocities and positions of pieces without held freedoms. Pieces that press on each other are
  /// corrected together.
  void restore_momentum(const LatticeConstants& constants, const MomentumInput& in, Elements& elements) const;

 private:
  /// Groups of pieces connected by `links`: for each piece, the lowest piece of its group.
  [[nodiscard]] std::vector<std::uint32_t> groups_of(
      std::span<const std::pair<std::uint32_t, std::uint32_t>> links) const;
  void restore_piece(const LatticeConstants& constants, const MomentumInput& in, std::size_t piece, bool alone,
                     Elements& elements) const;
  void restore_group(const LatticeConstants& constants, const MomentumInput& in, std::span<const std::uint32_t> pieces,
                     Elements& elements) const;
  [[nodiscard]] std::span<const std::uint32_t> voxels_of(std::size_t piece) const {
    return {voxels_.data() + first_[piece], first_[piece + 1] - first_[piece]};
  }

  std::vector<std::array<std::int32_t, 6>> bond_at_;
  std::vector<std::uint8_t> held_;
  std::vector<std::uint32_t> piece_;   ///< piece of each voxel
  std::vector<std::uint32_t> first_;   ///< first entry in voxels_ of each piece, pieces + 1
  std::vector<std::uint32_t> voxels_;  ///< voxels by piece, ascending
  std::vector<std::uint8_t> free_;     ///< 1 if none of the piece's freedoms is held
};

}  // namespace vw
