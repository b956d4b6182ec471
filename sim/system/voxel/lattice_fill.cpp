#include "sim/system/voxel/lattice_fill.h"

#include "sim/base/parallel.h"

namespace vw {

std::vector<std::uint32_t> fill_cells(const Shape& shape, const std::array<std::size_t, 3>& cells, const Vec3& lower, const Vec3& pitch) {
  constexpr std::size_t grain = 4;        // rows along x
  const double reach = pitch.minCoeff();  // farther in, only the side matters
  std::vector<std::uint32_t> filled(cells[0] * cells[1] * cells[2], 0);
  parallel_for(cells[1] * cells[2], grain, [&](Range rows, std::size_t) {
    for (std::size_t row = rows.begin; row < rows.end; ++row) {
      for (std::size_t x = 0; x < cells[0]; ++x) {
        const Vec3 middle(static_cast<double>(x) + 0.5, static_cast<double>(row / cells[2]) + 0.5, static_cast<double>(row % cells[2]) + 0.5);
        filled[row * cells[0] + x] = query(shape, lower + middle.cwiseProduct(pitch), reach).distance < 0 ? 1 : 0;
      }
    }
  });
  return filled;
}

}  // namespace vw
