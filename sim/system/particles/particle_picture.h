// Health check, channels and display data (spheres with colours) of a particle system. The functions read the rows and
// change nothing.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sim/system/particles/population.h"

namespace vw {

/// Reports the first particle whose position is not finite or whose speed is not plausible. Returns nullopt if there is
/// none.
[[nodiscard]] std::optional<HealthIssue> particle_health(const Elements& elements);

[[nodiscard]] std::span<const ChannelInfo> particle_channels();
/// Writes the values of channel `index`, one per particle, into `out`. `touched` marks the particles that touched an
/// obstacle in the last step. `touched` is ignored if it does not have one entry per particle.
void particle_channel(const Population& population, std::span<const std::uint8_t> touched, std::size_t index,
                      std::vector<float>& out);

/// Writes a sphere, or a soft smoke puff, for each particle to `out`, with `color` as the only palette colour. If an
/// emitter has its own colours or opacities, writes a tint for each particle.
void particle_spheres(const Population& population, const Vec3& color, SystemSnapshot& out);

}  // namespace vw
