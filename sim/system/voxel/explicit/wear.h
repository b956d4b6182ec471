// Yielding and breaking of bonds at a given shape, for the implicit integrator. The implicit integrator applies the
// laws of material_law.h at the start of each of its steps. The explicit engine does not use this file: its own code
// applies the laws in every substep. Input: elements. Output: the updated BondMemory, and a topology without the broken
// bonds.
#pragma once

#include "sim/system/system.h"
#include "sim/system/voxel/lattice/material_law.h"

namespace vw {

struct Wear {
  bool cracked = false;  ///< whether bonds broke, so that topology, exposed faces and volume stiffness have changed
  /// Number of bonds that broke because their voxels were rotated by more than pi relative to each other.
  std::int64_t overbent = 0;
};

class BondDamage {
 public:
  /// Applies the laws at the shape of `elements`. Updates `memory` and, if bonds break, `topology` and `constants`.
  Wear apply(const LatticeLaws& laws, const Elements& elements, LatticeTopology& topology, LatticeConstants& constants,
             BondMemory& memory);

 private:
  std::vector<double> strain_, slot_strain_, tension_;
  std::vector<std::uint32_t> broken_, relieved_;
};

}  // namespace vw
