// Builds bonds and exposed faces from the filled cells.
#include "sim/system/voxel/lattice/topology.h"

namespace vw {
namespace {

void add_bonds_along(int axis, const VoxelLattice& lattice, std::span<const std::int32_t> table,
                     LatticeTopology& topology) {
  const std::array<int, 3> extent{lattice.nx, lattice.ny, lattice.nz};
  const auto dim = static_cast<std::size_t>(axis);
  topology.axis_bonds[dim].begin = topology.bonds.size();
  for (std::size_t a = 0; a < lattice.cell.size(); ++a) {
    std::array<int, 3> cell = lattice.cell[a];
    if (++cell[dim] >= extent[dim]) continue;
    const std::int32_t b = table[cell_index(lattice, cell[0], cell[1], cell[2])];
    if (b < 0) continue;
    const auto bond = static_cast<std::int32_t>(topology.bonds.size());
    topology.bonds.push_back({static_cast<std::int32_t>(a), b});
    topology.bond_at[a][2 * dim + 1] = bond;
    topology.bond_at[static_cast<std::size_t>(b)][2 * dim] = bond;
  }
  topology.axis_bonds[dim].end = topology.bonds.size();
}

}  // namespace

Vec3 face_normal(int face) {
  Vec3 normal = Vec3::Zero();
  normal[face / 2] = face % 2 == 0 ? -1 : 1;
  return normal;
}

std::int32_t LatticeTopology::neighbour(std::size_t voxel, int face) const {
  const std::int32_t bond = bond_at[voxel][static_cast<std::size_t>(face)];
  if (bond < 0) return -1;
  const Bond& ends = bonds[static_cast<std::size_t>(bond)];
  return face % 2 == 0 ? ends.a : ends.b;
}

void break_bond(LatticeTopology& topology, std::size_t bond) {
  const std::size_t axis = bond < topology.axis_bonds[0].end ? 0 : bond < topology.axis_bonds[1].end ? 1 : 2;
  const auto a = static_cast<std::size_t>(topology.bonds[bond].a), b = static_cast<std::size_t>(topology.bonds[bond].b);
  topology.bond_at[a][2 * axis + 1] = topology.bond_at[b][2 * axis] = -1;
  topology.exposed[a] = static_cast<std::uint8_t>(topology.exposed[a] | (2U << (2 * axis)));
  topology.exposed[b] = static_cast<std::uint8_t>(topology.exposed[b] | (1U << (2 * axis)));
}

std::size_t cell_index(const VoxelLattice& lattice, int x, int y, int z) {
  const auto nx = static_cast<std::size_t>(lattice.nx), nz = static_cast<std::size_t>(lattice.nz);
  return static_cast<std::size_t>(x) + nx * (static_cast<std::size_t>(z) + nz * static_cast<std::size_t>(y));
}

std::vector<std::int32_t> cell_table(const VoxelLattice& lattice) {
  const auto cells = static_cast<std::size_t>(lattice.nx) * static_cast<std::size_t>(lattice.ny) *
                     static_cast<std::size_t>(lattice.nz);
  std::vector<std::int32_t> table(cells, -1);
  for (std::size_t v = 0; v < lattice.cell.size(); ++v) {
    const auto& cell = lattice.cell[v];
    table[cell_index(lattice, cell[0], cell[1], cell[2])] = static_cast<std::int32_t>(v);
  }
  return table;
}

LatticeTopology make_topology(const VoxelLattice& lattice) {
  LatticeTopology topology;
  topology.bond_at.assign(lattice.cell.size(), {-1, -1, -1, -1, -1, -1});
  const std::vector<std::int32_t> table = cell_table(lattice);
  topology.bonds.reserve(3 * lattice.cell.size());
  for (int axis = 0; axis < 3; ++axis) add_bonds_along(axis, lattice, table, topology);
  topology.bonds.shrink_to_fit();
  topology.exposed.assign(lattice.cell.size(), 0);
  for (std::size_t v = 0; v < lattice.cell.size(); ++v)
    for (std::size_t face = 0; face < face_count; ++face)
      if (topology.bond_at[v][face] < 0)
        topology.exposed[v] = static_cast<std::uint8_t>(topology.exposed[v] | (1U << face));
  return topology;
}

}  // namespace vw
