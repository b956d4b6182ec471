// Materials that yield and break. The force of a bond over a cyclic strain path is compared with the given
// stress-strain curve. Further tests check the effects of a break.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/voxel/lab.h"

namespace vw::test {
namespace {

constexpr double bar_edge = 0.01;
constexpr double bar_area = bar_edge * bar_edge;

/// Stress by the definition of the law, for strains that change in small increments. While |stress| is below the yield
/// stress, the slope is E. The yield stress is the largest |stress| since first yield. At the yield stress, the slope
/// is `slope()`. Tension and compression are treated alike.
class Curve {
 public:
  Curve(double youngs, std::vector<std::pair<double, double>> points)
      : youngs_(youngs), points_(std::move(points)), yield_(points_.front().second) {}
  double to(double strain) {
    const int steps = 2000;
    const double d = (strain - strain_) / steps;
    for (int i = 0; i < steps; ++i) {
      const double trial = stress_ + youngs_ * d;
      if (std::abs(trial) <= yield_) {
        stress_ = trial;
        continue;
      }
      const double beyond = (std::abs(trial) - yield_) / youngs_;
      yield_ += slope() * beyond;
      stress_ = trial > 0 ? yield_ : -yield_;
    }
    strain_ = strain;
    return stress_;
  }

 private:
  /// Returns the slope of the table at the current yield stress.
  [[nodiscard]] double slope() const {
    for (std::size_t i = 1; i < points_.size(); ++i)
      if (yield_ < points_[i].second)
        return (points_[i].second - points_[i - 1].second) / (points_[i].first - points_[i - 1].first);
    return 0;
  }
  double youngs_;
  /// Strains and stresses, starting at first yield, in ascending order.
  std::vector<std::pair<double, double>> points_;
  double yield_, strain_ = 0, stress_ = 0;
};

VoxelMaterial plain(double youngs = 1e6) {
  VoxelMaterial m;
  m.youngs_modulus = youngs;
  m.bond_damping = 0;
  return m;
}
VoxelMaterial bilinear(double youngs = 1e6, double yield = 1e4, double plastic = 2e5) {
  VoxelMaterial m = plain(youngs);
  m.model = StressModel::bilinear;
  m.yield_stress = yield, m.plastic_modulus = plastic;
  return m;
}
VoxelMaterial table(NumberList strain, NumberList stress) {
  VoxelMaterial m = plain(12345);  // this modulus must have no effect, because the first pair of the table determines E
  m.model = StressModel::data;
  m.strain_data = std::move(strain), m.stress_data = std::move(stress);
  return m;
}

/// Two voxels at a prescribed distance. The force follows from the velocity change of the second voxel in one substep.
class Pull {
 public:
  explicit Pull(const VoxelMaterial& a, const VoxelMaterial* b = nullptr, int axis = 0,
                Precision precision = Precision::mixed)
      : axis_(axis), lab_(make(a, b, axis, precision)) {}
  /// Returns the stress [Pa] after the strain has changed to `strain` in small steps.
  double to(double strain, int steps = 200) {
    double stress = 0;
    for (int i = 1; i <= steps; ++i) stress = at(strain_ + (strain - strain_) * i / steps);
    strain_ = strain;
    return stress;
  }
  [[nodiscard]] double lasting_strain() const {
    return lab_.body().memory().slack[static_cast<std::size_t>(axis_) * 2] / bar_edge;
  }
  [[nodiscard]] bool broken() const {
    return !lab_.body().memory().broken.empty() && lab_.body().memory().broken[0] != 0;
  }
  [[nodiscard]] Lab& lab() { return lab_; }

