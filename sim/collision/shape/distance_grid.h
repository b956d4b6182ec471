// Signed distances on a regular grid with cubic interpolation: queries take constant time for any shape.
#pragma once

#include <cstdint>
#include <memory>

#include "sim/base/error.h"
#include "sim/collision/shape/shape.h"

namespace vw {

/// Largest number of nodes (4 bytes each); larger grids are rejected.
inline constexpr std::uint64_t max_grid_nodes = 20'000'000;

/// Node values are exact. Between them, a tricubic (Catmull-Rom) interpolation has a continuous gradient, so that balls
/// roll smoothly. Outside the grid, the shape itself is queried. The shape must be bounded. Parallel; bit-identical for
/// any number of threads.
[[nodiscard]] Result<std::shared_ptr<const Geometry>> make_distance_grid(const Shape& shape, double cell_m);

}  // namespace vw
