// Rigid motions of a lattice's pieces that no support resists. In: held freedoms, supporting springs and load of each
// voxel. Out: whether there are such motions, and the names of those that the load drives.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/system/voxel/pieces.h"

namespace vw {

/// Supports and load, one row per voxel.
struct Support {
  std::span<const std::uint8_t> held;   ///< held freedoms, bits 0..5
  std::span<const Mat3> spring;         ///< supporting springs on the position [N/m]; may be empty
  std::span<const Vec3> force, moment;  ///< load [N], [N m]
};

struct FreeMotions {
  bool any = false;  ///< at least one piece can move as a rigid body
  /// Free motions that the load drives, such as "translation along y, rotation about x". Empty: none.
  std::string driven;
};
[[nodiscard]] FreeMotions find_free_motions(const LatticeConstants& constants, const Pieces& pieces,
                                            const Support& support, const Elements& elements);

}  // namespace vw
