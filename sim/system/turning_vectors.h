// Vector channels of elements that turn: voxels, rigid bodies and spinning particles.
#pragma once

#include <span>
#include <vector>

#include "sim/system/system.h"

namespace vw {

/// Channels angular_velocity [rad/s] and vorticity [1/s]. Vorticity is twice the angular velocity, as in a fluid in
/// rigid rotation.
[[nodiscard]] std::span<const ChannelInfo> turning_vectors();
/// Writes the values of channel `index`, one per element, into `out`, which is resized.
void turning_vector(const Elements& elements, std::size_t index, std::vector<Vec3f>& out);

}  // namespace vw
