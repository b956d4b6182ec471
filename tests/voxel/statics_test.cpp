// Static equilibria, compared with strength of materials and with the final state of damped motion.
#include <gtest/gtest.h>

#include "sim/system/voxel/analysis/statics.h"
#include "tests/support/validation.h"
#include "tests/voxel/lab.h"

namespace vw::test {
namespace {

struct StaticLab {
  VoxelLattice lattice;
  LatticeTopology topology = make_topology(lattice);
  LatticeConstants constants = make_constants(lattice, topology);
  ResolvedRegions regions;
  std::vector<Collider> colliders;
  Elements elements = elements_at_rest(lattice, constants);
  StaticOptions options;
  Vec3 gravity = Vec3::Zero();
  StaticSolution found;

  explicit StaticLab(VoxelLattice shape, const std::vector<VoxelRegion>& boxes = {},
                     std::vector<Collider> obstacles = {})
      : lattice(std::move(shape)), regions(resolve_regions(lattice, boxes)), colliders(std::move(obstacles)) {}
  Result<StaticSolution> solve() {
    StaticBody body;
    body.topology = &topology, body.constants = &constants, body.regions = &regions;
    body.colliders = colliders;
    body.gravity = gravity;
    auto solution = solve_static(body, options, elements);
    if (solution) found = *solution;
    return solution;
  }
  void expect_solved() {
    const auto solution = solve();
    ASSERT_TRUE(solution) << solution.error().message();
    EXPECT_LE(solution->relative_residual, options.tolerance);
  }
};

BoxSpec row(int voxels, double nu = 0) {
  BoxSpec spec{voxels, 1, 1, 0.005};
  spec.material.poissons_ratio = nu;
  return spec;
}
VoxelRegion tip_of(int voxels, const Vec3& force) { return slab_x(1 - 0.5 / voxels, 1, false, force); }

TEST(VoxelStatics, CantileverTipDeflectsAsEulerBernoulliSays) {
  const double load = 1e-5, length = 19 * 0.005, moment = std::pow(0.005, 4) / 12;
  StaticLab lab(box_lattice(row(20)), {clamp_of(20), tip_of(20, Vec3(0, -load, 0))});
  const double before = lab.elements.position[19].y();
  lab.expect_solved();
  // Shear adds a relative error of (s / L)^2 (s: voxel edge, L: length). Apart from shear, Hermite beams are exact at
  // their nodes. The load deflects the tip by 0.06 % of L.
  expect_case("voxel", "Static: cantilever tip deflection", before - lab.elements.position[19].y(),
              load * std::pow(length, 3) / (3 * 1e6 * moment), 1e-3, "m");
  EXPECT_TRUE(lab.found.stable);
  EXPECT_NEAR(lab.found.reaction.y(), load, 1e-8 * load);
}

TEST(VoxelStatics, ABodyWithoutLoadIsAtRestWhereItIs) {
  // At these positions, rounding leaves forces of 1e-14 N. The solver must not count such forces as a residual.
  StaticLab lab(box_lattice(row(20)), {clamp_of(20)});
  for (Vec3& at : lab.elements.position) at += Vec3(0.0301, 0.0999, 0.01);
  lab.expect_solved();
  EXPECT_EQ(lab.found.relative_residual, 0);
}

TEST(VoxelStatics, TorsionAndTension) {
  VoxelRegion twist = tip_of(20, Vec3(3e-3, 0, 0));
  twist.torque = Vec3(2e-6, 0, 0);
  StaticLab lab(box_lattice(row(20, 0.3)), {clamp_of(20), twist});
  lab.expect_solved();
  const double length = 19 * 0.005, shear = 1e6 / 2.6;
  expect_case("voxel", "Static: torsion of a row", turn_of(lab.elements.orientation[19]).x(),
              2e-6 * length / (shear * 0.1406 * std::pow(0.005, 4)), 1e-3, "rad");
}

TEST(VoxelStatics, EndRotationRollsARowIntoACircle) {
  VoxelRegion end = slab_x(1 - 0.5 / 40, 1, true);
  end.freedoms = {"rx", "ry", "rz"};
  end.rotation = Vec3(0, 0, 2 * pi);
  StaticLab lab(box_lattice(row(40)), {clamp_of(40), end});
  lab.expect_solved();
  const double length = 39 * 0.005;
  const double gap = (lab.elements.position[39] - lab.elements.position[0]).norm() / length;
  expect_case("voxel", "Static: roll-up by an end rotation of 2 pi, gap over L", gap, 0, 0.01);
  EXPECT_NEAR((lab.elements.position[20] - lab.elements.position[0]).norm(), length / pi, 0.01 * length);
}

TEST(VoxelStatics, TipUnderALargeLoadFollowsTheElastica) {
  // For the load P L^2 / E I = 10, the elastica has a relative deflection of w / L = 0.81061 and a relative shortening
  // of u / L = 0.55500 (Mattiasson 1981, table of the elastica).
  const double length = 39 * 0.005, moment = std::pow(0.005, 4) / 12, load = 10 * 1e6 * moment / (length * length);
  StaticLab lab(box_lattice(row(40)), {clamp_of(40), tip_of(40, Vec3(0, -load, 0))});
  const Vec3 before = lab.elements.position[39];
  lab.expect_solved();
  const Vec3 moved = (before - lab.elements.position[39]) / length;
  // Two sources of error: 39 straight beams approximate a curve, with a relative error of (s / L)^2 (s: voxel edge),
  // and the beams stretch by P / E A = 0.0006.
  expect_case("voxel", "Static: elastica at P L^2 / E I = 10, deflection over L", moved.y(), 0.81061, 0.002);
  expect_case("voxel", "Static: elastica at P L^2 / E I = 10, shortening over L", moved.x(), 0.55500, 0.002);
}

TEST(VoxelStatics, TwoLayersBendAsABimetal) {
  BoxSpec spec{20, 2, 1, 0.005};
  VoxelLattice lattice = box_lattice(spec);
  StaticLab lab(lattice, {clamp_of(20)});
  const double strain = 1e-4;
  for (std::size_t v = 20; v < 40; ++v) lab.elements.radius[v] *= 1 + strain;
  lab.expect_solved();
  const double turn = turn_of(lab.elements.orientation[15]).z() - turn_of(lab.elements.orientation[5]).z();
  expect_case("voxel", "Static: bimetal curvature", -turn / (10 * 0.005), 0.75 * strain / 0.005, 0.05, "1/m");
}

TEST(VoxelStatics, LooseBodiesAreNamedWithTheirMotions) {
  StaticLab free(box_lattice(row(5)));
  free.gravity = Vec3(0, -9.81, 0);
  const auto fallen = free.solve();
  ASSERT_FALSE(fallen);
  EXPECT_NE(fallen.error().message().find(
                "the body is not held against its load and can move freely (translation along y). Add"),
            std::string::npos)
      << fallen.error().message();
  VoxelRegion hinge = slab_x(0, 0.1, true);
  hinge.freedoms = {"x", "y", "z", "rx", "ry"};
  StaticLab swing(box_lattice(row(5)), {hinge});
  swing.gravity = Vec3(0, -9.81, 0);
  const auto swung = swing.solve();
  ASSERT_FALSE(swung);
  EXPECT_NE(swung.error().message().find("rotation about z"), std::string::npos) << swung.error().message();
}

TEST(VoxelStatics, BlockOnTheGroundCarriesItsWeight) {
  BoxSpec spec{6, 5, 6, 0.005};
  spec.material.poissons_ratio = 0.35;
  StaticLab lab(box_lattice(spec), {}, {ground()});
  lab.gravity = Vec3(0, -9.81, 0);
  for (Vec3& x : lab.elements.position) x.y() += 0.02;
  lab.expect_solved();
  EXPECT_EQ(lab.found.contacts, 36);
  EXPECT_NEAR(lab.found.reaction.y(), 180 * 1000 * std::pow(0.005, 3) * 9.81, 1e-7);
  EXPECT_LT(std::abs(lab.elements.position[0].y() - 0.0025), 1e-5);
}

TEST(VoxelStatics, HalvesOfABrokenBodyMayBeTurnedAgainstEachOther) {
  StaticLab lab(box_lattice(row(4)), {clamp_of(4), slab_x(1 - 0.5 / 4, 1, true)});
  break_bond(lab.topology, 1);
  for (const std::size_t v : {2U, 3U}) lab.elements.orientation[v] = Quat(0, 1, 0, 0);
  lab.gravity = Vec3(0, -9.81, 0);
  lab.expect_solved();
  EXPECT_LT(lab.elements.position[1].y(), 0.0025);
  EXPECT_NEAR(lab.elements.position[2].y(), lab.elements.position[1].y(), 1e-12);
}

TEST(VoxelStatics, StiffnessRatioOfAMillion) {
  // Ten soft voxels lie between a clamp and ten voxels that are a million times stiffer. Only the soft voxels are
  // strained. In the joint bond, the two materials act in series, so the joint bond has twice the soft modulus.
  VoxelLattice lattice = box_lattice(row(20));
  for (std::size_t v = 10; v < 20; ++v) lattice.youngs_override[v] = 1e10;
  for (std::size_t v = 0; v < 10; ++v) lattice.youngs_override[v] = 1e4;
  const double force = 1e-3;
  StaticLab lab(lattice, {clamp_of(20), tip_of(20, Vec3(force, 1e-7, 0))});
  const double before = lab.elements.position[19].x();
  // The rounding of positions in the stiff half limits the residual. The relative residual of one bond is 1e-17 m times
  // 5e7 N/m over 1e-3 N. Several bonds and voxels contribute.
  lab.options.tolerance = 1e-5;
  lab.expect_solved();
  const double soft = 1e4 * 0.005;
  EXPECT_NEAR(lab.elements.position[19].x() - before, force * (9 / soft + 0.5 / soft), 1e-3 * 9.5 * force / soft);
}

}  // namespace
}  // namespace vw::test
