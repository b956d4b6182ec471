// Contact compliance of voxels in an implicit substep, compared with a dense matrix and with the limits for stiff, soft
// and fixed bodies.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "sim/system/voxel/contact/contact_compliance.h"
#include "tests/voxel/lab.h"

namespace vw::test {
namespace {

struct ComplianceLab {
  VoxelLattice lattice;
  LatticeTopology topology = make_topology(lattice);
  LatticeConstants constants = make_constants(lattice, topology);
  ResolvedRegions regions;
  Elements elements = elements_at_rest(lattice, constants);

  explicit ComplianceLab(VoxelLattice shape, const std::vector<VoxelRegion>& boxes = {})
      : lattice(std::move(shape)), regions(resolve_regions(lattice, boxes)) {}
  [[nodiscard]] std::vector<double> give(const std::vector<std::uint32_t>& pressed, double dt) const {
    std::vector<double> out;
    ContactCompliance().evaluate({&topology, &constants, &regions, &elements, {}, dt}, pressed, out);
    return out;
  }
};

/// Returns the contact compliance of a body of one piece, computed with dense matrices.
double dense_give(const ComplianceLab& lab, const std::vector<std::uint32_t>& pressed, double dt) {
  const std::size_t n = lab.elements.size();
  TangentOptions options;
  options.geometric = GeometricStiffness::none;
  options.damping_factor = lab.constants.damped ? 1 / dt : 0;
  const Elements& e = lab.elements;
  TangentStiffness tangent;
  tangent.assemble(lab.topology, lab.constants,
                   {e.position, e.orientation, e.velocity, e.angular_velocity, e.radius, {}}, options);
  std::vector<std::int32_t> row_of;
  const std::int32_t rows = number_freedoms(std::vector<std::uint8_t>(n, 0), row_of);
  Eigen::MatrixXd all = tangent.sparse(row_of, rows);
  const std::vector<double> mass = freedom_masses(lab.constants, n);
  for (Eigen::Index i = 0; i < all.rows(); ++i) all(i, i) += mass[static_cast<std::size_t>(i)] / (dt * dt);
  const Eigen::MatrixXd inverse = all.inverse();
  const auto k = static_cast<Eigen::Index>(pressed.size());
  Eigen::MatrixXd part(3 * k, 3 * k);
  for (Eigen::Index i = 0; i < k; ++i)
    for (Eigen::Index j = 0; j < k; ++j)
      part.block<3, 3>(3 * i, 3 * j) =
          inverse.block<3, 3>(6 * pressed[static_cast<std::size_t>(i)], 6 * pressed[static_cast<std::size_t>(j)]);
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(part).eigenvalues().maxCoeff();
}

BoxSpec box_spec(int nx, int ny, int nz, double youngs) {
  BoxSpec spec;
  spec.nx = nx, spec.ny = ny, spec.nz = nz;
  spec.material.youngs_modulus = youngs;
  return spec;
}

TEST(ContactCompliance, IsTheLargestEigenvalueWithinAFifth) {
  // Four iterations of the power method give a lower bound of the eigenvalue. The estimate may exceed the exact value
  // only by the error of the linear solver, which is 5 %.
  struct Case {
    BoxSpec spec;
    std::vector<std::uint32_t> pressed;
  };
  for (const Case& c : {Case{box_spec(4, 4, 4, 1e7), {0, 1, 2, 3}}, Case{box_spec(4, 4, 4, 1e4), {0, 5, 10}},
                        Case{box_spec(16, 1, 1, 1e7), {15}}, Case{box_spec(16, 1, 1, 1e7), {3, 4, 5, 6}},
                        Case{box_spec(6, 1, 6, 1e6), {0, 14, 15, 35}}}) {
    const ComplianceLab lab(box_lattice(c.spec));
    for (const double dt : {1e-4, 1e-3}) {
      const double exact = dense_give(lab, c.pressed, dt);
      for (const double give : lab.give(c.pressed, dt)) {
        EXPECT_GT(give, 0.8 * exact) << c.spec.nx << " " << dt;
        EXPECT_LT(give, 1.05 * exact) << c.spec.nx << " " << dt;
      }
    }
  }
}

TEST(ContactCompliance, IsOfTheWholeBodyWhereItIsStiffAndOfTheVoxelWhereItIsSoft) {
  // If a unit force acts on each of the nine voxels in the middle layer of a stiff cube of 3^3 voxels, the whole cube
  // of mass M moves by 9 h^2 / M in a substep of length h. This is the expected compliance. The compliance of a
  // rotation is smaller, since 12 a^2 / I < 9 / M (a: voxel edge, I: moment of inertia of the cube).
  const double dt = 1e-3;
  const std::vector<std::uint32_t> layer{9, 10, 11, 12, 13, 14, 15, 16, 17};
  const ComplianceLab stiff(box_lattice(box_spec(3, 3, 3, 1e9)));
  EXPECT_NEAR(stiff.give(layer, dt)[4] * stiff.elements.mass[0] / (dt * dt), 1.0 / 3, 0.02);
  const ComplianceLab soft(box_lattice(box_spec(3, 3, 3, 1)));
  EXPECT_NEAR(soft.give({13}, dt)[0] * soft.elements.mass[13] / (dt * dt), 1, 0.02);
}

TEST(ContactCompliance, WhatIsHeldGivesNoWayAndPiecesAnswerForThemselves) {
  const ComplianceLab held(box_lattice(box_spec(3, 3, 3, 1e6)), {slab_x(0, 1, true)});
  EXPECT_EQ(held.give({0, 1}, 1e-3)[1], 0);
  // The last voxel of a row of four is a loose fragment, because its only bond is broken.
  ComplianceLab crumb(box_lattice(box_spec(4, 1, 1, 1e9)));
  for (std::size_t v = 0; v < 4; ++v)
    for (int face = 0; face < face_count; ++face)
      if (v == 3 || crumb.topology.neighbour(v, face) == 3)
        crumb.topology.bond_at[v][static_cast<std::size_t>(face)] = -1;
  const std::vector<double> give = crumb.give({1, 3}, 1e-3);
  const double voxel = 1e-6 / crumb.elements.mass[0];
  EXPECT_NEAR(give[1], voxel, 1e-2 * voxel);
  EXPECT_NEAR(give[0], voxel / 3, 2e-2 * voxel);
}

}  // namespace
}  // namespace vw::test
