// Yielding and breaking of bonds at a given shape, for integrators other than the explicit engine. The laws of
// material_law.h are evaluated at the start of the step. Input: elements. Output: the history of the bonds, and a
// topology without the broken bonds.
#pragma once

#include "sim/system/system.h"
#include "sim/system/voxel/lattice/material_law.h"

namespace vw {

struct Wear {
  bool cracked = false;  ///< whether bonds broke, so that topology, exposed faces and volume stiffness have changed
  std::int64_t overbent = 0;  ///< number of bonds that were bent past pi
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
