// Notes on a fluid's parameters and obstacles, for users: a sentence each, appended to `notes` where there is something to say.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/collision/collider.h"
#include "sim/system/fluid/fluid_params.h"
#include "sim/system/fluid/fluid_rows.h"

namespace vw {

/// Of WCSPH: where the stiffness does not bear the liquid's weight. `gravity` as the fluid feels it [m/s^2].
void note_stiffness(const std::string& name, const FluidParams& params, std::span<const FluidPhase> phases, const Vec3& gravity,
                    const FluidRows& rows, std::vector<std::string>& notes);
/// Obstacles whose samples take long to make.
void note_large_walls(const std::string& name, std::span<const Collider> colliders, double spacing_m, const Box3& domain,
                      std::vector<std::string>& notes);

}  // namespace vw
