// Vectors for pictures of elements that turn: voxels and bodies.
#pragma once

#include <span>
#include <vector>

#include "sim/system/system.h"

namespace vw {

/// angular_velocity [rad/s], and vorticity [1/s], which is twice that: what a fluid has that turns as fast.
[[nodiscard]] std::span<const ChannelInfo> turning_vectors();
/// Number `index` of them, a value an element.
void turning_vector(const Elements& elements, std::size_t index, std::vector<Vec3f>& out);

}  // namespace vw
