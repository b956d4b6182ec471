// Signed distances on a regular grid with cubic interpolation. The cost of a query does not depend on the shape.
#pragma once

#include <cstdint>
#include <memory>

#include "sim/base/error.h"
#include "sim/collision/shape/shape.h"

namespace vw {

/// Largest number of grid nodes, with 4 bytes each. Larger grids are rejected.
inline constexpr std::uint64_t max_grid_nodes = 20'000'000;

/// Returns a grid of distances to a bounded shape, with cells of `cell_m` [m]. The values at the grid nodes are exact.
/// Tricubic (Catmull-Rom) interpolation between them has a continuous gradient, so balls roll smoothly. Outside the
/// grid, the shape itself is queried. The values are computed in parallel, with bit-identical results for any number of
/// threads.
[[nodiscard]] Result<std::shared_ptr<const Geometry>> make_distance_grid(const Shape& shape, double cell_m);

}  // namespace vw
