// Estimates of the largest eigenvalues of a lattice from small blocks, compared with the eigenvalues of the whole
// lattice.
#include <gtest/gtest.h>

#include "sim/system/voxel/lattice_block.h"
#include "sim/system/voxel/step_bound.h"
#include "tests/voxel/lab.h"

namespace vw::test {
namespace {

struct Body {
  LatticeTopology topology;
  LatticeConstants constants;
  std::vector<std::uint8_t> held;
  explicit Body(const VoxelLattice& lattice)
      : topology(make_topology(lattice)), constants(make_constants(lattice, topology)), held(lattice.cell.size(), 0) {}
  [[nodiscard]] SpectralBounds iterated(const ContactSprings& contact = {}) const {
    return iterated_bounds(topology, constants, held, contact);
  }
  [[nodiscard]] std::optional<SpectralBounds> by_blocks(const ContactSprings& contact = {}) const {
    return block_bounds(topology, constants, held, contact);
  }
};

VoxelMaterial material(double poissons_ratio, double youngs_modulus = 1e6) {
  VoxelMaterial m;
  m.poissons_ratio = poissons_ratio;
  m.youngs_modulus = youngs_modulus;
  m.bond_damping = 0.3;
  return m;
}

/// Returns a box with holes and two materials in random cells. The second material is `contrast` times as stiff as the
/// first.
VoxelLattice speckled_box(int edge, double poissons_ratio, double contrast) {
  VoxelLattice full = box_lattice({edge, edge, edge, 0.01, material(poissons_ratio)}), lattice = full;
  lattice.material_name.push_back("stiff");
  lattice.materials.push_back(material(poissons_ratio, contrast * 1e6));
  lattice.cell.clear();
  lattice.material.clear();
  for (std::size_t v = 0; v < full.cell.size(); ++v) {
    if (random_uniform({7, 1}, v, 0) < 0.15) continue;
    lattice.cell.push_back(full.cell[v]);
    lattice.material.push_back(random_uniform({7, 1}, v, 1) < 0.3 ? 1 : 0);
  }
  for (auto* rows : {&lattice.phase, &lattice.youngs_override}) rows->assign(lattice.cell.size(), 0);
  lattice.amplitude_scale.assign(lattice.cell.size(), 1);
  return lattice;
}

/// Returns three layers of different materials along y. The middle layer is the stiffest.
VoxelLattice layered_box(int edge, double poissons_ratio) {
  VoxelLattice lattice = box_lattice({edge, edge, edge, 0.01, material(poissons_ratio)});
  lattice.material_name = {"soft", "stiff", "light"};
  lattice.materials.push_back(material(poissons_ratio, 8e6));
  lattice.materials.push_back(material(poissons_ratio, 2e6));
  lattice.materials[2].density = 300;
  for (std::size_t v = 0; v < lattice.cell.size(); ++v)
    lattice.material[v] = static_cast<std::uint8_t>(3 * lattice.cell[v][1] / edge);
  return lattice;
}

void expect_near(const SpectralBounds& found, const SpectralBounds& exact) {
  // The tolerances are the errors of block_bounds(), -3 % to 2 %, plus the error of iterated_bounds(), 0.2 %.
  EXPECT_GE(found.stiffness, 0.968 * exact.stiffness);
  EXPECT_LE(found.stiffness, 1.022 * exact.stiffness);
  EXPECT_GE(found.damping, 0.968 * exact.damping);
  EXPECT_LE(found.damping, 1.022 * exact.damping);
  EXPECT_EQ(found.min_mass, exact.min_mass);
}

using BlockBound = ::testing::TestWithParam<double>;

TEST_P(BlockBound, IsNearTheEigenvalueOfALargeBox) {
  for (const ContactSprings& contact : {ContactSprings{}, ContactSprings{1, 1}, ContactSprings{4, 4}}) {
    const Body body(box_lattice({24, 20, 22, 0.01, material(GetParam())}));
    const auto found = body.by_blocks(contact);
    ASSERT_TRUE(found.has_value());
    expect_near(*found, body.iterated(contact));
  }
}

TEST_P(BlockBound, IsNearTheEigenvalueOfLayersOfMaterials) {
  Body body(layered_box(24, GetParam()));
  for (std::size_t v = 0; v < 200; ++v) body.held[v] = 1;
  const auto found = body.by_blocks({1, 1});
  ASSERT_TRUE(found.has_value());
  expect_near(*found, body.iterated({1, 1}));
}

TEST_P(BlockBound, IsNearTheEigenvalueOfPlatesAndBars) {
  for (const auto& [x, y, z] : {std::array{100, 1, 1}, std::array{40, 1, 40}, std::array{60, 3, 2}}) {
    const Body body(box_lattice({x, y, z, 0.01, material(GetParam())}));
    const auto found = body.by_blocks();
    ASSERT_TRUE(found.has_value());
    expect_near(*found, body.iterated());
  }
}
INSTANTIATE_TEST_SUITE_P(PoissonsRatios, BlockBound, ::testing::Values(0.0, 0.2, 0.35, 0.45));

TEST(BlockBound, FindsAFewStiffVoxelsInALargeSoftBox) {
  VoxelLattice lattice = box_lattice({26, 26, 26, 0.01, material(0.2)});
  lattice.material_name.push_back("stiff");
  lattice.materials.push_back(material(0.2, 5e7));
  for (const std::size_t v : {std::size_t{9000}, std::size_t{9001}}) lattice.material[v] = 1;
  const Body body(lattice);
  const auto found = body.by_blocks();
  ASSERT_TRUE(found.has_value());
  expect_near(*found, body.iterated());
}

TEST(BlockBound, IsUsedForLargeBodiesAlone) {
  for (const int edge : {12, 28}) {
    const Body body(box_lattice({edge, edge, edge, 0.01, material(0.3)}));
    const double used = spectral_bounds(body.topology, body.constants, body.held, {}).stiffness;
    EXPECT_EQ(used, edge == 28 ? body.by_blocks()->stiffness : body.iterated().stiffness);
  }
}

TEST(BlockBound, LeavesBodiesOfManyStiffnessesToTheIteration) {
  VoxelLattice lattice = box_lattice({10, 10, 10, 0.01, material(0.2)});
  for (std::size_t v = 0; v < lattice.cell.size(); ++v) lattice.youngs_override[v] = 1e5 * (1 + static_cast<double>(v));
  EXPECT_FALSE(Body(lattice).by_blocks().has_value());
}

TEST(BlockBound, ABlockIsAPartOfTheLattice) {
  const Body body(speckled_box(9, 0.3, 5));
  const LatticeBlock block = block_around(body.topology, body.constants, body.held, 330, 4);
  const LatticeTopology& t = block.topology;
  EXPECT_LE(t.voxel_count(), 64U);
  EXPECT_GT(t.voxel_count(), 20U);
  EXPECT_EQ(block.held.size(), t.voxel_count());
  EXPECT_EQ(block.constants.volume_stiffness.size(), t.voxel_count());
  EXPECT_EQ(t.axis_bonds[2].end, t.bonds.size());
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t b = t.axis_bonds[axis].begin; b < t.axis_bonds[axis].end; ++b) {
      EXPECT_EQ(t.neighbour(static_cast<std::size_t>(t.bonds[b].a), static_cast<int>(2 * axis + 1)), t.bonds[b].b);
      EXPECT_EQ(t.neighbour(static_cast<std::size_t>(t.bonds[b].b), static_cast<int>(2 * axis)), t.bonds[b].a);
    }
}

TEST(BlockBound, ABlockAsLargeAsTheBodyHasItsEigenvalues) {
  const Body body(box_lattice({5, 4, 6, 0.01, material(0.3)}));
  const LatticeBlock block = block_around(body.topology, body.constants, body.held, 60, 20);
  EXPECT_EQ(block.topology.voxel_count(), body.topology.voxel_count());
  EXPECT_EQ(block.topology.bonds.size(), body.topology.bonds.size());
  const SpectralBounds whole = body.iterated({1, 1}),
                       same = iterated_bounds(block.topology, block.constants, block.held, {1, 1});
  EXPECT_NEAR(same.stiffness, whole.stiffness, 2e-3 * whole.stiffness);
  EXPECT_NEAR(same.damping, whole.damping, 2e-3 * whole.damping);
}

}  // namespace
}  // namespace vw::test
