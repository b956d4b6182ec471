// Connected pieces of a lattice, and the correction of their momentum. An implicit step leaves two known errors in the
// rigid motion of a piece: the residual of the solver, and the change h sum m v1 x v0 of angular momentum, by which
// backward Euler slows a rotating body. h is the step, and v0 and v1 are the velocities of a voxel of mass m before and
// after the step.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sim/system/system.h"
#include "sim/system/voxel/lattice/constants.h"

namespace vw {

/// Input of restore_momentum().
struct MomentumInput {
  std::span<const Vec3> velocity_before;  ///< velocity of each voxel at the start of the step [m/s]
  /// Inertial force minus loads at the end of the step. Each voxel has three force components [N], then three moment
  /// components [N m].
  std::span<const double> residual;
  /// 1 for each piece that presses against an obstacle. The residual of such a piece is not corrected.
  std::span<const std::uint32_t> touched;
  /// Pairs of voxels that press on each other. The pieces of these voxels are corrected together.
  std::span<const std::pair<std::uint32_t, std::uint32_t>> links;
  double dt = 0;
};

class Pieces {
 public:
  /// Finds the pieces again if the bonds or `held` have changed since the last call. The entry of `held` is not 0 for
  /// voxels with constrained degrees of freedom.
  void update(const LatticeTopology& topology, std::span<const std::uint8_t> held);
  [[nodiscard]] std::size_t count() const { return free_.size(); }
  /// Returns the index of the piece of a voxel.
  [[nodiscard]] std::size_t of(std::size_t voxel) const { return piece_[voxel]; }
  /// Returns the voxels of a piece, in ascending order.
  [[nodiscard]] std::span<const std::uint32_t> voxels_of(std::size_t piece) const {
    return {voxels_.data() + first_[piece], first_[piece + 1] - first_[piece]};
  }
  /// True if no degree of freedom of the piece is constrained.
  [[nodiscard]] bool is_free(std::size_t piece) const { return free_[piece] != 0; }
  /// Corrects the velocities and positions of pieces without constrained degrees of freedom. Pieces that press on each
  /// other are corrected together.
  void restore_momentum(const LatticeConstants& constants, const MomentumInput& in, Elements& elements) const;

 private:
  /// Returns for each piece the lowest index of a piece in its group. A group is a set of pieces connected by `links`.
  [[nodiscard]] std::vector<std::uint32_t> groups_of(
      std::span<const std::pair<std::uint32_t, std::uint32_t>> links) const;
  void restore_piece(const LatticeConstants& constants, const MomentumInput& in, std::size_t piece, bool alone,
                     Elements& elements) const;
  void restore_group(const LatticeConstants& constants, const MomentumInput& in, std::span<const std::uint32_t> pieces,
                     Elements& elements) const;

  std::vector<std::array<std::int32_t, 6>> bond_at_;
  std::vector<std::uint8_t> held_;
  std::vector<std::uint32_t> piece_;   ///< piece of each voxel
  std::vector<std::uint32_t> first_;   ///< index in voxels_ of each piece's first voxel, pieces + 1 entries
  std::vector<std::uint32_t> voxels_;  ///< voxels grouped by piece, in ascending order within a piece
  std::vector<std::uint8_t> free_;     ///< 1 for each piece of which no degree of freedom is constrained
};

}  // namespace vw
