// Merges the corners of neighbouring voxels into vertices and lists the outer faces.
#include "sim/system/voxel/lattice/skin.h"

namespace vw {
namespace {

/// Four corners of each face, counter-clockwise seen from outside. In a corner's index, bit 0 is set on the +x side,
/// bit 1 on the +y side and bit 2 on the +z side. The order of faces is -x, +x, -y, +y, -z, +z.
constexpr std::array<std::array<std::uint8_t, 4>, 6> face_corners{
    {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}};

/// Indices of the voxels in the eight octants around a lattice corner, or -1 for an empty octant. In an octant's index,
/// bit 0 is set on the +x side of the corner, bit 1 on the +y side and bit 2 on the +z side.
using Around = std::array<std::int32_t, 8>;

Around voxels_around(const VoxelLattice& lattice, std::span<const std::int32_t> table, int x, int y, int z) {
  Around around;
  for (std::size_t octant = 0; octant < 8; ++octant) {
    const int cx = x - 1 + static_cast<int>(octant & 1), cy = y - 1 + static_cast<int>(octant >> 1 & 1),
              cz = z - 1 + static_cast<int>(octant >> 2 & 1);
    const bool inside = cx >= 0 && cy >= 0 && cz >= 0 && cx < lattice.nx && cy < lattice.ny && cz < lattice.nz;
    around[octant] = inside ? table[cell_index(lattice, cx, cy, cz)] : -1;
  }
  return around;
}

/// True if a bond joins the voxel of `octant` to the voxel of the neighbouring octant along x (bit = 1), y (bit = 2) or
/// z (bit = 4).
bool joined(const LatticeTopology& topology, const Around& around, std::size_t octant, std::size_t bit) {
  // A voxel on the negative side of the corner is joined through its face on the positive side, and vice versa.
  const std::size_t face = bit / 2 * 2 + ((octant & bit) == 0 ? 1 : 0);
  return topology.bond_at[static_cast<std::size_t>(around[octant])][face] >= 0;
}

/// Returns the octants that bonds connect to octant `start`, directly or through other octants, as bits.
unsigned connected_octants(const LatticeTopology& topology, const Around& around, std::size_t start) {
  unsigned reached = 1U << start;
  for (unsigned before = 0; before != reached;) {
    before = reached;
    for (std::size_t octant = 0; octant < 8; ++octant) {
      if ((reached >> octant & 1) == 0) continue;
      for (std::size_t bit = 1; bit < 8; bit <<= 1)
        if (joined(topology, around, octant, bit)) reached |= 1U << (octant ^ bit);
    }
  }
  return reached;
}

/// True for an interior corner, around which all eight octants are filled and all neighbouring voxels are bonded.
bool is_inside(const LatticeTopology& topology, const Around& around) {
  for (std::size_t octant = 0; octant < 8; ++octant) {
    if (around[octant] < 0) return false;
    for (std::size_t bit = 1; bit < 8; bit <<= 1)
      if (!joined(topology, around, octant, bit)) return false;
  }
  return true;
}

/// Appends one vertex for each group of bonded voxels around a lattice corner. Stores the index of the vertex in
/// `vertex_of` for the corner of each voxel of the group.
void weld_corner(const LatticeTopology& topology, const Around& around, VoxelSkin& skin,
                 std::vector<std::array<std::int32_t, 8>>& vertex_of) {
  if (is_inside(topology, around)) return;
  unsigned done = 0;
  for (std::size_t start = 0; start < 8; ++start) {
    if (around[start] < 0 || (done >> start & 1) != 0) continue;
    const unsigned group = connected_octants(topology, around, start);
    done |= group;
    VoxelSkin::Vertex vertex;
    vertex.voxel.fill(-1);
    vertex.corner.fill(0);
    std::size_t used = 0;
    for (std::size_t octant = 0; octant < 8; ++octant) {
      if ((group >> octant & 1) == 0) continue;
      vertex.voxel[used] = around[octant];
      // If a voxel lies on the positive side of the lattice corner, the corner lies on the negative side of the voxel,
      // and vice versa.
      vertex.corner[used] = static_cast<std::uint8_t>(7 - octant);
      ++used;
      vertex_of[static_cast<std::size_t>(around[octant])][7 - octant] = static_cast<std::int32_t>(skin.vertices.size());
    }
    skin.vertices.push_back(vertex);
  }
}

}  // namespace

std::shared_ptr<const VoxelSkin> make_skin(const VoxelLattice& lattice, const LatticeTopology& topology) {
  auto skin = std::make_shared<VoxelSkin>();
  skin->edge_m = static_cast<float>(lattice.edge_m);
  const std::vector<std::int32_t> table = cell_table(lattice);
  std::vector<std::array<std::int32_t, 8>> vertex_of(lattice.cell.size());
  for (int y = 0; y <= lattice.ny; ++y)
    for (int z = 0; z <= lattice.nz; ++z)
      for (int x = 0; x <= lattice.nx; ++x)
        weld_corner(topology, voxels_around(lattice, table, x, y, z), *skin, vertex_of);
  for (std::size_t v = 0; v < lattice.cell.size(); ++v)
    for (std::size_t face = 0; face < face_count; ++face) {
      if ((topology.exposed[v] >> face & 1) == 0) continue;
      VoxelSkin::Quad quad{{}, static_cast<std::int32_t>(v), static_cast<std::uint8_t>(face)};
      for (std::size_t i = 0; i < 4; ++i) quad.vertex[i] = vertex_of[v][face_corners[face][i]];
      skin->quads.push_back(quad);
    }
  return skin;
}

}  // namespace vw