 private:
  static Lab make(const VoxelMaterial& a, const VoxelMaterial* b, int axis, Precision precision) {
    BoxSpec spec{axis == 0 ? 2 : 1, axis == 1 ? 2 : 1, axis == 2 ? 2 : 1, bar_edge, a};
    VoxelLattice lattice = box_lattice(spec);
    if (b != nullptr) {
      lattice.materials.push_back(*b);
      lattice.material_name.emplace_back("other");
      lattice.material[1] = 1;
    }
    VoxelRegion first;
    first.max = Vec3::Ones();
    first.max[axis] = 0.4;
    VoxelBodyParams params;
    params.voxel_size_m = bar_edge;
    params.precision = precision;
    return Lab(std::move(lattice), {first}, params);
  }
  double at(double strain) {
    Elements& e = lab_.body().elements();
    e.position[1] = e.position[0] + bar_edge * (1 + strain) * Vec3::Unit(axis_);
    e.orientation[1] = Quat::Identity();
    e.velocity[1].setZero();
    e.angular_velocity[1].setZero();
    constexpr double dt = 1e-6;
    lab_.context().dt = dt;
    lab_.step(1);
    return -e.velocity[1][axis_] * e.mass[1] / dt / bar_area;
  }
  int axis_;
  Lab lab_;
  double strain_ = 0;
};

// Tolerance in float. The difference from the rest shape has a rounding error of 6e-8 of the strain, and the law adds a
// few roundings. The division of a strain path into 200 steps causes no error.
constexpr double float_error = 1e-6;

TEST(MaterialLaw, BilinearYieldsAndUnloadsAsItsCurveInTensionAndCompression) {
  for (int axis = 0; axis < 3; ++axis)
    for (const double sign : {1.0, -1.0}) {  // a strain path and the mirror image of that path
      Pull pull(bilinear(), nullptr, axis);
      Curve curve(1e6, {{0.01, 1e4}, {1, 1e4 + 0.99 * 2e5}});
      // The strain path consists of elastic loading, yielding, unloading to zero stress, reloading beyond the previous
      // maximum, compression with yielding, and return.
      for (const double strain : {0.006, 0.01, 0.03, 0.016, 0.03, 0.05, 0.0, -0.02, 0.0, 0.08}) {
        const double expected = curve.to(sign * strain);
        EXPECT_NEAR(pull.to(sign * strain), expected, float_error * 1e6 * 0.1 + 1e-3 * 1e6 * 0.1 / 2000)
            << "axis " << axis << ", strain " << sign * strain;
      }
    }
}

TEST(MaterialLaw, WhatRemainsUnloadedIsThePermanentSet) {
  // For sigma_y = 1e4, E = 1e6 and E_p = 2e5, a strain of 0.03 gives a stress of 1.4e4 and a permanent strain of 0.03 -
  // 0.014 (sigma_y: yield stress, E_p: plastic modulus).
  for (const double sign : {1.0, -1.0}) {
    Pull pull(bilinear());
    EXPECT_NEAR(pull.to(sign * 0.03), sign * 1.4e4, 0.1);
    EXPECT_NEAR(pull.lasting_strain(), sign * 0.016, 1e-8);
    EXPECT_NEAR(pull.to(sign * 0.016), 0, 0.1);
    EXPECT_NEAR(pull.lasting_strain(), sign * 0.016, 1e-8);  // unloading adds no permanent strain
    // At its original length, the bond is in compression. It is elastic up to the highest previous yield stress and has
    // the slope E_p beyond that stress.
    EXPECT_NEAR(pull.to(0), -sign * (1.4e4 + (0.016 - 0.014) * 2e5), 0.1);
  }
}

TEST(MaterialLaw, NothingLastsBelowYield) {
  Pull pull(bilinear());
  for (const double strain : {0.0099, -0.0099, 0.0}) pull.to(strain);
  EXPECT_EQ(pull.lasting_strain(), 0);
}

TEST(MaterialLaw, OneLargeStepYieldsAsFarAsManySmallOnes) {
  Pull once(bilinear()), slowly(bilinear());
  EXPECT_NEAR(once.to(0.06, 1), slowly.to(0.06, 500), 0.1);
  EXPECT_NEAR(once.lasting_strain(), slowly.lasting_strain(), 1e-9);
}

TEST(MaterialLaw, DataFollowsItsTableLinearlyBetweenPoints) {
  const NumberList strain{0.01, 0.02, 0.05, 0.1}, stress{1e4, 1.4e4, 2e4, 2e4};
  for (const double sign : {1.0, -1.0}) {
    Pull pull(table(strain, stress));
    for (const auto& [at, expected] : std::vector<std::pair<double, double>>{{0.005, 5e3},
                                                                             {0.01, 1e4},
                                                                             {0.015, 1.2e4},
                                                                             {0.02, 1.4e4},
                                                                             {0.035, 1.7e4},
                                                                             {0.05, 2e4},
                                                                             {0.08, 2e4},
                                                                             {0.3, 2e4}})
      EXPECT_NEAR(pull.to(sign * at), sign * expected, 1) << at;
    EXPECT_NEAR(pull.to(sign * 0.29), sign * 1e4, 1);  // the material unloads with slope E
  }
}

TEST(MaterialLaw, DataCrossesSeveralPointsInOneStep) {
  Pull pull(table({0.01, 0.02, 0.05, 0.1}, {1e4, 1.4e4, 2e4, 2e4}));
  EXPECT_NEAR(pull.to(0.035, 1), 1.7e4, 1);
}

TEST(MaterialLaw, DataOfOnePointIsPerfectlyPlastic) {
  Pull pull(table({0.01}, {1e4}));
  EXPECT_NEAR(pull.to(0.004), 4e3, 1);
  EXPECT_NEAR(pull.to(0.2), 1e4, 1);
}

TEST(MaterialLaw, KeepsATenthOfItsLengthHoweverHardItIsCrushed) {
  for (const VoxelMaterial& material : {table({0.01}, {1e4}), bilinear(1e6, 1e4, 0)}) {
    Pull pull(material);
    EXPECT_NEAR(pull.to(-0.85), -1e4, 10);
    pull.to(-0.95);
    EXPECT_NEAR(pull.lasting_strain(), -0.9, 1e-12);
    EXPECT_NEAR(pull.to(-0.95), -0.05e6, 100);  // elastic when the strain increases from -0.95
    EXPECT_NEAR(pull.to(-0.9), 0, 10);
  }
}

TEST(MaterialLaw, WhatIsCrushedAndThenShrinksInTheColdKeepsATenthToo) {
  const VoxelLattice lattice = box_lattice({2, 1, 1, bar_edge, table({0.01}, {1e4})});
  const LatticeTopology topology = make_topology(lattice);
  const LatticeConstants constants = make_constants(lattice, topology);
  const LatticeLaws laws = make_laws(lattice, topology);
  BondMemory memory;
  memory.slack.assign(6, 0.0), memory.flowed.assign(6, 0.0);
  memory.slack[laws.rows.at(0).slot] = -0.9 * bar_edge;
  const std::vector<double> strain(6, 0.0), cold(2, 0.8 * 0.5 * bar_edge);
  std::vector<std::uint32_t> broken;
  apply_laws(laws, {&topology, &constants, strain, {}, cold}, memory, broken, {0, 1});
  EXPECT_DOUBLE_EQ(memory.slack[laws.rows[0].slot], -0.9 * 0.8 * bar_edge);
  EXPECT_TRUE(broken.empty());
}

TEST(MaterialLaw, BetweenTwoMaterialsTheWeakerHalfYields) {
  // The bond consists of two halves in series, with the moduli E1 and E2. Below yield, its modulus is 2 E1 E2 / (E1 +
  // E2). Beyond yield, the plastic modulus E_p replaces E2, so its modulus is 2 E1 E_p / (E1 + E_p). Unloading follows
  // the modulus below yield.
  const VoxelMaterial hard = plain(4e6), weak = bilinear(1e6, 1e4, 2e5);
  const double elastic = 2 * 4e6 * 1e6 / 5e6, plastic = 2 / (1 / 4e6 + 1 / 2e5);
  Pull pull(hard, &weak);
  const double at_yield = 1e4 / elastic;
  EXPECT_NEAR(pull.to(at_yield), 1e4, 1);
  EXPECT_NEAR(pull.to(at_yield + 0.02), 1e4 + 0.02 * plastic, 1);
  EXPECT_NEAR(pull.to(at_yield + 0.015), 1e4 + 0.02 * plastic - 0.005 * elastic, 1);
}

TEST(MaterialLaw, InDoubleTheCurveIsExact) {
  Pull pull(bilinear(), nullptr, 0, Precision::full);
  EXPECT_NEAR(pull.to(0.03), 1.4e4, 1e-6);
  // In compression, the bond yields below -1.4e4 Pa. This stress is reached when the strain has decreased by 0.028.
  EXPECT_NEAR(pull.to(-0.05), -(1.4e4 + (0.08 - 0.028) * 2e5), 1e-6);
}

/// Returns the mean stress [Pa] in the middle of a bar of 3 x 3 voxels after a slow stretch by 2 %.
double stress_of_pulled_bar(Integrator integrator, double poissons_ratio) {
  BoxSpec spec{10, 3, 3, bar_edge, bilinear(1e6, 1e4, 2e5)};
  spec.material.poissons_ratio = poissons_ratio;
  spec.material.bond_damping = 1;
  spec.material.global_damping = 0.05;
  VoxelRegion end = slab_x(0.95, 1, true);
  end.freedoms = {"x", "rx", "ry", "rz"};
  end.displacement = Vec3(0.02 * 9 * bar_edge, 0, 0);
  end.ramp_s = 0.4;
  VoxelRegion start = slab_x(0, 0.05, true);
  start.freedoms = {"x", "rx", "ry", "rz"};
  VoxelRegion pin = slab_x(0, 0.05, true);  // the middle of the first layer is fixed to prevent lateral drift
  pin.min = Vec3(0, 0.4, 0.4), pin.max = Vec3(0.05, 0.6, 0.6);
  VoxelBodyParams params;
  params.integrator = integrator;
  Lab lab(box_lattice(spec), {start, end, pin}, params);
  lab.run(0.6);
  std::vector<float> stress;
  for (std::size_t i = 0; i < lab.body().channels().size(); ++i)
    if (lab.body().channels()[i].name == "stress") lab.body().channel(i, stress);
  EXPECT_EQ(stress.size(), 90U);
  double mean = 0;
  for (std::size_t v = 0; v < stress.size(); ++v)
    if (lab.body().lattice().cell[v][0] == 5) mean += static_cast<double>(stress[v]) / 9;
  return mean;
}

TEST(MaterialLaw, WithAPoissonEffectABarYieldsAtTheSameStress) {
  // The expected stress is that of one-dimensional plasticity, although the bonds themselves contribute only 2 G e (G:
  // shear modulus, e: strain). The plastic flow of a bond also relieves the stress of the other bonds of the voxel.
  const double expected = 1e4 + 0.01 * 2e5;
  for (const double nu : {0.3, 0.45}) {
    EXPECT_NEAR(stress_of_pulled_bar(Integrator::explicit_symplectic, nu), expected, 0.05 * expected) << nu;
    EXPECT_NEAR(stress_of_pulled_bar(Integrator::implicit_euler, nu), expected, 0.05 * expected) << nu;
  }
}

// ---- Breaking ----

TEST(MaterialLaw, ABlockThatYieldsOnAllSidesAtOnceGainsNoEnergy) {
  // A nearly incompressible, lightly damped block hits the ground with a corner at 2 m/s. The plastic flow of each bond
  // relieves the neighbouring bonds through the volume coupling.
  BoxSpec spec{5, 4, 4, 0.02, bilinear(5e7, 2e5, 5e6)};
  spec.material.poissons_ratio = 0.49, spec.material.density = 800;
  VoxelBodyParams params;
  params.voxel_size_m = 0.02;
  params.rotation = Vec3(2.5, 2.2, -0.2), params.position = Vec3(0, 0.03, 0), params.velocity = Vec3(0, -2, 0);
  Lab lab(box_lattice(spec), {}, params, {ground()});
  lab.context().gravity = Vec3(0, -9.81, 0);
  const double start = lab.diagnostics().kinetic + lab.diagnostics().potential;
  for (int i = 0; i < 30; ++i) {
    lab.run(1.0 / 120);
    ASSERT_LT(lab.diagnostics().kinetic + lab.diagnostics().potential, 1.01 * start) << i;
  }
}

TEST(MaterialLaw, BreaksAtItsFailureStressInTensionOnly) {
  VoxelMaterial m = plain();
  m.failure_stress = 2e4;
  Pull pull(m);
  EXPECT_NEAR(pull.to(-0.3), -3e5, 1);
  EXPECT_NEAR(pull.to(0.0199), 1.99e4, 1);
  EXPECT_FALSE(pull.broken());
  pull.to(0.0201, 1);
  EXPECT_TRUE(pull.broken());
  EXPECT_EQ(pull.to(0.03), 0);  // after the break the bond carries no load in either direction
  EXPECT_EQ(pull.to(0.001), 0);
}

TEST(MaterialLaw, BreaksAtItsFailureStrainWhateverTheStressOrTheSet) {
  VoxelMaterial m = bilinear();
  m.failure_strain = 0.05;
  Pull pull(m);
  for (const double strain : {0.04, 0.02, 0.0499}) pull.to(strain);
  EXPECT_FALSE(pull.broken());
  pull.to(0.0501, 1);
  EXPECT_TRUE(pull.broken());
}

TEST(MaterialLaw, AYieldingBondBreaksWhenItsHardenedStressGetsThere) {
  VoxelMaterial m = bilinear();
  // The bond reaches this stress at a strain of 0.01 + 6e3 / 2e5 = 0.04. An elastic bond would have a stress of 4e4 Pa
  // there.
  m.failure_stress = 1.6e4;
  Pull pull(m);
  pull.to(0.0399);
  EXPECT_FALSE(pull.broken());
  pull.to(0.0402);
  EXPECT_TRUE(pull.broken());
}

/// Returns a bar with one weak layer in the middle. The layer breaks while each half moves away from the middle at
/// `speed`.
Lab broken_bar(double speed) {
  BoxSpec spec{8, 2, 2, bar_edge, plain(1e5)};
  spec.material.bond_damping = 0.3;
  VoxelLattice lattice = box_lattice(spec);
  lattice.materials.push_back(spec.material);
  lattice.materials[1].failure_stress = 200;
  lattice.material_name.emplace_back("weak");
  for (std::size_t v = 0; v < lattice.cell.size(); ++v) lattice.material[v] = lattice.cell[v][0] == 3 ? 1 : 0;
  VoxelBodyParams params;
  params.voxel_size_m = bar_edge;
  Lab lab(std::move(lattice), {}, params);
  Elements& e = lab.body().elements();
  for (std::size_t v = 0; v < e.size(); ++v) e.velocity[v].x() = lab.body().lattice().cell[v][0] < 4 ? -speed : speed;
  return lab;
}

bool left(const Lab& lab, std::size_t v) { return lab.body().lattice().cell[v][0] < 4; }
double middle_of(const Lab& lab, bool of_left) {
  double sum = 0;
  for (std::size_t v = 0; v < 32; ++v)
    if (left(lab, v) == of_left) sum += lab.position(v).x() / 16;
  return sum;
}

TEST(BrokenHalves, CollideInsteadOfPassing) {
  Lab lab = broken_bar(0.5);
  // The parameter is off, but a body in several pieces always has self-contact.
  EXPECT_FALSE(lab.body().params().self_contact);
  lab.run(0.05);
  const auto broken = std::count(lab.body().memory().broken.begin(), lab.body().memory().broken.end(), 1);
  ASSERT_GE(broken, 4);
  EXPECT_GT(middle_of(lab, false) - middle_of(lab, true), 0.045);
  // The halves are thrown towards each other at 0.4 m/s each.
  Elements& e = lab.body().elements();
  for (std::size_t v = 0; v < e.size(); ++v) {
    e.velocity[v] = Vec3(left(lab, v) ? 0.4 : -0.4, 0, 0);
    e.angular_velocity[v].setZero();
  }
  double nearest = 1;
  const Vec3 momentum = lab.diagnostics().momentum;
  for (int i = 0; i < 60; ++i) {
    lab.run(1.0 / 240);
    nearest = std::min(nearest, middle_of(lab, false) - middle_of(lab, true));
    ASSERT_FALSE(lab.body().check_health().has_value());
  }
  // The distance is 0.04 if the halves rest side by side. It is negative if they passed through each other.
  EXPECT_GT(nearest, 0.02);
  EXPECT_GT(middle_of(lab, false) - middle_of(lab, true), nearest + 0.001);  // the halves rebounded
  EXPECT_LT((lab.diagnostics().momentum - momentum).norm(), 1e-9 * 32e-3 * 0.4);
}
TEST(BrokenHalves, WhatTheBreakLaysBareBecomesSurface) {
  Lab lab = broken_bar(0.5);
  SystemSnapshot whole;
  lab.body().snapshot(whole);
  const std::size_t quads = skin_of(whole)->quads.size();
  lab.run(0.05);
  const LatticeTopology& topology = lab.body().topology();
  std::size_t laid_bare = 0;
  for (std::size_t i = 0; i < topology.bonds.size(); ++i) {
    if (lab.body().memory().broken[i] == 0) continue;
    const std::size_t axis = i < topology.axis_bonds[0].end ? 0 : i < topology.axis_bonds[1].end ? 1 : 2;
    const auto a = static_cast<std::size_t>(topology.bonds[i].a), b = static_cast<std::size_t>(topology.bonds[i].b);
    // Collisions with other bodies use open_faces.
    EXPECT_TRUE((lab.body().elements().open_faces[a] >> (2 * axis + 1) & 1) != 0);
    EXPECT_TRUE((lab.body().elements().open_faces[b] >> (2 * axis) & 1) != 0);
    EXPECT_TRUE((topology.exposed[a] >> (2 * axis + 1) & 1) != 0);  // contact and wind use this array
    ++laid_bare;
  }
  ASSERT_GE(laid_bare, 4U);
  SystemSnapshot parted;
  lab.body().snapshot(parted);
  EXPECT_EQ(skin_of(parted)->quads.size(), quads + 2 * laid_bare);  // drawing uses the quads
}

TEST(BrokenHalves, StandOnTheGroundWithTheFacesThatWereInside) {
  // A column breaks in the middle. The upper half falls on and beside the lower half. The faces in contact were inside
  // the column before the break.
  BoxSpec spec{3, 6, 3, bar_edge, plain(1e5)};
  spec.material.bond_damping = 0.5;
  spec.material.failure_stress = 300;
  Lab lab(box_lattice(spec), {}, {}, {ground()});
  Elements& e = lab.body().elements();
  for (std::size_t v = 0; v < e.size(); ++v)
    if (lab.body().lattice().cell[v][1] >= 3) e.velocity[v] = Vec3(1.2, 1.5, 0);  // upwards and sideways
  lab.context().gravity = Vec3(0, -9.81, 0);
  lab.run(1);
  std::size_t on_the_ground = 0;
  for (std::size_t v = 0; v < e.size(); ++v) {
    EXPECT_GT(lab.position(v).y(), 0.003) << v;
    const bool once_inside = lab.body().lattice().cell[v][1] == 3 && lab.body().lattice().cell[v][0] == 1 &&
                             lab.body().lattice().cell[v][2] == 1;
    if (once_inside && lab.position(v).y() < 0.006) ++on_the_ground;
  }
  EXPECT_EQ(on_the_ground, 1U);
}

// ---- State ----

TEST(MaterialLaw, PermanentSetAndCracksSurviveSaveAndRestoreBitForBit) {
  for (const Integrator integrator : {Integrator::explicit_symplectic, Integrator::implicit_euler}) {
    const auto make = [&] {
      BoxSpec spec{6, 4, 4, bar_edge, bilinear(1e5, 1e3, 2e4)};
      spec.material.failure_strain = 0.15;
      spec.material.poissons_ratio = 0.3;
      VoxelBodyParams params;
      params.voxel_size_m = bar_edge;
      params.integrator = integrator;
      Lab lab(box_lattice(spec), {}, params, {ground()});
      lab.context().gravity = Vec3(0, -9.81, 0);
      Elements& e = lab.body().elements();
      for (std::size_t v = 0; v < e.size(); ++v)
        e.velocity[v] = Vec3(150 * (e.position[v].x() - 0.03) * (v % 3 == 0 ? 1.6 : 1), -1, 0);
      return lab;
    };
    Lab first = make();
    first.run(0.02);
    const BondMemory& memory = first.body().memory();
    ASSERT_GT(std::count_if(memory.slack.begin(), memory.slack.end(), [](double s) { return s != 0; }), 10);
    ASSERT_GT(std::count(memory.broken.begin(), memory.broken.end(), 1), 0);
    ASSERT_LT(std::count(memory.broken.begin(), memory.broken.end(), 1),
              static_cast<std::ptrdiff_t>(memory.broken.size()));
    StateBlock block;
    StateWriter writer(block);
    first.body().visit_state(writer);
    Lab second = make();
    StateReader reader(block);
    second.body().visit_state(reader);
    ASSERT_EQ(reader.error(), "");
    ASSERT_EQ(second.body().state_problem(), "");
    second.body().state_restored();
    second.context().time = first.context().time;
    EXPECT_EQ(second.body().memory().slack, memory.slack);
    EXPECT_EQ(second.body().memory().flowed, memory.flowed);
    EXPECT_EQ(second.body().memory().broken, memory.broken);
    EXPECT_EQ(second.body().topology().exposed, first.body().topology().exposed);
    EXPECT_EQ(second.body().elements().open_faces, first.body().elements().open_faces);
    EXPECT_EQ(second.body().stable_dt(0), first.body().stable_dt(0));
    first.run(0.03);
    second.run(0.03);
    EXPECT_EQ(second.hash(), first.hash());
  }
}

TEST(MaterialLaw, AStateWithHalfOfTheHistoryOfTheBondsIsRefused) {
  Lab lab(box_lattice({3, 1, 1, bar_edge, bilinear()}));
  StateBlock block;
  StateWriter writer(block);
  lab.body().visit_state(writer);
  for (StateBlock::Entry& entry : block.entries)
    if (entry.name == "flowed") entry.size = 0;
  StateReader reader(block, StateSource::file);
  lab.body().visit_state(reader);
  EXPECT_EQ(reader.error(), "");
  EXPECT_NE(lab.body().state_problem(), "");
}

// ---- The same laws with the implicit integrator ----

/// Moves the second of two fixed voxels so that the strain of their bond takes each of five values in turn. Returns the
/// permanent strain after each value. Fixed voxels do not move by themselves, so only the material law acts.
std::vector<double> lasting(Integrator integrator, const VoxelMaterial& material) {
  VoxelBodyParams params;
  params.voxel_size_m = bar_edge;
  params.integrator = integrator;
  VoxelRegion all;
  Lab lab(box_lattice({2, 1, 1, bar_edge, material}), {all}, params);
  std::vector<double> out;
  double now = 0;
  for (const double strain : {0.008, 0.03, 0.01, -0.02, 0.04}) {
    const double from = now;
    for (int i = 1; i <= 50; ++i) {
      now = from + (strain - from) * i / 50;
      lab.body().elements().position[1].x() = lab.position(0).x() + bar_edge * (1 + now);
      lab.context().dt = 1e-4;
      lab.step(1);
    }
    out.push_back(lab.body().memory().slack[0] / bar_edge);
  }
  return out;
}

TEST(MaterialLaw, TheImplicitIntegratorYieldsTheSameInTensionAndCompression) {
  for (const VoxelMaterial& material : {bilinear(), table({0.01, 0.02, 0.05}, {1e4, 1.4e4, 2e4})}) {
    const auto fast = lasting(Integrator::explicit_symplectic, material),
               slow = lasting(Integrator::implicit_euler, material);
    EXPECT_EQ(fast[0], 0);
    EXPECT_GT(fast[1], 0.01);
    EXPECT_EQ(fast[2], fast[1]);
    EXPECT_LT(fast[3], 0.5 * fast[2]);  // compression has reduced the permanent strain
    for (std::size_t i = 0; i < fast.size(); ++i) EXPECT_NEAR(slow[i], fast[i], 1e-8) << i;
  }
}

}  // namespace
}  // namespace vw::test
