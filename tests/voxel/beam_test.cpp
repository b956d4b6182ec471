// Beams and bars, compared with the formulas of strength of materials.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/support/validation.h"
#include "tests/voxel/lab.h"

namespace vw::test {
namespace {

/// A clamped row of voxels along x with an edge of 5 mm, a Young's modulus of 1 MPa and a density of 1000 kg/m^3.
/// `settling` is the global damping with which the first mode comes to rest fastest.
struct Cantilever {
  int voxels = 20;
  double edge_m = 0.005, youngs = 1e6, nu = 0;
  double settling = 0.0027;

  [[nodiscard]] double length() const { return (voxels - 1) * edge_m; }
  [[nodiscard]] double second_moment() const { return std::pow(edge_m, 4) / 12; }
  [[nodiscard]] VoxelLattice lattice() const {
    BoxSpec spec{voxels, 1, 1, edge_m};
    spec.material.youngs_modulus = youngs;
    spec.material.poissons_ratio = nu;
    spec.material.global_damping = settling;
    return box_lattice(spec);
  }
  [[nodiscard]] std::size_t tip() const { return static_cast<std::size_t>(voxels - 1); }
  [[nodiscard]] VoxelRegion clamp() const { return slab_x(0, 0.5 / voxels, true); }
};

TEST(VoxelBeam, CantileverTipDeflectsAsEulerBernoulliSays) {
  const Cantilever beam;
  // This load deflects the tip by 0.6 % of the length. The error of linear theory at that deflection is far below the
  // tolerance.
  const double load = 1e-4;
  Lab lab(beam.lattice(), {beam.clamp(), slab_x(1 - 0.5 / beam.voxels, 1, false, Vec3(0, -load, 0))});
  const double before = lab.position(beam.tip()).y();
  lab.run(3);
  const double expected = load * std::pow(beam.length(), 3) / (3 * beam.youngs * beam.second_moment());
  expect_case("voxel", "Cantilever tip deflection", before - lab.position(beam.tip()).y(), expected, 0.005, "m");
  EXPECT_LT(lab.body().elements().velocity[beam.tip()].norm(), 1e-6) << "not settled";
}

TEST(VoxelBeam, EveryAxisBendsAlike) {
  // A beam lies along x, along y and along z, under a transverse load. The result must not depend on the axis.
  std::vector<double> drop;
  for (int axis = 0; axis < 3; ++axis) {
    BoxSpec spec{axis == 0 ? 10 : 1, axis == 1 ? 10 : 1, axis == 2 ? 10 : 1, 0.005};
    spec.material.global_damping = 0.01;
    const int across = (axis + 1) % 3;
    VoxelRegion clamp, load;
    clamp.max[axis] = 0.05;
    load.min[axis] = 0.95;
    load.fixed = false;
    load.force[across] = 1e-3;
    Lab lab(box_lattice(spec), {clamp, load});
    const Vec3 before = lab.position(9);
    lab.run(0.5);
    drop.push_back((lab.position(9) - before)[across]);
  }
  EXPECT_GT(drop[0], 1e-5);
  // Bonds are computed in float from differences in double, with a relative error of 6e-8 per bond. This rounding
  // causes a relative difference of 2e-9 between the axes.
  EXPECT_NEAR(drop[1], drop[0], 2e-8 * drop[0]);
  EXPECT_NEAR(drop[2], drop[0], 2e-8 * drop[0]);
}

TEST(VoxelBeam, FirstBendingFrequencyIsThatOfACantilever) {
  Cantilever beam;
  beam.settling = 0;
  Lab lab(beam.lattice(), {beam.clamp()});
  // The beam starts approximately in its first mode, so that the tip crosses zero regularly.
  Elements& e = lab.body().elements();
  for (std::size_t v = 0; v < e.size(); ++v) {
    const double x = static_cast<double>(v) * beam.edge_m / beam.length();
    e.velocity[v].y() = 0.002 * x * x * (6 - 4 * x + x * x) / 3;
  }
  const double rest = lab.position(beam.tip()).y();
  std::vector<double> crossings;
  double last = 0;
  lab.run(4, 2e-5, [&](double t, double dt) {
    const double y = lab.position(beam.tip()).y() - rest;
    if (last < 0 && y >= 0) crossings.push_back(t - dt * y / (y - last));
    last = y;
  });
  ASSERT_GE(crossings.size(), 8U);
  const double measured = static_cast<double>(crossings.size() - 1) / (crossings.back() - crossings.front());
  const double length = (beam.voxels - 0.5) * beam.edge_m, area = beam.edge_m * beam.edge_m;
  const double expected = 1.8751041 * 1.8751041 / (2 * pi) *
                          std::sqrt(beam.youngs * beam.second_moment() / (1000 * area * std::pow(length, 4)));
  expect_case("voxel", "Cantilever first bending frequency", measured, expected, 0.005, "Hz");
}

TEST(VoxelBeam, RowTwistsAsTorsionSays) {
  Cantilever beam;
  beam.nu = 0.3;
  beam.settling = 0.05;
  Lab lab(beam.lattice(), {beam.clamp()});
  const double torque = 2e-6;
  lab.run(0.5, 0, [&](double, double dt) {
    lab.body().elements().room_for_impulses().angular_impulse[beam.tip()] += Vec3(torque * dt, 0, 0);
  });
  const double shear = beam.youngs / (2 * (1 + beam.nu));
  const double expected = torque * beam.length() / (shear * 0.1406 * std::pow(beam.edge_m, 4));
  expect_case("voxel", "Torsion of a row", turn_of(lab.body().elements().orientation[beam.tip()]).x(), expected, 0.005,
              "rad");
}

TEST(VoxelBeam, EndMomentRollsARowIntoAClosedCircle) {
  Cantilever beam;
  beam.voxels = 40;
  beam.settling = 0.002;
  Lab lab(beam.lattice(), {beam.clamp()});
  const double full = 2 * pi * beam.youngs * beam.second_moment() / beam.length();
  constexpr double ramp = 12;
  lab.run(ramp + 6, 0, [&](double t, double dt) {
    lab.body().elements().room_for_impulses().angular_impulse[beam.tip()] +=
        Vec3(0, 0, full * std::min(1.0, t / ramp) * dt);
  });
  const double gap = (lab.position(beam.tip()) - lab.position(0)).norm() / beam.length();
  expect_case("voxel", "Roll-up by an end rotation of 2 pi: gap over L", gap, 0, 0.01);
  // The beam has become a circle of circumference L. The middle of the beam is opposite the clamp, at a distance of
  // L / pi.
  EXPECT_NEAR((lab.position(20) - lab.position(0)).norm(), beam.length() / pi, 0.01 * beam.length());
}

struct Bar {
  double nu;
  [[nodiscard]] BoxSpec spec() const {
    BoxSpec box{20, 4, 4, 0.005};
    box.material.poissons_ratio = nu;
    box.material.global_damping = 0.02;
    return box;
  }
};
std::size_t bar_voxel(int x, int y, int z) { return static_cast<std::size_t>(x + 20 * (z + 4 * y)); }

class VoxelBar : public ::testing::TestWithParam<double> {};

TEST_P(VoxelBar, StretchesByHookeAndContractsByPoisson) {
  const Bar bar{GetParam()};
  const double force = 2;  // causes a strain of 0.5 %
  Lab lab(box_lattice(bar.spec()), {slab_x(0, 0.01, true), slab_x(0.99, 1, false, Vec3(force, 0, 0))});
  lab.run(0.4);
  const Elements& e = lab.body().elements();
  // Strains are measured in the middle half of the bar, away from the clamp. The axial strain is measured between cells
  // 5 and 14. The lateral strain is measured between outer rows.
  double along = 0, across = 0;
  for (int y = 0; y < 4; ++y)
    for (int z = 0; z < 4; ++z)
      along += (e.position[bar_voxel(14, y, z)].x() - e.position[bar_voxel(5, y, z)].x()) / 16;
  for (int x = 5; x < 15; ++x)
    for (int z = 0; z < 4; ++z)
      across += (e.position[bar_voxel(x, 3, z)].y() - e.position[bar_voxel(x, 0, z)].y()) / 40;
  const double strain = along / (9 * 0.005) - 1, contraction = 1 - across / (3 * 0.005);
  const std::string tag = "nu = " + std::to_string(GetParam()).substr(0, 4);
  expect_case("voxel", "Bar in tension, stiffness, " + tag, force / (16 * 0.005 * 0.005) / strain, 1e6, 0.03, "Pa");
  expect_case("voxel", "Bar in tension, contraction ratio, " + tag, contraction / strain, GetParam(), 0.03);
}
INSTANTIATE_TEST_SUITE_P(PoissonsRatios, VoxelBar, ::testing::Values(0.0, 0.2, 0.35, 0.45));

class VoxelThickBeam : public ::testing::TestWithParam<double> {};

TEST_P(VoxelThickBeam, BendsAsTimoshenkoSays) {
  const Bar bar{GetParam()};
  const double force = 0.02, length = 19 * 0.005, width = 0.02, youngs = 1e6;
  Lab lab(box_lattice(bar.spec()), {slab_x(0, 0.01, true), slab_x(0.99, 1, false, Vec3(0, -force, 0))});
  double before = 0, after = 0;
  for (int y = 0; y < 4; ++y) before += lab.position(bar_voxel(19, y, 1)).y() / 4;
  lab.run(0.8);
  for (int y = 0; y < 4; ++y) after += lab.position(bar_voxel(19, y, 1)).y() / 4;
  const double shear = youngs / (2 * (1 + bar.nu)), area = width * width, moment = std::pow(width, 4) / 12;
  const double kappa = 10 * (1 + bar.nu) / (12 + 11 * bar.nu);  // shear coefficient of a rectangle (Cowper 1966)
  const double expected = force * std::pow(length, 3) / (3 * youngs * moment) + force * length / (kappa * shear * area);
  expect_case("voxel", "Beam 4 x 4 x 20, tip deflection, nu = " + std::to_string(GetParam()).substr(0, 4),
              before - after, expected, 0.03, "m");
}
INSTANTIATE_TEST_SUITE_P(PoissonsRatios, VoxelThickBeam, ::testing::Values(0.0, 0.35));

TEST(VoxelBendingValidation, PoissonsRatioChangesTheBendingOfThinBeamsByAKnownAmount) {
  // Bonds join voxel centres. If a beam is few voxels wide, a bond averages the contraction of one half of the section
  // and the expansion of the other half. The section then resists the anticlastic strain of bending, and the beam is
  // too stiff. docs/guide/voxel-bodies.md tabulates the error.
  const double edge = 0.005, force = 0.002, youngs = 1e6;
  for (const int width : {1, 2, 3, 4}) {
    for (const double nu : {0.0, 0.2, 0.35, 0.45}) {
      BoxSpec box{20, width, width, edge};
      box.material.poissons_ratio = nu;
      box.material.global_damping = 0.02;
      const double load = force * std::pow(width, 3);
      Lab lab(box_lattice(box), {slab_x(0, 0.01, true), slab_x(0.99, 1, false, Vec3(0, -load, 0))});
      const auto tip = [&] {
        double sum = 0;
        for (int y = 0; y < width; ++y)
          for (int z = 0; z < width; ++z)
            sum += lab.position(static_cast<std::size_t>(19 + 20 * (z + width * y))).y() / (width * width);
        return sum;
      };
      const double before = tip();
      lab.run(20.0 / (width * width));  // slender beams oscillate longer
      const double drop = before - tip(), side = width * edge, length = 19 * edge;
      const double shear = youngs / (2 * (1 + nu)), kappa = 10 * (1 + nu) / (12 + 11 * nu);  // Cowper 1966, rectangle
      const double expected = load * std::pow(length, 3) / (3 * youngs * std::pow(side, 4) / 12) +
                              load * length / (kappa * shear * side * side);
      const double tolerance = nu < 0.3 || width == 1 ? 0.02 : nu < 0.4 ? 0.05 : 0.08;
      expect_case("voxel", fmt::format("Beam {0} x {0} x 20, tip deflection, nu = {1}", width, nu), drop, expected,
                  tolerance, "m");
    }
  }
}

TEST(VoxelShearValidation, BlockShearsWithinTenPercentOfG) {
  // The lower layer of a wide, low block is fixed, and the upper layer is pushed sideways. The mean shear stress over
  // the middle layer is exactly F / A, independent of the ends. The shear modulus G therefore follows from the mean of
  // du/dy + dv/dx in the middle layer.
  for (const double nu : {0.0, 0.2, 0.35, 0.45}) {
    BoxSpec spec{16, 5, 16, 0.005};
    spec.material.poissons_ratio = nu;
    spec.material.global_damping = 0.05;
    VoxelRegion floor, top;
    floor.max.y() = 0.1;
    top.min.y() = 0.9;
    top.fixed = false;
    const double force = 10;
    top.force = Vec3(force, 0, 0);
    const VoxelLattice lattice = box_lattice(spec);
    Lab lab(lattice, {floor, top});
    const auto at = [&](int x, int y, int z) { return lab.position(static_cast<std::size_t>(x + 16 * (z + 16 * y))); };
    lab.run(0.15);
    double across = 0, along = 0;
    for (int z = 0; z < 16; ++z) {
      for (int x = 0; x < 16; ++x) across += (at(x, 3, z) - at(x, 1, z)).x() / (2 * 0.005) / 256;
      along += (at(15, 2, z) - at(0, 2, z)).y() / (15 * 0.005) / 16;
    }
    const double shear = force / (256 * 0.005 * 0.005) / (across + along);
    expect_case("voxel", "Block in shear, G, nu = " + std::to_string(nu).substr(0, 4), shear, 1e6 / (2 * (1 + nu)), 0.1,
                "Pa");
  }
}

}  // namespace
}  // namespace vw::test
