// What a fluid shows and tells: health, channels, spheres in the colours of its phases. Reads rows, changes nothing.
#pragma once

#include <optional>
#include <span>

#include "sim/system/fluid/fluid_rows.h"
#include "sim/system/fluid/fluid_solver.h"

namespace vw {

/// The first particle whose place or speed is no sane number.
[[nodiscard]] std::optional<HealthIssue> fluid_health(const Elements& elements);

[[nodiscard]] std::span<const ChannelInfo> fluid_channels();
struct FluidView {
  const FluidRows& rows;
  std::span<const FluidPhase> phases;
  const FluidSolver* solver = nullptr;  ///< with the workspace of the last substep; null: rows have changed since
  double time = 0;
};
void fluid_channel(const FluidView& view, std::size_t index, std::vector<float>& out);
/// Pressure of a row, a mean of the last hundredths of a second [Pa].
[[nodiscard]] double pressure_of(const FluidRows& rows, std::size_t i);

void fluid_spheres(const FluidRows& rows, std::span<const FluidPhase> phases, SystemSnapshot& out);

}  // namespace vw
