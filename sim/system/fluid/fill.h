// Fluid that is there at the start: shapes filled with a lattice at the rest density.
#pragma once

#include <memory>
#include <vector>

#include "sim/collision/collider.h"
#include "sim/system/fluid/fluid_rows.h"

namespace vw {

struct Fill {
  Shape shape;
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();
  Vec3 velocity = Vec3::Zero();
  std::uint8_t phase = 0;
};

/// The schemas of slot `fill`, by name.
[[nodiscard]] const std::vector<const Schema*>& fill_schemas();
/// An error's key is the fill's own parameter.
[[nodiscard]] Result<Fill> make_fill(const Node& self, std::span<const FluidPhase> phases);

/// Places on a lattice of the given spacing inside the fill [m], bottom up. A box is filled from side to side, where stretching by a twentieth does
/// it, and in as many layers as fit, so that each place has the volume of the spacing cubed; of other shapes those places count whose middle is
/// inside, so that the volume is right. No more than `most` (one more says that there are).
[[nodiscard]] std::vector<Vec3> fill_sites(const Fill& fill, double spacing_m, std::size_t most);

/// Adds the fill's particles, without those whose middle is in an obstacle and those too near to one that is there already; returns how many those
/// are.
[[nodiscard]] std::size_t place_fill(const Fill& fill, const std::vector<Vec3>& sites, double spacing_m, std::span<const FluidPhase> phases,
                                     std::span<const Collider> colliders, FluidRows& rows);

}  // namespace vw
