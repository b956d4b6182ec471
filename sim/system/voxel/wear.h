// Yielding and breaking of bonds at a given shape, for integrators other than the explicit engine. The laws are the
// same (material_law.h), judged at the start of the step. In: elements. Out: the bonds' history, and a topology without
// the broken bonds.
#pragma once

#include "sim/system/system.h"
#include "sim/system/voxel/material_law.h"

namespace vw {

struct Wear {
  bool cracked = false;       ///< bonds broke: topology, exposed faces and volume stiffness have changed
  std::int64_t overbent = 0;  ///< number of those that were bent past pi
};

class BondDamage {
 public:
  /// Applies the laws at the shape of `elements`. Changes `memory`, and `topology` and `constants` if bonds break.
  Wear apply(const LatticeLaws& laws, const Elements& elements, LatticeTopology& topology, LatticeConstants& constants,
             BondMemory& memory);

 private:
  std::vector<double> strain_, slot_strain_, tension_;
  std::vector<std::uint32_t> broken_, relieved_;
};

}  // namespace vw
