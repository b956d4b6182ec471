// Finds the rigid motions of a lattice's pieces (connected parts) that no support resists. Input: constrained degrees
// of freedom, supporting springs and load of each voxel. Output: whether such motions exist, and the names of the free
// motions that the load drives.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/system/voxel/lattice/pieces.h"

namespace vw {

/// Supports and loads, one row per voxel.
struct Support {
  /// Constrained degrees of freedom. Bits 0 to 2 are translations along x, y, z; bits 3 to 5 are rotations about x, y,
  /// z.
  std::span<const std::uint8_t> held;
  std::span<const Mat3> spring;         ///< stiffness of supporting springs on the position [N/m]; may be empty
  std::span<const Vec3> force, moment;  ///< load on each voxel: force [N] and moment [N m]
};

struct FreeMotions {
  bool any = false;  ///< at least one piece can move as a rigid body
  /// Names of the free motions that the load drives, such as "translation along y, rotation about x". Empty if the load
  /// drives none.
  std::string driven;
};
[[nodiscard]] FreeMotions find_free_motions(const LatticeConstants& constants, const Pieces& pieces,
                                            const Support& support, const Elements& elements);

}  // namespace vw
