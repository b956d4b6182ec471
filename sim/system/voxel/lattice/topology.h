// Connectivity of a lattice: bonds, neighbours and exposed faces. The topology is built once from the filled cells and
// changes only when a bond breaks. It depends on neither materials nor motion.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/math.h"
#include "sim/system/voxel/lattice/lattice.h"

namespace vw {

/// A beam between two face-adjacent voxels. Voxel `b` lies on the positive side of voxel `a` along the bond's axis.
struct Bond {
  std::int32_t a = 0;
  std::int32_t b = 0;
};

/// Number of faces of a voxel. Faces and neighbour slots are ordered -x, +x, -y, +y, -z, +z.
inline constexpr int face_count = 6;
/// Returns the outward unit normal of a face in the lattice's axes.
[[nodiscard]] Vec3 face_normal(int face);

struct LatticeTopology {
  std::vector<Bond> bonds;                           ///< ascending by axis, then by voxel a
  std::array<Range, 3> axis_bonds;                   ///< ranges of the bonds along x, y, z
  std::vector<std::array<std::int32_t, 6>> bond_at;  ///< index of the bond through each face of each voxel, or -1
  /// For each voxel, bit i is set if face i has no bond; 0 for an interior voxel.
  std::vector<std::uint8_t> exposed;
  [[nodiscard]] std::size_t voxel_count() const { return bond_at.size(); }
  /// Returns the index of the voxel that is bonded through `face`, or -1 if there is none.
  [[nodiscard]] std::int32_t neighbour(std::size_t voxel, int face) const;
};
[[nodiscard]] LatticeTopology make_topology(const VoxelLattice& lattice);
/// Removes a bond from the `bond_at` entries of both voxels and marks the two faces as exposed. The bond keeps its row
/// in `bonds`.
void break_bond(LatticeTopology& topology, std::size_t bond);

/// Returns the index of the voxel in each cell, or -1 for an empty cell, in the order of cell_index().
[[nodiscard]] std::vector<std::int32_t> cell_table(const VoxelLattice& lattice);
/// Returns the index of a cell. x varies fastest, then z, then y.
[[nodiscard]] std::size_t cell_index(const VoxelLattice& lattice, int x, int y, int z);

}  // namespace vw
