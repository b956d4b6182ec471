// Display data of a particle system: health, channels, spheres with colours. Reads the rows and changes nothing.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sim/system/particles/population.h"

namespace vw {

/// The first particle whose position is not finite or whose speed is not plausible.
[[nodiscard]] std::optional<HealthIssue> particle_health(const Elements& elements);

[[nodiscard]] std::span<const ChannelInfo> particle_channels();
/// `touched` has one entry per particle that the last step moved, or none.
void particle_channel(const Population& population, std::span<const std::uint8_t> touched, std::size_t index,
                      std::vector<float>& out);

/// Writes spheres, or soft puffs, of one palette colour, and tints if an emitter has its own colours or opacities.
void particle_spheres(const Population& population, const Vec3& color, SystemSnapshot& out);

}  // namespace vw
