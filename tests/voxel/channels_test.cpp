// Output channels of a body: strain and stress by the textbook definitions, totals, and the effect of cracks and
// yielding on these channels.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "sim/system/voxel/implicit/tensors.h"
#include "tests/voxel/lab.h"

namespace vw::test {
namespace {

constexpr double rubber_youngs = 1e6;

VoxelMaterial rubber(double nu) {
  VoxelMaterial m;
  m.youngs_modulus = rubber_youngs;
  m.poissons_ratio = nu;
  m.bond_damping = 0;
  return m;
}
double shear_modulus(double nu) { return rubber_youngs / (2 * (1 + nu)); }
double bulk_modulus(double nu) { return rubber_youngs / (3 * (1 - 2 * nu)); }

/// A lattice in a prescribed shape. The voxels do not move.
struct Still {
  explicit Still(const BoxSpec& spec)
      : lattice(box_lattice(spec)), topology(make_topology(lattice)), constants(make_constants(lattice, topology)) {
    const std::size_t n = lattice.cell.size();
    for (std::size_t v = 0; v < n; ++v) {
      elements.position.push_back(
          spec.edge_m * (Vec3(lattice.cell[v][0], lattice.cell[v][1], lattice.cell[v][2]) + Vec3::Constant(0.5)));
      elements.mass.push_back(constants.of(v).mass);
    }
    elements.velocity.assign(n, Vec3::Zero());
    elements.angular_velocity.assign(n, Vec3::Zero());
    elements.orientation.assign(n, Quat::Identity());
    elements.radius.assign(n, 0.5 * spec.edge_m);
  }
  /// Maps positions x to `gradient` * x and rotates all voxels by `turn`.
  void deform(const Mat3& gradient, const Quat& turn = Quat::Identity()) {
    for (Vec3& x : elements.position) x = gradient * x;
    for (Quat& q : elements.orientation) q = turn * q;
  }
  [[nodiscard]] BodyView view() const {
    return {
        &topology,
        &constants,
        &elements,
        {topology.bonds, &constants.bond_constants_of, constants.bonds, topology.axis_bonds, slack},
        {elements.position, elements.orientation, elements.velocity, elements.angular_velocity, elements.radius, {}}};
  }
  [[nodiscard]] std::size_t at(int x, int y, int z) const {
    return static_cast<std::size_t>(cell_table(lattice)[cell_index(lattice, x, y, z)]);
  }
  [[nodiscard]] Mat3 stress(std::size_t v) const {
    ElasticLoads loads;
    find_elastic_loads(view(), loads);
    return stress_tensor(view(), loads, v);
  }
  [[nodiscard]] Mat3 strain(std::size_t v) const { return strain_tensor(view(), v); }

  [[nodiscard]] BondTotals totals() const {
    BondScratch scratch;
    return bond_totals(view(), scratch);
  }

