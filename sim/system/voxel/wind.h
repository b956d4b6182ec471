// Wind on exposed faces: pressure drag on faces that it blows against, skin friction along all exposed ones.
// Shielding by the body itself is the simplest that is useful: inner faces feel nothing, and a face turned away from the relative wind feels no
// pressure; one part of a body does not shadow another across a gap.
#pragma once

#include <span>

#include "sim/system/system.h"
#include "sim/system/voxel/constants.h"

namespace vw {

struct WindParams {
  double drag = 1;         ///< pressure drag coefficient
  double friction = 0.01;  ///< skin friction coefficient
  double air_density = 1.2;
};

/// Adds the wind's forces on the exposed voxels of [begin, end). `air` is the air's velocity at each voxel as of the start of the world step; the
/// voxel's own velocity is the present one. The impulse never exceeds m |u|, so air cannot reverse the relative velocity u within a substep.
void wind_forces(const WindParams& wind, const LatticeTopology& topology, const Elements& elements, std::span<const Vec3> air, double dt,
                 std::span<Vec3> force, Range range);

}  // namespace vw
