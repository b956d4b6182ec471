// What a particle system shows and tells: health, channels, spheres with their colours. Reads rows, changes nothing.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sim/system/particles/population.h"

namespace vw {

/// The first particle whose place or speed is no sane number.
[[nodiscard]] std::optional<HealthIssue> particle_health(const Elements& elements);

[[nodiscard]] std::span<const ChannelInfo> particle_channels();
/// `touched` has a row a particle that the last step moved, or none.
void particle_channel(const Population& population, std::span<const std::uint8_t> touched, std::size_t index, std::vector<float>& out);

/// Spheres, or soft puffs, of one palette colour; tints where an emitter has colours or opacities of its own.
void particle_spheres(const Population& population, const Vec3& color, SystemSnapshot& out);

}  // namespace vw
