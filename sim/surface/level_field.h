// Level function of a particle fluid on sparse blocks of nodes. The function is positive inside the fluid and zero at
// the surface. It is the smoothed volume fraction minus an iso-level that depends on the local shape of the fluid.
#pragma once

#include <span>
#include <vector>

#include "sim/surface/node_blocks.h"

namespace vw {

/// Support radius of the kernel, in spacings.
inline constexpr double surface_kernel_reach = 2.0;

/// Returns the level function as 512 values for each block; x varies fastest. `share` contains the volume of each
/// particle divided by spacing^3. Particles are summed in the order of their blocks, so the result does not depend on
/// the number of threads.
[[nodiscard]] std::vector<float> level_field(const NodeBlocks& blocks, std::span<const Vec3> position,
                                             std::span<const double> share, double spacing_m);

}  // namespace vw
