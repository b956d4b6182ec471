#include "sim/collision/shape/height_pyramid.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vw {
namespace {

/// Returns the range of heights as floats. They are rounded outwards, because conversion to float may err by half a
/// unit.
HeightPyramid::Span rounded_outwards(double low, double high) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  return {std::nextafter(static_cast<float>(low), -inf), std::nextafter(static_cast<float>(high), inf)};
}

}  // namespace

HeightPyramid::HeightPyramid(const HeightGrid& grid) {
  Level cells{grid.columns - 1, grid.rows - 1, {}};
  for (std::size_t j = 0; j < cells.rows; ++j)
    for (std::size_t i = 0; i < cells.columns; ++i) {
      const double* near = grid.height_m.data() + j * grid.columns + i;
      const double* next = near + grid.columns;
      cells.span.push_back(rounded_outwards(std::min({near[0], near[1], next[0], next[1]}),
                                            std::max({near[0], near[1], next[0], next[1]})));
    }
  level_.push_back(std::move(cells));
  while (level_.back().columns > 1 || level_.back().rows > 1) {
    const Level& fine = level_.back();
    Level coarse{(fine.columns + 1) / 2, (fine.rows + 1) / 2, {}};
    for (std::size_t j = 0; j < coarse.rows; ++j)
      for (std::size_t i = 0; i < coarse.columns; ++i) {
        Span all = fine.span[2 * j * fine.columns + 2 * i];
        for (std::size_t v = 2 * j; v < std::min(2 * j + 2, fine.rows); ++v)
          for (std::size_t u = 2 * i; u < std::min(2 * i + 2, fine.columns); ++u) {
            const Span& one = fine.span[v * fine.columns + u];
            all = {std::min(all.low, one.low), std::max(all.high, one.high)};
          }
        coarse.span.push_back(all);
      }
    level_.push_back(std::move(coarse));
  }
}

}  // namespace vw
