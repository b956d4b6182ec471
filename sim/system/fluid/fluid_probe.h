// Questions about a fluid at a point: how full it is there, how fast, under what pressure, and where the surface is. One walk over the rows each.
#pragma once

#include "sim/system/fluid/fluid.h"
#include "sim/system/fluid/fluid_rows.h"

namespace vw {

/// Interpolated with the kernel (Shepard 1968).
[[nodiscard]] FluidSystem::Sample sample_fluid(const FluidRows& rows, const FluidParams& params, const Vec3& point);
/// Rest density there: of the particles around, or of the first phase where it is dry [kg/m^3].
[[nodiscard]] double rest_density_at(const FluidRows& rows, const FluidParams& params, std::span<const FluidPhase> phases, const Vec3& point);
/// Top of the fluid that is connected to the lowest above (x, z) [m]; -infinity where dry.
[[nodiscard]] double surface_height_of(const FluidRows& rows, const FluidParams& params, double x, double z);

}  // namespace vw
