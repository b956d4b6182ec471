// Who is joined to whom in a lattice: bonds, neighbours, exposed faces. Built once from the filled cells; no materials, no motion.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/math.h"
#include "sim/system/voxel/lattice.h"

namespace vw {

/// A beam between two face-adjacent voxels; `b` lies on the + side of `a` along the bond's axis.
struct Bond {
  std::int32_t a = 0;
  std::int32_t b = 0;
};

/// Faces and neighbour slots count -x, +x, -y, +y, -z, +z.
inline constexpr int face_count = 6;
[[nodiscard]] Vec3 face_normal(int face);

struct LatticeTopology {
  std::vector<Bond> bonds;                           ///< ascending by axis, then by voxel a
  std::array<Range, 3> axis_bonds;                   ///< bonds along x, y, z
  std::vector<std::array<std::int32_t, 6>> bond_at;  ///< a voxel's bond through each face, -1 = none
  std::vector<std::uint8_t> exposed;                 ///< a voxel's faces without neighbour: bit = face; 0 = inside
  [[nodiscard]] std::size_t voxel_count() const { return bond_at.size(); }
  /// The voxel beyond that face, -1 = none.
  [[nodiscard]] std::int32_t neighbour(std::size_t voxel, int face) const;
};
[[nodiscard]] LatticeTopology make_topology(const VoxelLattice& lattice);
/// Takes a bond out of its voxels' tables and lays their faces bare; the bond keeps its row.
void break_bond(LatticeTopology& topology, std::size_t bond);

/// Index of the voxel in each cell (x fastest, then z, then y), -1 = empty.
[[nodiscard]] std::vector<std::int32_t> cell_table(const VoxelLattice& lattice);
[[nodiscard]] std::size_t cell_index(const VoxelLattice& lattice, int x, int y, int z);

}  // namespace vw
