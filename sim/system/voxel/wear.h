// Yielding and breaking of bonds at a shape, for integrators that are not the engine's sweep: the same laws, judged at the step's start.
// In: elements. Out: the bonds' memory, and a topology without what broke.
#pragma once

#include "sim/system/system.h"
#include "sim/system/voxel/material_law.h"

namespace vw {

struct Wear {
  bool cracked = false;       ///< bonds broke: topology, exposed faces and volume stiffness have changed
  std::int64_t overbent = 0;  ///< of those, bent past pi
};

class BondWear {
 public:
  Wear apply(const LatticeLaws& laws, const Elements& elements, LatticeTopology& topology, LatticeConstants& constants, BondMemory& memory);

 private:
  std::vector<double> strain_, slot_strain_, tension_;
  std::vector<std::uint32_t> broken_, relieved_;
};

}  // namespace vw
