// Solid ground whose heights are given on a regular grid. Each cell consists of two triangles.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/collision/shape/shape.h"

namespace vw {

/// Largest number of heights. Larger grids are rejected.
inline constexpr std::uint64_t max_heights = 5'000'000;

struct HeightGrid {
  std::size_t columns = 0, rows = 0;  ///< Number of columns and rows, at least 2 each.
  std::vector<double> height_m;       ///< Heights row by row. The first row is at -z, the first column at -x.
  /// Length of the grid along x (from the first to the last column) and along z (from the first to the last row) [m].
  /// The grid is centred on the origin.
  double size_x_m = 1, size_z_m = 1;
  double depth_m = 1;  ///< Depth of the solid below the lowest height [m]. The side walls are vertical.
};

[[nodiscard]] Result<std::shared_ptr<const Geometry>> make_heightfield(HeightGrid grid);

/// Reads heights [m] from a greyscale PNG of at most 16 bits. Black is `low_m` and white is `high_m`. An alpha channel
/// is ignored.
[[nodiscard]] Result<HeightGrid> read_height_picture(const std::string& path, double low_m, double high_m);
/// Reads heights [m] from rows of numbers separated by blanks, tabs, commas or semicolons. `#` begins a comment.
[[nodiscard]] Result<HeightGrid> read_height_text(const std::string& path);

}  // namespace vw
