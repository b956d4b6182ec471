// What a fluid shows and tells: health, channels, spheres in the colours of its phases. Reads rows, changes nothing.
#pragma once

#include <optional>
#include <span>

#include "sim/system/fluid/fluid_rows.h"
#include "sim/system/fluid/fluid_solver.h"

namespace vw {

/// The first particle whose place or speed is no sane number.
[[nodiscard]] std::optional<HealthIssue> fluid_health(const Elements& elements);

/// Names and units of what fluid_channel() writes.
[[nodiscard]] std::span<const ChannelInfo> fluid_channels();
struct FluidView {
  const FluidRows& rows;
  std::span<const FluidPhase> phases;
  const FluidSolver* solver = nullptr;  ///< with the workspace of the last substep; null: rows have changed since
  double time = 0;
};
/// Channel `index` of fluid_channels(), a value a row, in its unit: pressure is a mean over 20 ms, instant_pressure that of the last substep.
/// Vorticity and instant_pressure need the solver and are 0 without.
void fluid_channel(const FluidView& view, std::size_t index, std::vector<float>& out);
/// vorticity [1/s]: the curl of the velocity.
[[nodiscard]] std::span<const ChannelInfo> fluid_vectors();
/// The same for vectors.
void fluid_vector(const FluidView& view, std::vector<Vec3f>& out);
/// Pressure of a row, a mean of the last hundredths of a second [Pa].
[[nodiscard]] double pressure_of(const FluidRows& rows, std::size_t i);

/// Particles as a picture takes them: places, velocities, radii, ids, and their phases as materials with the phases' colours and names.
void fluid_spheres(const FluidRows& rows, std::span<const FluidPhase> phases, SystemSnapshot& out);

}  // namespace vw
