// The rule between particles and voxel bodies: contact of spheres with deformable boxes, two-way, at the finer of the two rates.
#pragma once

#include "sim/interaction/interaction.h"

namespace vw {

[[nodiscard]] const InteractionKind& particles_voxel_body_rule();

}  // namespace vw
