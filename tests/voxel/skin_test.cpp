// The surface mesh (skin) of a body that cracks. Vertices separate only where bonds broke.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "sim/system/voxel/lattice/skin.h"
#include "tests/voxel/lab.h"

namespace vw::test {
namespace {

/// Breaks the bond through the positive face of a voxel along `axis`, as a break in a body does.
void break_bond(LatticeTopology& topology, std::size_t voxel, std::size_t axis) {
  const auto bond = static_cast<std::size_t>(topology.bond_at[voxel][2 * axis + 1]);
  const auto other = static_cast<std::size_t>(topology.bonds[bond].b);
  topology.bond_at[voxel][2 * axis + 1] = -1;
  topology.bond_at[other][2 * axis] = -1;
  topology.exposed[voxel] = static_cast<std::uint8_t>(topology.exposed[voxel] | (2U << (2 * axis)));
  topology.exposed[other] = static_cast<std::uint8_t>(topology.exposed[other] | (1U << (2 * axis)));
}

std::size_t voxel_at(const VoxelLattice& lattice, int x, int y, int z) {
  return static_cast<std::size_t>(cell_table(lattice)[cell_index(lattice, x, y, z)]);
}

/// Expects that every edge is traversed equally often in both directions and that every face has four corners.
void expect_closed(const VoxelSkin& skin) {
  std::map<std::pair<int, int>, int> balance;
  for (const auto& quad : skin.quads)
    for (std::size_t i = 0; i < 4; ++i) {
      const int from = quad.vertex[i], to = quad.vertex[(i + 1) % 4];
      ASSERT_GE(from, 0);
      ASSERT_LT(from, static_cast<int>(skin.vertices.size()));
      ++balance[{from, to}];
      --balance[{to, from}];
    }
  for (const auto& [edge, count] : balance) EXPECT_EQ(count, 0) << edge.first << " " << edge.second;
}

/// Returns the number of vertices that are shared by voxels with x <= column and voxels with x > column.
std::size_t shared_across(const VoxelLattice& lattice, const VoxelSkin& skin, int column) {
  std::size_t shared = 0;
  for (const auto& vertex : skin.vertices) {
    std::set<bool> sides;
    for (const std::int32_t v : vertex.voxel)
      if (v >= 0) sides.insert(lattice.cell[static_cast<std::size_t>(v)][0] > column);
    if (sides.size() == 2) ++shared;
  }
  return shared;
}

TEST(VoxelSkin, ABrokenBarIsTwoSkinsThatShareNothing) {
  const VoxelLattice lattice = box_lattice({4, 2, 3, 0.01});
  LatticeTopology topology = make_topology(lattice);
  EXPECT_EQ(shared_across(lattice, *make_skin(lattice, topology), 1), 10U);  // the ring of corners around 2 x 3 voxels
  for (int y = 0; y < 2; ++y)
    for (int z = 0; z < 3; ++z) break_bond(topology, voxel_at(lattice, 1, y, z), 0);
  const auto skin = make_skin(lattice, topology);
  expect_closed(*skin);
  EXPECT_EQ(shared_across(lattice, *skin, 1), 0U);
  EXPECT_EQ(skin->quads.size(), 2U * (2 * (2 * 2 + 2 * 3 + 2 * 3)));  // two boxes of 2 x 2 x 3
  // Each box has 3 * 3 * 4 corners minus the 2 corners inside.
  EXPECT_EQ(skin->vertices.size(), 2U * 34U);
}

TEST(VoxelSkin, ACrackOpensFromItsMouthToItsTip) {
  // A bar of 4 x 4 x 1 voxels is cut from below through the two lower layers. The corners below the crack tip separate.
  // The corners at the crack tip remain shared.
  const VoxelLattice lattice = box_lattice({4, 4, 1, 0.01});
  LatticeTopology topology = make_topology(lattice);
  const auto whole = make_skin(lattice, topology);
  for (int y = 0; y < 2; ++y) break_bond(topology, voxel_at(lattice, 1, y, 0), 0);
  const auto skin = make_skin(lattice, topology);
  expect_closed(*skin);
  EXPECT_EQ(skin->quads.size(), whole->quads.size() + 4);  // two faces for each broken bond
  // At y = 0 and y = 1, on the front and on the back, one corner becomes two.
  EXPECT_EQ(skin->vertices.size(), whole->vertices.size() + 4);
  EXPECT_EQ(shared_across(lattice, *skin, 1), 2U * 3U);  // corners at the crack tip (y = 2), y = 3 and y = 4
}

TEST(VoxelSkin, ACrackDeepInsideIsAClosedPocket) {
  const VoxelLattice lattice = box_lattice({4, 4, 4, 0.01});
  LatticeTopology topology = make_topology(lattice);
  const auto whole = make_skin(lattice, topology);
  break_bond(topology, voxel_at(lattice, 1, 1, 1), 0);
  // All four corners belong to the crack tip, so the crack consists of two faces back to back.
  const auto one = make_skin(lattice, topology);
  expect_closed(*one);
  EXPECT_EQ(one->quads.size(), whole->quads.size() + 2);
  EXPECT_EQ(one->vertices.size(), whole->vertices.size() + 4);
  for (int y = 1; y < 3; ++y)
    for (int z = 1; z < 3; ++z)
      if (y != 1 || z != 1) break_bond(topology, voxel_at(lattice, 1, y, z), 0);
  // Four bonds in a square of 2 x 2 are broken. The corner in the middle separates. The eight corners on the rim do not
  // separate.
  const auto four = make_skin(lattice, topology);
  expect_closed(*four);
  EXPECT_EQ(four->quads.size(), whole->quads.size() + 8);
  EXPECT_EQ(four->vertices.size(), whole->vertices.size() + 10);
}

TEST(VoxelSkin, BothSidesOfACrackFollowTheirOwnVoxels) {
  const VoxelLattice lattice = box_lattice({2, 1, 1, 0.01});
  LatticeTopology topology = make_topology(lattice);
  break_bond(topology, 0, 0);
  const auto skin = make_skin(lattice, topology);
  ASSERT_EQ(skin->vertices.size(), 16U);
  for (const auto& quad : skin->quads)
    for (const std::int32_t vertex : quad.vertex) {
      const auto& corner = skin->vertices[static_cast<std::size_t>(vertex)];
      EXPECT_EQ(corner.voxel[0], quad.voxel);
      EXPECT_EQ(corner.voxel[1], -1);
    }
}

}  // namespace
}  // namespace vw::test
