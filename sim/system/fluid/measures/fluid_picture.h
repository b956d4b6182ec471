// Output of a fluid: health, channels, and spheres in the colours of its phases. The functions do not change the
// particles.
#pragma once

#include <optional>
#include <span>

#include "sim/system/fluid/fluid_solver.h"
#include "sim/system/fluid/rows/fluid_rows.h"

namespace vw {

/// Reports the first particle whose position or velocity is not finite or is too large to be plausible.
[[nodiscard]] std::optional<HealthIssue> fluid_health(const Elements& elements);

/// Returns the names and units of the channels that fluid_channel() writes.
[[nodiscard]] std::span<const ChannelInfo> fluid_channels();
struct FluidView {
  const FluidRows& rows;
  std::span<const FluidPhase> phases;
  /// Solver with the workspace of the last substep. Null if the particles have changed since then.
  const FluidSolver* solver = nullptr;
  double time = 0;
};
/// Writes channel `index` of fluid_channels(), one value per particle in the channel's unit. `pressure` is a mean over
/// 20 ms. `instant_pressure` is the pressure in the last substep. `vorticity` and `instant_pressure` need the solver
/// and are 0 without it.
void fluid_channel(const FluidView& view, std::size_t index, std::vector<float>& out);
/// Returns the name and unit of the only vector channel: vorticity [1/s], the curl of the velocity.
[[nodiscard]] std::span<const ChannelInfo> fluid_vectors();
/// Writes the vector channel, one vector per particle.
void fluid_vector(const FluidView& view, std::vector<Vec3f>& out);
/// Returns the pressure of a particle, averaged over the last hundredths of a second [Pa].
[[nodiscard]] double pressure_of(const FluidRows& rows, std::size_t i);

/// Writes the particles for a picture: positions, velocities, radii, ids, and phases as materials with their colours
/// and names.
void fluid_spheres(const FluidRows& rows, std::span<const FluidPhase> phases, SystemSnapshot& out);

}  // namespace vw
