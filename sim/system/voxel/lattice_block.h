// Blocks of a lattice. A block is a small part whose largest eigenvalues approximate the largest eigenvalues of the
// whole lattice.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "sim/system/voxel/lattice/constants.h"
#include "sim/system/voxel/step_bound.h"

namespace vw {

/// A part of a lattice, stored as a separate lattice. Bonds to other voxels of the body are left out, so that the
/// surfaces along which the block is cut are free. Voxels keep the contact springs that they have in the body.
struct LatticeBlock {
  LatticeTopology topology;
  LatticeConstants constants;
  std::vector<std::uint8_t> held;  ///< 1 for a voxel that cannot move
};

/// Returns the block of at most `edge` voxels along each axis around the voxel `center`. The block contains the voxels
/// that are connected to `center` by bonds within the block.
[[nodiscard]] LatticeBlock block_around(const LatticeTopology& topology, const LatticeConstants& constants,
                                        std::span<const std::uint8_t> held, std::size_t center, int edge);

/// Returns the centres of the blocks that are expected to contain the stiffest and the most damped modes, in ascending
/// order. Voxels are grouped by their ratio of stiffness to mass into intervals of 1 %. The first voxel of each of the
/// `stiff_blocks` highest intervals becomes a centre. Up to two further centres are chosen in the same way by damping.
/// Returns nothing if there are more than 64 intervals, because a few blocks cannot represent such a lattice.
[[nodiscard]] std::optional<std::vector<std::size_t>> stiffest_voxels(const LatticeTopology& topology,
                                                                      const LatticeConstants& constants,
                                                                      std::span<const std::uint8_t> held,
                                                                      const ContactSprings& contact,
                                                                      std::size_t stiff_blocks);

}  // namespace vw
