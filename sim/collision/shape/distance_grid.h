// Signed distances on a regular grid, interpolated by cubics: queries in constant time whatever the shape was.
#pragma once

#include <cstdint>
#include <memory>

#include "sim/base/error.h"
#include "sim/collision/shape/shape.h"

namespace vw {

/// A grid of more nodes is refused (4 bytes each).
inline constexpr std::uint64_t max_grid_nodes = 20'000'000;

/// Values at nodes are exact; between them a tricubic (Catmull-Rom) whose gradient is continuous, so that a ball rolls. Off the grid the shape itself
/// is asked. The shape must be bounded. Parallel; the same bits on any number of threads.
[[nodiscard]] Result<std::shared_ptr<const Geometry>> make_distance_grid(const Shape& shape, double cell_m);

}  // namespace vw
