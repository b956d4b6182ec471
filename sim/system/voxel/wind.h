// Wind on exposed faces: pressure drag on faces that it blows against, skin friction along all exposed ones.
// Shielding by the body itself is the simplest that is useful: inner faces feel nothing, and a face turned away from the relative wind feels no
// pressure; one part of a body does not shadow another across a gap.
#pragma once

#include <cstdint>

#include "sim/field/face_drag.h"
#include "sim/system/voxel/constants.h"

namespace vw {

/// The wind's force on one voxel with the given exposed faces. `air` is the air's velocity there as of the start of the world step; the voxel's own
/// velocity is the present one. The impulse never exceeds m |u|, so air cannot reverse the relative velocity u within a substep.
[[nodiscard]] Vec3 wind_force(const FaceDrag& wind, std::uint8_t exposed, const Vec3& air, const Vec3& velocity, const Quat& orientation,
                              double half_edge, double mass, double dt);

}  // namespace vw
