// Finds the fluid system `water` of a test scene, and its totals.
#pragma once

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "sim/system/fluid/fluid.h"
#include "sim/world/world.h"

namespace vw::test {

inline FluidSystem& water_of(World& world) { return dynamic_cast<FluidSystem&>(*world.find_system("water")); }

/// Returns the total (System::totals()) of the water with this name.
inline double total_of(World& world, std::string_view name) {
  std::vector<Total> totals;
  water_of(world).totals(totals);
  for (const Total& total : totals)
    if (total.name == name) return total.value;
  ADD_FAILURE() << "no total " << name;
  return 0;
}

}  // namespace vw::test
