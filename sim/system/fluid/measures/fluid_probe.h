// Values of a fluid at a point: filled fraction, velocity, pressure, rest density, and height of the surface. Each call
// passes once over all particles.
#pragma once

#include "sim/system/fluid/fluid.h"
#include "sim/system/fluid/rows/fluid_rows.h"

namespace vw {

/// Returns the filled fraction, pressure and velocity at a point, interpolated with the kernel (Shepard 1968).
[[nodiscard]] FluidSystem::Sample sample_fluid(const FluidRows& rows, const FluidParams& params, const Vec3& point);
/// Returns the rest density at a point [kg/m^3]: the mean over the particles nearby, or the rest density of the first
/// phase if there are none.
[[nodiscard]] double rest_density_at(const FluidRows& rows, const FluidParams& params,
                                     std::span<const FluidPhase> phases, const Vec3& point);
/// Returns the height [m] of the surface above (x, z). Only the fluid that is connected to the lowest particle at (x,
/// z) counts. Returns -infinity if there is no fluid.
[[nodiscard]] double surface_height_of(const FluidRows& rows, const FluidParams& params, double x, double z);

}  // namespace vw
