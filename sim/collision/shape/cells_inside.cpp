#include "sim/collision/shape/cells_inside.h"

#include "sim/base/parallel/parallel.h"
#include "sim/collision/mesh/files/mesh_scan.h"

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

Vec3 cells_across(const Box3& box, double edge_m) { return (box.sizes() / edge_m).array().round().max(1.0); }

CellLattice lattice_about(const Box3& box, const Vec3& cells, double edge_m) {
  CellLattice lattice;
  for (Eigen::Index k = 0; k < 3; ++k) lattice.cells[static_cast<std::size_t>(k)] = static_cast<std::size_t>(cells[k]);
  lattice.lower = box.center() - 0.5 * edge_m * cells;
  lattice.pitch = Vec3::Constant(edge_m);
  return lattice;
}

std::vector<std::uint8_t> cells_inside(const Shape& shape, const CellLattice& lattice) {
  const auto* geometry = std::get_if<std::shared_ptr<const Geometry>>(&shape);
  if (const auto* mesh = geometry != nullptr ? dynamic_cast<const TriangleMesh*>(geometry->get()) : nullptr)
    return scan_mesh(*mesh, lattice);
  constexpr std::size_t grain = 1024;
  const double reach = lattice.pitch.minCoeff();  // Any reach suffices, because only the sign is used.
  std::vector<std::uint8_t> inside(lattice.size());
  parallel_for(inside.size(), grain, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i)
      inside[i] = query(shape, lattice.middle(i), reach).distance < 0 ? 1 : 0;
  });
  return inside;
}

}  // namespace vw
