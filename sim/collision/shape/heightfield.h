// Ground from heights on a regular grid: each cell two triangles, solid below.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/collision/shape/shape.h"

namespace vw {

/// Grids of more heights are refused.
inline constexpr std::uint64_t max_heights = 5'000'000;

struct HeightGrid {
  std::size_t columns = 0, rows = 0;  ///< at least 2 each
  std::vector<double> height_m;       ///< row by row; first row at -z, first column at -x
  double size_x_m = 1, size_z_m = 1;  ///< between the outermost heights, about the origin
  double depth_m = 1;                 ///< solid down to so far below the lowest height, with upright sides
};

[[nodiscard]] Result<std::shared_ptr<const Geometry>> make_heightfield(HeightGrid grid);

/// Heights from a grey PNG of 8 or 16 bits: black is low, white is high [m].
[[nodiscard]] Result<HeightGrid> read_height_picture(const std::string& path, double low_m, double high_m);
/// Heights from rows of numbers [m], apart by blanks, tabs, commas or semicolons; `#` begins a remark.
[[nodiscard]] Result<HeightGrid> read_height_text(const std::string& path);

}  // namespace vw
