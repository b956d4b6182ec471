// Rigid motions of a lattice's pieces that nothing holds. In: what is held of each voxel, and the load. Out: what would run away, in words.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/system/voxel/pieces.h"

namespace vw {

struct Support {
  std::span<const std::uint8_t> held;   ///< freedoms of each voxel, bits 0..5
  std::span<const Mat3> spring;         ///< further support of its position, of any unit [N/m]; may be empty
  std::span<const Vec3> force, moment;  ///< the load [N], [N m]
};

struct FreeMotions {
  bool any = false;    ///< some piece can move as a whole
  std::string driven;  ///< those motions that the load sets going, "translation along y, rotation about x"; empty: none
};
[[nodiscard]] FreeMotions find_free_motions(const LatticeConstants& constants, const Pieces& pieces, const Support& support,
                                            const Elements& elements);

}  // namespace vw
