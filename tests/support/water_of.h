// Finds the fluid system `water` of a test scene.
#pragma once

#include "sim/system/fluid/fluid.h"
#include "sim/world/world.h"

namespace vw::test {

inline FluidSystem& water_of(World& world) { return dynamic_cast<FluidSystem&>(*world.find_system("water")); }

}  // namespace vw::test