  VoxelLattice lattice;
  LatticeTopology topology;
  LatticeConstants constants;
  Elements elements;
  std::vector<double> slack;
};

Mat3 stretch(double x, double y, double z) { return Vec3(1 + x, 1 + y, 1 + z).asDiagonal(); }
Mat3 diagonal(double x, double y, double z) { return Vec3(x, y, z).asDiagonal(); }

TEST(VoxelTensors, UniaxialTensionIsForceOverArea) {
  Still bar({5, 5, 5, 0.005, rubber(0)});
  bar.deform(stretch(0.01, 0, 0));
  const std::size_t middle = bar.at(2, 2, 2);
  EXPECT_LT((bar.strain(middle) - diagonal(0.01, 0, 0)).norm(), 1e-14);
  EXPECT_LT((bar.stress(middle) - diagonal(0.01 * rubber_youngs, 0, 0)).norm(), 1e-8);
  EXPECT_NEAR(von_mises_stress(bar.stress(middle)), 0.01 * rubber_youngs, 1e-8);
  // At a free end, a voxel has only one bond along x, so its stress is half the stress of that bond.
  EXPECT_LT((bar.stress(bar.at(0, 2, 2)) - diagonal(0.005 * rubber_youngs, 0, 0)).norm(), 1e-8);
}

TEST(VoxelTensors, HydrostaticStretchFollowsTheBulkModulus) {
  for (const double nu : {0.0, 0.3, 0.45}) {
    Still cube({5, 5, 5, 0.005, rubber(nu)});
    cube.deform(stretch(0.01, 0.01, 0.01));
    const Mat3 stress = cube.stress(cube.at(2, 2, 2));
    EXPECT_LT((stress - 3 * bulk_modulus(nu) * 0.01 * Mat3::Identity()).norm(), 1e-6) << nu;
    EXPECT_NEAR(von_mises_stress(stress), 0, 1e-6) << nu;
    EXPECT_NEAR(von_mises_strain(cube.strain(cube.at(2, 2, 2))), 0, 1e-14) << nu;
  }
}

TEST(VoxelTensors, ConstrainedStretchAndItsPoissonPartFollowLame) {
  const double nu = 0.35, lame = bulk_modulus(nu) - 2.0 / 3 * shear_modulus(nu);
  Still cube({5, 5, 5, 0.005, rubber(nu)});
  cube.deform(stretch(0.002, -0.001, 0));
  const double trace = 0.001, g2 = 2 * shear_modulus(nu);
  const Mat3 wanted = diagonal(g2 * 0.002 + lame * trace, -g2 * 0.001 + lame * trace, lame * trace);
  EXPECT_LT((cube.stress(cube.at(2, 2, 2)) - wanted).norm(), 1e-8 * wanted.norm());
}

TEST(VoxelTensors, PureShearIsGammaTimesG) {
  const double gamma = 0.01;
  for (const double nu : {0.0, 0.3}) {
    Still cube({5, 5, 5, 0.005, rubber(nu)});
    Mat3 gradient = Mat3::Identity();
    gradient(0, 1) = gradient(1, 0) = gamma / 2;
    cube.deform(gradient);
    const Mat3 stress = cube.stress(cube.at(2, 2, 2)), strain = cube.strain(cube.at(2, 2, 2));
    const double tau = shear_modulus(nu) * gamma;
    EXPECT_NEAR(stress(0, 1), tau, 1e-12 * rubber_youngs);
    EXPECT_NEAR(von_mises_stress(stress), std::sqrt(3.0) * tau, 1e-12 * rubber_youngs);
    EXPECT_LT((principal_values(stress) - Vec3(-tau, 0, tau)).norm(), 1e-6);
    EXPECT_LT((principal_values(strain) - Vec3(-gamma / 2, 0, gamma / 2)).norm(), 1e-9);
  }
}

TEST(VoxelTensors, SimpleShearIsPureShearAndATurn) {
  const double gamma = 1e-4;
  Still cube({5, 5, 5, 0.005, rubber(0.3)});
  Mat3 gradient = Mat3::Identity();
  gradient(0, 1) = gamma;
  cube.deform(gradient, Quat(Eigen::AngleAxisd(-gamma / 2, Vec3::UnitZ())));
  EXPECT_NEAR(cube.strain(cube.at(2, 2, 2))(0, 1), gamma / 2, gamma * gamma);
  EXPECT_NEAR(cube.stress(cube.at(2, 2, 2))(0, 1), shear_modulus(0.3) * gamma, 10 * rubber_youngs * gamma * gamma);
}

TEST(VoxelTensors, RigidMotionChangesNothing) {
  Still here({4, 4, 4, 0.005, rubber(0.3)}), there = here;
  Mat3 gradient = stretch(0.02, -0.01, 0.03);
  gradient(0, 1) = gradient(1, 0) = 0.01;
  here.deform(gradient);
  const Quat turn(Eigen::AngleAxisd(2, Vec3(2, -1, 2) / 3));
  there.deform(turn * gradient, turn);
  for (Vec3& x : there.elements.position) x += Vec3(1, 2, 3);
  for (std::size_t v = 0; v < here.elements.size(); ++v) {
    // The tolerance is the rounding of positions of 4 m (relative error 1e-16), divided by an edge of 5 mm.
    EXPECT_LT((here.strain(v) - there.strain(v)).norm(), 1e-12);
    EXPECT_LT((here.stress(v) - there.stress(v)).norm(), 1e-12 * 10 * rubber_youngs);
  }
}

TEST(VoxelTensors, AcrossABarOneVoxelWideStrainIsWhatPoissonSays) {
  Still bar({5, 1, 1, 0.005, rubber(0.4)});
  bar.deform(stretch(0.01, 0, 0));
  EXPECT_LT((bar.strain(2) - diagonal(0.01, -0.004, -0.004)).norm(), 1e-14);
  // The sides are free, so the stress depends on Young's modulus and not on the constrained modulus.
  EXPECT_LT((bar.stress(2) - diagonal(0.01 * rubber_youngs, 0, 0)).norm(), 1e-8);
  EXPECT_LT(Still({1, 1, 1, 0.005, rubber(0.4)}).strain(0).norm(), 1e-300);
}

TEST(VoxelTensors, AThinBeamsShearIsItsForceOverItsArea) {
  Still beam({5, 1, 1, 0.005, rubber(0.3)});
  Mat3 gradient = Mat3::Identity();
  gradient(1, 0) = 0.001;  // simple shear: the bonds tilt, but the voxels keep their orientation
  beam.deform(gradient);
  // The shear force of a bond is b1 = 2 G s times the displacement (G: shear modulus, s: edge).
  const double force = 2 * shear_modulus(0.3) * 0.005 * 0.001 * 0.005;
  EXPECT_NEAR(beam.stress(2)(0, 1), force / (0.005 * 0.005), 1e-6);
  EXPECT_NEAR(beam.strain(2)(0, 1), beam.stress(2)(0, 1) / (2 * shear_modulus(0.3)), 1e-14);
}

TEST(VoxelTensors, BendingAloneIsNoShear) {
  Still beam({5, 1, 1, 0.005, rubber(0)});
  for (int i = 0; i < 5; ++i) {  // voxels along a circle of radius 25 mm; the chords have the rest length
    const double angle = 0.2 * i;
    beam.elements.orientation[static_cast<std::size_t>(i)] = Quat(Eigen::AngleAxisd(angle, Vec3::UnitZ()));
    beam.elements.position[static_cast<std::size_t>(i)] =
        0.0025 / std::sin(0.1) * Vec3(std::sin(angle), 1 - std::cos(angle), 0);
  }
  for (const std::size_t v : {0U, 2U, 4U}) EXPECT_LT(beam.strain(v).norm(), 1e-14) << v;
}

TEST(VoxelTensors, YieldedBondsAreStrainedWithoutStress) {
  Still bar({5, 1, 1, 0.005, rubber(0)});
  bar.slack.assign(15, 0.0);
  for (std::size_t a = 0; a < 4; ++a) bar.slack[a] = 0.004 * 0.005;  // a permanent strain of 0.4 % along x
  bar.deform(stretch(0.01, 0, 0));
  EXPECT_NEAR(bar.strain(2)(0, 0), 0.01, 1e-14);
  EXPECT_NEAR(bar.stress(2)(0, 0), 0.006 * rubber_youngs, 1e-8);
  EXPECT_NEAR(plastic_strain(bar.view(), 2), 0.004, 1e-14);
  const BondTotals totals = bar.totals();
  EXPECT_EQ(totals.yielded, 4U);
  EXPECT_NEAR(totals.largest_strain, 0.01, 1e-14);
  EXPECT_NEAR(totals.largest_stress, 0.006 * rubber_youngs, 1e-8);
  // Expected energy: 1/2 E (elastic strain)^2 times the volume of four bonds.
  EXPECT_NEAR(elastic_energy(bar.view()), 4 * 0.5 * rubber_youngs * 0.006 * 0.006 * std::pow(0.005, 3), 1e-15);
}

TEST(VoxelTensors, BrokenBondsCarryNothing) {
  Still bar({5, 1, 1, 0.005, rubber(0.3)});
  bar.topology.bond_at[2][1] = bar.topology.bond_at[3][0] = -1;
  for (const std::size_t v : {3U, 4U}) bar.elements.position[v].x() += 1;  // the end of the bar has moved far away
  const BondTotals totals = bar.totals();
  EXPECT_EQ(totals.broken, 1U);
  EXPECT_LT(totals.largest_strain, 1e-12);
  EXPECT_LT(elastic_energy(bar.view()), 1e-25);
  EXPECT_LT(bar.strain(2).norm(), 1e-12);
  EXPECT_LT(bar.stress(2).norm(), 1e-6);
  EXPECT_FALSE(find_issue(bar.view(), 0).has_value());
}

// ---- The body's channels ----

using Values = std::map<std::string, std::vector<float>>;

/// Returns all channels, requested together, as for a snapshot.
Values all_channels(const VoxelBody& body) {
  std::vector<Channel> wanted;
  for (std::size_t i = 0; i < body.channels().size(); ++i) wanted.push_back({body.channels()[i].name, {}, i});
  body.fill_channels(wanted);
  Values out;
  for (Channel& one : wanted) out[one.name] = std::move(one.values);
  return out;
}

/// Returns a bar with loads that pull on both ends, after `seconds` of settling under global damping.
Lab pulled_bar(double nu, int across, double seconds) {
  BoxSpec spec{16, across, across, 0.005, rubber(nu)};
  spec.material.global_damping = 0.02;
  spec.material.bond_damping = 0.5;
  // Only symmetry keeps the bar in place, so the bar can contract freely.
  Lab lab(box_lattice(spec), {slab_x(0, 0, false, Vec3(-0.25 * across * across, 0, 0)),
                              slab_x(1, 1, false, Vec3(0.25 * across * across, 0, 0))});
  lab.run(seconds);
  return lab;
}

TEST(VoxelChannels, ABarInTensionShowsForceOverAreaAndPoissonsContraction) {
  const double nu = 0.35, sigma = 0.25 / (0.005 * 0.005), eps = sigma / rubber_youngs;  // strain `eps` is 1 %
  Lab lab = pulled_bar(nu, 4, 0.4);
  Values values = all_channels(lab.body());
  const VoxelLattice& lattice = lab.body().lattice();
  double strain_y = 0, stress = 0, mises = 0, axial = 0, pressure = 0;
  int inside = 0;
  for (std::size_t v = 0; v < lattice.cell.size(); ++v) {
    const auto& cell = lattice.cell[v];
    if (cell[0] != 8) continue;  // only one section in the middle is measured
    stress += static_cast<double>(values["stress_max"][v]) / 16;
    mises += static_cast<double>(values["stress"][v]) / 16;
    axial += static_cast<double>(values["stress_axial"][v]) / 16;
    pressure += static_cast<double>(values["pressure"][v]) / 16;
    EXPECT_NEAR(values["strain_max"][v], eps, 0.005 * eps);
    EXPECT_EQ(values["strain"][v], values["strain_max"][v]);
    if (cell[1] == 0 || cell[1] == 3 || cell[2] == 0 || cell[2] == 3) continue;
    strain_y += static_cast<double>(values["strain_min"][v]);
    ++inside;
  }
  ASSERT_EQ(inside, 4);
  // After 0.4 s, the relative amplitude of the remaining oscillation is below 1e-6. The Poisson effect of the lattice
  // has a relative error of 0.2 %.
  EXPECT_NEAR(stress, sigma, 1e-5 * sigma);
  EXPECT_NEAR(axial, sigma, 1e-5 * sigma);
  EXPECT_NEAR(mises, sigma, 2e-3 * sigma);
  EXPECT_NEAR(pressure, -sigma / 3, 2e-3 * sigma / 3);
  EXPECT_NEAR(strain_y / inside, -nu * eps, 2e-3 * nu * eps);
}

TEST(VoxelChannels, AHeatedBlockBetweenWallsIsUnderPressure) {
  for (const double nu : {0.0, 0.3}) {
    BoxSpec spec{5, 5, 5, 0.005, rubber(nu)};
    spec.material.cte = 1e-4;
    VoxelBodyParams params;
    params.wave = TemperatureWave::constant;
    params.temperature_amplitude = 50;
    Lab lab(box_lattice(spec), {VoxelRegion{}}, params);  // every voxel is fixed
    lab.run(1.0 / 120);
    Values values = all_channels(lab.body());
    const double wanted = 3 * bulk_modulus(nu) * 50 * 1e-4;
    EXPECT_NEAR(values["pressure"][62], wanted, 1e-6 * wanted) << nu;  // voxel 62 is the middle one of 125
    EXPECT_NEAR(values["stress"][62], 0, 1e-6 * wanted) << nu;
    // Strains are relative to the thermally expanded size.
    EXPECT_NEAR(values["strain_max"][62], -50 * 1e-4, 1e-9) << nu;
    EXPECT_NEAR(values["strain"][62], 50 * 1e-4, 1e-9) << nu;
    EXPECT_EQ(values["temperature"][62], 50) << nu;
  }
}

TEST(VoxelChannels, AtRestTheBondsPullOnEachVoxelWithWhatElseActsOnIt) {
  Lab lab = pulled_bar(0, 1, 0.4);
  Values values = all_channels(lab.body());
  EXPECT_NEAR(values["force"].front(), 0.25, 1e-3);  // the external load on the end voxel
  EXPECT_NEAR(values["force"].back(), 0.25, 1e-3);
  for (std::size_t v = 1; v < 15; ++v) EXPECT_NEAR(values["force"][v], 0, 1e-3);
}

TEST(VoxelChannels, AskedForAloneOrTogetherTheyAreTheSame) {
  Lab lab = pulled_bar(0.3, 3, 0.02);
  const Values together = all_channels(lab.body());
  for (std::size_t i = 0; i < lab.body().channels().size(); ++i) {
    std::vector<float> alone{1, 2, 3};
    lab.body().channel(i, alone);
    EXPECT_EQ(alone, together.at(lab.body().channels()[i].name)) << lab.body().channels()[i].name;
  }
}

TEST(VoxelChannels, PartsOfTheEnergySumToTheBodys) {
  Lab lab = pulled_bar(0.3, 3, 0.02);
  Values values = all_channels(lab.body());
  double elastic = 0, kinetic = 0;
  for (const float e : values["elastic_energy"]) elastic += static_cast<double>(e);
  for (const float e : values["kinetic_energy"]) kinetic += static_cast<double>(e);
  EXPECT_NEAR(elastic, lab.diagnostics().elastic, 1e-6 * lab.diagnostics().elastic);
  EXPECT_NEAR(kinetic, lab.diagnostics().kinetic, 1e-6 * lab.diagnostics().kinetic);
}

TEST(VoxelChannels, ThoseThatCanBeNegativeAreSigned) {
  Lab lab = pulled_bar(0.3, 2, 0.02);
  Values values = all_channels(lab.body());
  for (const ChannelInfo& info : lab.body().channels()) {
    if (info.is_signed) continue;
    EXPECT_THAT(values[info.name], testing::Each(testing::Ge(0.0F))) << info.name;
  }
}

TEST(VoxelTotals, CountContactsAndTellTheLargestStrainAndStress) {
  BoxSpec spec{4, 3, 3, 0.01, rubber(0)};
  spec.material.global_damping = 0.1;
  VoxelBodyParams params;
  params.position = Vec3(0, -1e-5, 0);
  Lab lab(box_lattice(spec), {}, params, {ground()});
  lab.context().gravity = Vec3(0, -9.81, 0);
  lab.run(0.3);
  std::vector<Total> totals(3);
  lab.body().totals(totals);
  std::map<std::string_view, double> value;
  for (const Total& total : totals) value[total.name] = total.value;
  EXPECT_EQ(value.size(), 7U);
  EXPECT_EQ(value["voxels_in_contact"], 12);
  EXPECT_EQ(value["broken_bonds"], 0);
  EXPECT_EQ(value["plastic_bonds"], 0);
  // The bonds between the lowest two layers carry two of the three layers.
  const double wanted = 2 * 1000 * 9.81 * 0.01;
  EXPECT_NEAR(value["largest_stress"], wanted, 0.01 * wanted);
  EXPECT_NEAR(value["largest_strain"], wanted / rubber_youngs, 0.01 * wanted / rubber_youngs);
}

}  // namespace
}  // namespace vw::test
