// Filling a lattice with a shape: the same description of geometry that obstacles and emitters are made of.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/collision/shape/shape.h"

namespace vw {

/// 1 for each cell whose centre lies inside the shape, else 0; x fastest, then z, then y. `lower` is the lower corner of the first cell in the
/// shape's frame, `pitch` a cell's edges there.
[[nodiscard]] std::vector<std::uint32_t> fill_cells(const Shape& shape, const std::array<std::size_t, 3>& cells, const Vec3& lower,
                                                    const Vec3& pitch);

}  // namespace vw
