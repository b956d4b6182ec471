#include "sim/collision/shape/cells_inside.h"

#include "sim/base/parallel.h"
#include "sim/collision/mesh/mesh_scan.h"

namespace vw {

std::array<std::size_t, 3> CellLattice::strides() const {
  std::array<std::size_t, 3> stride{};
  stride[axis[2]] = 1;
  stride[axis[1]] = cells[axis[2]];
  stride[axis[0]] = cells[axis[2]] * cells[axis[1]];
  return stride;
}

Vec3 CellLattice::middle(std::size_t place) const {
  Vec3 at;
  for (const std::size_t k : {axis[2], axis[1], axis[0]}) {
    const auto a = static_cast<Eigen::Index>(k);
    at[a] = lower[a] + (static_cast<double>(place % cells[k]) + 0.5) * pitch[a];
    place /= cells[k];
  }
  return at;
}

std::vector<std::uint8_t> cells_inside(const Shape& shape, const CellLattice& lattice) {
  const auto* geometry = std::get_if<std::shared_ptr<const Geometry>>(&shape);
  if (const auto* mesh = geometry != nullptr ? dynamic_cast<const TriangleMesh*>(geometry->get()) : nullptr) return scan_mesh(*mesh, lattice);
  constexpr std::size_t grain = 1024;
  const double reach = lattice.pitch.minCoeff();  // farther in, only the side matters
  std::vector<std::uint8_t> inside(lattice.size());
  parallel_for(inside.size(), grain, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) inside[i] = query(shape, lattice.middle(i), reach).distance < 0 ? 1 : 0;
  });
  return inside;
}

}  // namespace vw
