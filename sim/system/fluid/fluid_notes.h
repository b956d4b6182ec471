// Notes for the user about a fluid's parameters and obstacles. Each function appends a sentence to `notes` if its
// condition holds.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/collision/collider.h"
#include "sim/system/fluid/fluid_params.h"
#include "sim/system/fluid/rows/fluid_rows.h"

namespace vw {

/// Adds a note if the method is WCSPH and the stiffness is too low for the liquid's weight. `gravity` is the
/// acceleration of the fluid by gravity [m/s^2].
void note_stiffness(const std::string& name, const FluidParams& params, std::span<const FluidPhase> phases,
                    const Vec3& gravity, const FluidRows& rows, std::vector<std::string>& notes);
/// Adds a note if the surface of an obstacle takes long to sample.
void note_large_walls(const std::string& name, std::span<const Collider> colliders, double spacing_m,
                      const Box3& domain, std::vector<std::string>& notes);

}  // namespace vw
