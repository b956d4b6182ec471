// Natural frequencies, compared with the formulas for beams, chains and strings and with simulated motion. Further
// tests cover cases that are difficult for eigenvalue solvers.
#include <gtest/gtest.h>

#include "sim/base/parallel/parallel.h"
#include "sim/system/voxel/analysis/modes.h"
#include "tests/support/validation.h"
#include "tests/voxel/lab.h"

namespace vw::test {
namespace {

/// A lattice at rest for modal analysis.
struct ModalLab {
  VoxelLattice lattice;
  LatticeTopology topology = make_topology(lattice);
  LatticeConstants constants = make_constants(lattice, topology);
  ResolvedRegions regions;
  std::vector<Vec3> position;
  std::vector<Quat> orientation;
  std::vector<double> half_edge, slack;
  bool stressed = false;
  ModalOptions options;

  explicit ModalLab(VoxelLattice shape, const std::vector<VoxelRegion>& boxes = {})
      : lattice(std::move(shape)), regions(resolve_regions(lattice, boxes)) {
    for (const auto& cell : lattice.cell)
      position.push_back(lattice.edge_m * (Vec3(cell[0], cell[1], cell[2]) + Vec3::Constant(0.5)));
    orientation.assign(position.size(), Quat::Identity());
    half_edge.assign(position.size(), 0.5 * lattice.edge_m);
  }
  [[nodiscard]] Result<ModalAnalysis> find(int count) {
    options.count = count;
    return find_modes({&topology, &constants, &regions, position, orientation, half_edge, slack, stressed}, options);
  }
  /// Runs the modal analysis and expects success.
  [[nodiscard]] ModalAnalysis modes(int count) {
    auto found = find(count);
    EXPECT_TRUE(found) << (found ? "" : found.error().message());
    return found ? *found : ModalAnalysis{};
  }
};

BoxSpec row_spec(int voxels, double nu = 0) {
  BoxSpec spec{voxels, 1, 1, 0.005};
  spec.material.poissons_ratio = nu;
  return spec;
}
constexpr double beam_youngs = 1e6, beam_density = 1000, beam_edge = 0.005, beam_area = beam_edge * beam_edge,
                 beam_second_moment = beam_area * beam_area / 12;

double bending_hertz(double beta_length, double length) {
  return beta_length * beta_length / (2 * pi) *
         std::sqrt(beam_youngs * beam_second_moment / (beam_density * beam_area * std::pow(length, 4)));
}

/// Returns the frequencies [Hz] of the flexible modes in which most of the motion belongs to one degree of freedom:
/// translation along an axis (0..2) or rotation about an axis (3..5).
std::vector<double> hertz_along(const ModalAnalysis& found, int freedom) {
  std::vector<double> out;
  for (const Mode& mode : found.modes) {
    if (mode.kind != ModeKind::flexible) continue;
    Eigen::Matrix<double, 6, 1> share = Eigen::Matrix<double, 6, 1>::Zero();
    for (std::size_t v = 0; v < mode.displacement.size(); ++v) {
      share.head<3>() += mode.displacement[v].cwiseAbs2();
      share.tail<3>() += beam_edge * beam_edge / 6 * mode.rotation[v].cwiseAbs2();
    }
    Eigen::Index largest = 0;
    share.maxCoeff(&largest);
    if (largest == freedom) out.push_back(mode.hertz);
  }
  return out;
}

TEST(VoxelModes, ClampedRowSwingsAsEulerAndBernoulliSay) {
  constexpr int voxels = 20;
  ModalLab lab(box_lattice(row_spec(voxels)), {clamp_of(voxels)});
  const ModalAnalysis found = lab.modes(12);
  ASSERT_EQ(found.modes.size(), 12U);
  EXPECT_EQ(found.rigid, 0U);
  const double length = (voxels - 0.5) * beam_edge;
  const auto up = hertz_along(found, 1), side = hertz_along(found, 2);
  ASSERT_GE(up.size(), 3U);
  expect_case("voxel", "Modes: clamped row, first bending", up[0], bending_hertz(1.8751041, length), 0.005, "Hz");
  expect_case("voxel", "Modes: clamped row, second bending", up[1], bending_hertz(4.6940911, length), 0.01, "Hz");
  expect_case("voxel", "Modes: clamped row, third bending", up[2], bending_hertz(7.8547574, length), 0.025, "Hz");
  // The cross-section is square. By symmetry, every bending frequency occurs twice, and the mode shapes follow the axes
  // of the lattice.
  for (std::size_t i = 0; i < std::min(up.size(), side.size()); ++i) EXPECT_NEAR(side[i], up[i], 1e-7 * up[i]);
  for (const Mode& mode : found.modes) EXPECT_LT(mode.residual, 1e-6);
}

TEST(VoxelModes, FreeRowHasSixRigidMotionsAndSwingsAsAFreeBeam) {
  constexpr int voxels = 24;
  ModalLab lab(box_lattice(row_spec(voxels)));
  const ModalAnalysis found = lab.modes(16);
  EXPECT_EQ(found.rigid, 6U);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(found.modes[i].kind, ModeKind::rigid);
    EXPECT_EQ(found.modes[i].hertz, 0);
    EXPECT_LT(found.modes[i].residual, 1e-6) << "no stiffness resists it";
  }
  const auto up = hertz_along(found, 1);
  ASSERT_GE(up.size(), 2U);
  expect_case("voxel", "Modes: free row, first bending", up[0], bending_hertz(4.7300407, voxels * beam_edge), 0.005,
              "Hz");
  expect_case("voxel", "Modes: free row, second bending", up[1], bending_hertz(7.8532046, voxels * beam_edge), 0.015,
              "Hz");
}

TEST(VoxelModes, ARowStretchesAndTwistsLikeAChainToTheLastDigits) {
  constexpr int voxels = 12, links = voxels - 1;
  ModalLab lab(box_lattice(row_spec(voxels, 0)), {clamp_of(voxels)});
  const ModalAnalysis found = lab.modes(6 * links);
  const auto stretch = hertz_along(found, 0), twist = hertz_along(found, 3);
  ASSERT_EQ(stretch.size(), static_cast<std::size_t>(links));
  ASSERT_EQ(twist.size(), static_cast<std::size_t>(links));
  const double mass = beam_density * beam_area * beam_edge, shear = beam_youngs / 2;
  const double chain = std::sqrt(beam_youngs * beam_edge / mass),
               torsion = std::sqrt(shear * 0.1406 * std::pow(beam_edge, 3) / (mass * beam_area / 6));
  for (int i = 0; i < links; ++i) {
    const double wave = 2 * std::sin((2 * i + 1) * pi / (2 * (2 * links + 1))) / (2 * pi);
    EXPECT_NEAR(stretch[static_cast<std::size_t>(i)], chain * wave, 1e-9 * chain);
    EXPECT_NEAR(twist[static_cast<std::size_t>(i)], torsion * wave, 1e-4 * torsion) << "0.1406 has four digits";
  }
  const double bar = 0.25 * std::sqrt(beam_youngs / beam_density) / ((voxels - 0.5) * beam_edge);
  expect_case("voxel", "Modes: clamped bar, first longitudinal", stretch[0], bar, 0.002, "Hz");
}

TEST(VoxelModes, MotionItselfHasTheFrequencyOfItsMode) {
  // A thick block with Poisson effect starts in the third mode with a small velocity. After one period, the block must
  // return to the initial state.
  BoxSpec spec{6, 3, 2, 0.005};
  spec.material.poissons_ratio = 0.35;
  const std::vector<VoxelRegion> clamp{slab_x(0, 0.1, true)};
  ModalLab lab(box_lattice(spec), clamp);
  const Mode mode = lab.modes(3).modes.at(2);
  Lab motion(box_lattice(spec), clamp);
  Elements& e = motion.body().elements();
  const std::vector<Vec3> rest = e.position;
  std::size_t loudest = 0;
  for (std::size_t v = 0; v < e.size(); ++v) {
    e.velocity[v] = 1e-4 * mode.displacement[v];
    e.angular_velocity[v] = 1e-4 * mode.rotation[v];
    if (mode.displacement[v].norm() > mode.displacement[loudest].norm()) loudest = v;
  }
  std::vector<double> crossings;
  double last = 0;
  motion.run(10.5 / mode.hertz, 2e-6, [&](double t, double dt) {
    const double x = mode.displacement[loudest].dot(motion.position(loudest) - rest[loudest]);
    if (last < 0 && x >= 0) crossings.push_back(t - dt * x / (x - last));
    last = x;
  });
  ASSERT_GE(crossings.size(), 5U);
  const double measured = static_cast<double>(crossings.size() - 1) / (crossings.back() - crossings.front());
  expect_case("voxel", "Modes: third of a clamped block, against its motion", measured, mode.hertz, 0.001, "Hz");
}

TEST(VoxelModes, LanczosFindsEveryCopyOfTheDegenerateModesOfACube) {
  BoxSpec spec{4, 4, 4, 0.005};
  spec.material.poissons_ratio = 0.3;
  ModalLab dense(box_lattice(spec)), sparse(box_lattice(spec));
  dense.options.dense_rows = 100000;
  sparse.options.dense_rows = 0;
  const ModalAnalysis all = dense.modes(40), some = sparse.modes(40);
  EXPECT_EQ(all.solves, 0);
  EXPECT_GT(some.solves, 0);
  ASSERT_EQ(some.modes.size(), all.modes.size());
  for (std::size_t i = 6; i < some.modes.size(); ++i) {
    EXPECT_NEAR(some.modes[i].hertz, all.modes[i].hertz, 1e-8 * all.modes[i].hertz) << i;
    EXPECT_LT(some.modes[i].residual, 1e-6) << i;
  }
}

TEST(VoxelModes, EveryPieceHasItsOwnRigidMotions) {
  // The pieces are two rows of three voxels and a single voxel. One of the rows is fixed.
  BoxSpec spec{9, 1, 1, 0.005};
  VoxelLattice lattice = box_lattice(spec);
  for (const int gap : {7, 3}) {
    const auto at = [gap](auto& list) { list.erase(list.begin() + gap); };
    at(lattice.cell), at(lattice.material), at(lattice.phase), at(lattice.amplitude_scale), at(lattice.youngs_override);
  }
  ModalLab free(lattice), held(lattice, {clamp_of(9)});
  EXPECT_EQ(free.modes(40).rigid, 18U);
  EXPECT_EQ(held.modes(40).rigid, 12U);
  ModalLab one(box_lattice({1, 1, 1, 0.005}));
  const ModalAnalysis lone = one.modes(12);
  EXPECT_EQ(lone.rigid, 6U);
  EXPECT_EQ(lone.modes.size(), 6U);
}

TEST(VoxelModes, HeldFreedomsLeaveTheRigidMotionsThatTheyDoNotTouch) {
  VoxelRegion rail = slab_x(0, 1, true);
  rail.freedoms = {"y", "z", "rx", "ry", "rz"};  // the voxel can only slide along x
  ModalLab slider(box_lattice(row_spec(8)), {rail});
  EXPECT_EQ(slider.modes(4).rigid, 1U);
  VoxelRegion hinge = clamp_of(8);
  hinge.freedoms = {"x", "y", "z", "rx", "ry"};  // the voxel can only rotate about z
  ModalLab door(box_lattice(row_spec(8)), {hinge});
  const ModalAnalysis swing = door.modes(4);
  EXPECT_EQ(swing.rigid, 1U);
  ASSERT_FALSE(swing.modes.empty());
  EXPECT_NEAR(swing.modes[0].displacement.back().y(), 1, 1e-9);
  EXPECT_NEAR(swing.modes[0].displacement[3].y(), 3.0 / 7, 1e-9);
}

TEST(VoxelModes, EffectiveMassesSumToWhatCanMove) {
  ModalLab lab(box_lattice(row_spec(6)), {clamp_of(6)});
  const ModalAnalysis found = lab.modes(30);
  ASSERT_EQ(found.modes.size(), 30U);
  Vec3 sum = Vec3::Zero();
  for (const Mode& mode : found.modes) sum += mode.effective_mass;
  EXPECT_NEAR(found.free_mass, 5 * beam_density * beam_area * beam_edge, 1e-12);
  for (int k = 0; k < 3; ++k) EXPECT_NEAR(sum[k], found.free_mass, 1e-9 * found.free_mass);
}

TEST(VoxelModes, TensionTunesARowLikeAString) {
  // A string with tension T that is pinned at both ends has f_n^2 = (n pi / L)^2 / (4 pi^2 rho A) ((n pi / L)^2 EI +
  // T). A compression equal to the Euler load lowers the first frequency to zero.
  constexpr int voxels = 30;
  VoxelRegion left = clamp_of(voxels), right = slab_x(1 - 0.5 / voxels, 1, true);
  left.freedoms = right.freedoms = {"x", "y", "z", "rx"};
  const double euler = pi * pi * beam_youngs * beam_second_moment / std::pow((voxels - 1) * beam_edge, 2);
  for (const double share : {-1.03, -0.97, -0.5, 0.0, 4.0}) {
    ModalLab lab(box_lattice(row_spec(voxels)), {left, right});
    lab.stressed = true;
    const double tension = share * euler, strain = tension / (beam_youngs * beam_area),
                 length = (voxels - 1) * beam_edge * (1 + strain);
    for (Vec3& x : lab.position) x.x() *= 1 + strain;
    const Mode first = lab.modes(2).modes.at(0);
    const double wave = pi / length, line_mass = beam_density * beam_area / (1 + strain);
    const double expected = wave * wave / line_mass * (wave * wave * beam_youngs * beam_second_moment + tension);
    const double scale = std::pow(wave, 4) * beam_youngs * beam_second_moment / line_mass;
    EXPECT_NEAR(first.omega_squared, expected, 0.01 * scale + 0.005 * std::abs(expected)) << share;
    EXPECT_EQ(first.kind, share < -1 ? ModeKind::unstable : ModeKind::flexible) << share;
  }
}

TEST(VoxelModes, ShapesAreScaledAndSignedAndTheSameAtAnyThreadCount) {
  BoxSpec spec{7, 4, 3, 0.005};
  spec.material.poissons_ratio = 0.35;
  ModalLab lab(box_lattice(spec));
  lab.options.dense_rows = 0;
  set_thread_count(1);
  const ModalAnalysis once = lab.modes(14);
  set_thread_count(2);
  const ModalAnalysis again = lab.modes(14);
  set_thread_count(0);
  ASSERT_EQ(once.modes.size(), again.modes.size());
  for (std::size_t i = 0; i < once.modes.size(); ++i) {
    const Mode& mode = once.modes[i];
    EXPECT_EQ(mode.hertz, again.modes[i].hertz);
    double largest = 0, component = 0;
    for (std::size_t v = 0; v < mode.displacement.size(); ++v) {
      ASSERT_EQ(mode.displacement[v], again.modes[i].displacement[v]);
      ASSERT_EQ(mode.rotation[v], again.modes[i].rotation[v]);
      largest = std::max({largest, mode.displacement[v].norm(), 0.5 * beam_edge * mode.rotation[v].norm()});
      for (int k = 0; k < 3; ++k)
        for (const double value : {mode.displacement[v][k], 0.5 * beam_edge * mode.rotation[v][k]})
          if (std::abs(value) > (1 + 1e-6) * std::abs(component)) component = value;
    }
    EXPECT_NEAR(largest, 1, 1e-12);
    EXPECT_GT(component, 0);
  }
}

TEST(VoxelModes, MaterialsAMillionTimesApartDoNotConfuseIt) {
  VoxelLattice lattice = box_lattice(row_spec(20));
  lattice.materials.push_back(lattice.materials[0]);
  lattice.material_name.emplace_back("hard");
  lattice.materials[1].youngs_modulus = 1e12;
  for (std::size_t v = 0; v < 10; ++v) lattice.material[v] = 1;
  ModalLab dense(lattice, {clamp_of(20)}), sparse(lattice, {clamp_of(20)});
  sparse.options.dense_rows = 0;
  const ModalAnalysis a = dense.modes(6), b = sparse.modes(6);
  ASSERT_EQ(a.modes.size(), b.modes.size());
  for (std::size_t i = 0; i < a.modes.size(); ++i)
    EXPECT_NEAR(a.modes[i].hertz, b.modes[i].hertz, 1e-4 * b.modes[i].hertz) << i;
  // Only the soft half vibrates, as if it were clamped at the end of the stiff half. In the bond between the halves, a
  // soft half bond and a stiff half bond act in series, so this bond is twice as stiff as a soft bond.
  EXPECT_NEAR(b.modes[0].hertz, bending_hertz(1.8751041, 10.1 * beam_edge), 0.05 * b.modes[0].hertz);
}

TEST(VoxelModes, WhatCannotBeDoneIsSaid) {
  ModalLab held(box_lattice(row_spec(4)), {slab_x(0, 1, true)});
  auto found = held.find(3);
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().message().find("every voxel is held"), std::string::npos);
  ModalLab cube(box_lattice({6, 6, 6, 0.005}));
  EXPECT_FALSE(cube.find(0));
  cube.options.memory_limit = 1000;
  found = cube.find(10);
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().message().find("GiB"), std::string::npos) << found.error().message();
  cube.options.memory_limit = 1u << 30;
  int calls = 0;
  cube.options.progress = [&](PairStage stage, int) { return stage != PairStage::searching || ++calls < 5; };
  found = cube.find(10);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().message(), "stopped");
  EXPECT_EQ(calls, 5);
}

TEST(VoxelModesValidation, LargeCubesTakeSecondsAndFindTheirModes) {
  for (const int n : {10, 20}) {
    BoxSpec spec{n, n, n, 0.005};
    spec.material.poissons_ratio = 0.35;
    ModalLab lab(box_lattice(spec), {slab_x(0, 0.5 / n, true)});
    const ModalAnalysis found = lab.modes(10);
    ASSERT_EQ(found.modes.size(), 10U);
    for (const Mode& mode : found.modes) EXPECT_LT(mode.residual, 1e-6);
    RecordProperty("solves", found.solves);
    std::printf("%d voxels: %d solves, factor %.0f MiB, %.4f Hz\n", n * n * n, found.solves,
                static_cast<double>(found.factor_bytes) / (1 << 20), found.modes[0].hertz);
  }
}

}  // namespace
}  // namespace vw::test
