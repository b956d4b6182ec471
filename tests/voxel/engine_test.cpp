// The voxel engine on bodies of irregular shape. The results are compared with scalar bonds in double precision. They
// are also compared between all numbers of threads and all vector widths.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <set>

#include <hwy/targets.h>

#include "sim/base/parallel/parallel.h"
#include "sim/base/random.h"
#include "sim/system/voxel/lattice/lattice_load.h"
#include "tests/voxel/lab.h"

namespace vw::test {
namespace {

/// Returns a box in which only some cells are filled.
VoxelLattice carve(const BoxSpec& spec, const std::function<bool(int x, int y, int z)>& filled) {
  VoxelLattice lattice = box_lattice(spec);
  std::erase_if(lattice.cell, [&](const std::array<int, 3>& c) { return !filled(c[0], c[1], c[2]); });
  const std::size_t n = lattice.cell.size();
  lattice.material.resize(n), lattice.phase.resize(n), lattice.amplitude_scale.resize(n),
      lattice.youngs_override.resize(n);
  return lattice;
}

void shake_engine(Elements& e, double speed, double spin) {
  const RandomKey key{17, 1};
  for (std::size_t v = 0; v < e.size(); ++v) {
    e.velocity[v] += speed * random_direction(key, v, 0);
    e.angular_velocity[v] += spin * random_direction(key, v, 1);
  }
}

class ShearBreeze final : public Field {
 public:
  void add_velocity(std::span<const Vec3> position, const FieldMoment&, std::span<Vec3> velocity) const override {
    for (std::size_t i = 0; i < position.size(); ++i) velocity[i] += Vec3(3 + 20 * position[i].y(), 1, -2);
  }
};

BoxSpec soft(int nx, int ny, int nz, double nu = 0.35) {
  BoxSpec spec{nx, ny, nz, 0.01};
  spec.material.youngs_modulus = 1e5;
  spec.material.poissons_ratio = nu;
  spec.material.bond_damping = 0.1;
  return spec;
}

VoxelBodyParams lying() {
  VoxelBodyParams params;
  params.position = Vec3(0.2, -0.001, -0.1);
  params.rotation = Vec3(0.02, 0.3, 0.01);
  params.velocity = Vec3(0.5, -1, 0.2);
  params.voxel_size_m = 0.01;
  return params;
}

Lab on_the_ground(VoxelLattice lattice, const VoxelBodyParams& params = lying(),
                  const std::vector<VoxelRegion>& regions = {}) {
  Lab lab(std::move(lattice), regions, params, {ground()});
  lab.context().gravity = Vec3(0, -9.81, 0);
  shake_engine(lab.body().elements(), 0.1, 3);
  return lab;
}

/// Bodies by name. The first body has over 2,048 voxels, so each of eight threads gets a slab (consecutive voxels that
/// one thread computes). The other bodies have three to five slabs of at least 256 voxels.
const std::map<std::string, std::function<Lab()>>& bodies() {
  static const std::map<std::string, std::function<Lab()>> all{
      {"dense", [] { return on_the_ground(box_lattice(soft(13, 13, 13))); }},
      {"dense, nu = 0, undamped",
       [] {
         BoxSpec spec = soft(10, 11, 10, 0);
         spec.material.bond_damping = 0;
         return on_the_ground(box_lattice(spec));
       }},
      {"dense, in double",
       [] {
         VoxelBodyParams params = lying();
         params.precision = Precision::full;
         return on_the_ground(box_lattice(soft(10, 10, 10)), params);
       }},
      {"hollow, in the wind",
       [] {
         const auto shell = [](int x, int y, int z) { return std::min({x, y, z}) < 1 || std::max({x, y, z}) > 11; };
         Lab lab = on_the_ground(carve(soft(13, 13, 13), shell));
         lab.fields().add("breeze", std::make_unique<ShearBreeze>());
         return lab;
       }},
      {"sparse",
       [] {
         const auto some = [](int x, int y, int z) {
           return random_uniform({5, 5}, static_cast<std::uint64_t>(x + 20 * (y + 20 * z)), 0) < 0.45;
         };
         return on_the_ground(carve(soft(14, 14, 14, 0.2), some));
       }},
      {"mixed stiffness",
       [] {
         VoxelLattice lattice = box_lattice(soft(11, 10, 10, 0.3));
         for (std::size_t v = 0; v < lattice.cell.size(); ++v) {
           const double pick = random_uniform({6, 6}, v, 0);
           lattice.youngs_override[v] = pick < 0.4 ? 1e3 : pick < 0.7 ? 1e6 : 1e9;
         }
         return on_the_ground(std::move(lattice));
       }},
      {"actuated",
       [] {
         BoxSpec spec = soft(10, 11, 10, 0.3);
         spec.material.cte = 0.01;
         VoxelLattice lattice = box_lattice(spec);
         for (std::size_t v = 0; v < lattice.cell.size(); ++v)
           lattice.phase[v] = 0.07 * lattice.cell[v][0] + 0.01 * lattice.cell[v][1];
         VoxelBodyParams params = lying();
         params.wave = TemperatureWave::sine;
         params.temperature_amplitude = 10;
         params.temperature_period_s = 0.05;
         return on_the_ground(std::move(lattice), params);
       }},
      {"closing jaw",
       [] {  // two plates on one hinge that close towards each other
         VoxelBodyParams params = lying();
         params.self_contact = true;
         params.position.y() = 0.5;
         const auto jaw = [](int x, int y, int) { return x < 2 || y != 2; };
         Lab lab = on_the_ground(carve(soft(16, 5, 16), jaw), params);
         for (std::size_t v = 0; v < lab.body().elements().size(); ++v)
           if (lab.body().lattice().cell[v][1] > 2) lab.body().elements().velocity[v].y() -= 4;
         return lab;
       }},
      {"held and pulled",
       [] {
         VoxelRegion end = slab_x(0.95, 1, true);
         end.freedoms = {"x", "y", "rx"};
         end.displacement = Vec3(0.01, 0.005, 0);
         end.rotation = Vec3(0.3, 0, 0);
         end.ramp_s = 0.05;
         return on_the_ground(box_lattice(soft(11, 10, 10, 0.3)), lying(),
                              {slab_x(0, 0.05, true), end, slab_x(0.5, 0.6, false, Vec3(0, 0, 2))});
       }},
      {"yielding and breaking",
       [] {
         BoxSpec spec = soft(10, 11, 10, 0.3);
         spec.material.model = StressModel::bilinear;
         spec.material.yield_stress = 2e3, spec.material.plastic_modulus = 2e4;
         spec.material.failure_strain = 0.1;
         Lab lab = on_the_ground(box_lattice(spec));
         Elements& e = lab.body().elements();
         for (std::size_t v = 0; v < e.size(); ++v) e.velocity[v] += 20 * (e.position[v] - e.position[0]);
         shake_engine(e, 0.5, 10);
         return lab;
       }},
  };
  return all;
}

/// Runs substeps of length `dt` within one world step. The substeps are divided into `runs` runs of the engine. `look`
/// is called between the runs.
void advance(Lab& lab, double dt, std::int64_t substeps, std::int64_t runs, const std::function<void()>& look = {}) {
  lab.context().dt = static_cast<double>(substeps) * dt;
  // Only wind requires begin_step(), which also computes the step bound. That computation would take longer than the
  // steps.
  if (!lab.fields().empty()) lab.body().begin_step(lab.context());
  const std::int64_t count = substeps / runs;
  for (std::int64_t i = 0; i < runs; ++i) {
    lab.body().substeps(lab.context(), static_cast<double>(i * count) * dt, dt, count);
    if (look) look();
  }
  lab.body().end_step(lab.context());
}

/// Returns a substep well below the stable substep: 0.33 sqrt(m / k) of the stiffest bond. The stable substep itself is
/// not computed.
double short_step(const Lab& lab) { return 2 * 0.33 * pi * lab.body().source_stable_dt(); }

constexpr std::int64_t many = 100;  // number of substeps

class VoxelEngineBits : public ::testing::TestWithParam<std::string> {
 protected:
  ~VoxelEngineBits() override { set_thread_count(0); }
  [[nodiscard]] static std::uint64_t after(int threads, std::int64_t runs) {
    set_thread_count(threads);
    Lab lab = bodies().at(GetParam())();
    const Vec3 impulse(1e-4, 2e-4, -1e-4);
    lab.body().elements().room_for_impulses().impulse[11] = impulse;
    advance(lab, short_step(lab), many, runs);
    EXPECT_TRUE(lab.diagnostics().momentum.allFinite());
    return lab.hash();
  }
};

TEST_P(VoxelEngineBits, AreTheSameOnAnyNumberOfThreadsInOneRunOrMany) {
  const std::uint64_t one = after(1, 1);
  // All substeps are one run of the engine, so the number of threads stays the same even if other tests run at the same
  // time.
  for (const int threads : {2, 3, 8}) EXPECT_EQ(after(threads, 1), one) << threads << " threads";
  EXPECT_EQ(after(2, many), one) << "substep by substep";
}
std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const auto& [name, make] : bodies()) out.push_back(name);
  return out;
}
INSTANTIATE_TEST_SUITE_P(Bodies, VoxelEngineBits, ::testing::ValuesIn(names()), [](const auto& param) {
  std::string name;
  for (const char c : param.param)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) name += c;
  return name;
});

TEST(VoxelEngineBodies, DoWhatTheyAreNamedFor) {
  // Bonds must break, bodies must touch the ground and the hinge must close. Otherwise, the preceding tests do not
  // cover these cases.
  Lab breaking = bodies().at("yielding and breaking")();
  advance(breaking, short_step(breaking), many, 1);
  const BondMemory& memory = breaking.body().memory();
  const auto broken = std::count(memory.broken.begin(), memory.broken.end(), 1);
  EXPECT_GT(broken, 10);
  EXPECT_LT(broken, static_cast<std::ptrdiff_t>(memory.broken.size()) / 2);
  EXPECT_GT(std::count_if(memory.flowed.begin(), memory.flowed.end(), [](double f) { return f > 0; }), 100);
  std::ptrdiff_t touching = 0;
  Lab dense = bodies().at("dense")();
  advance(dense, short_step(dense), many, 10, [&] {
    const auto& all = dense.body().contacts();
    touching = std::max(touching,
                        std::count_if(all.begin(), all.end(), [](const ContactState& c) { return c.touching != 0; }));
  });
  EXPECT_GT(touching, 20);
}

TEST(VoxelEngineBodies, TheJawClosesOnItself) {
  Lab jaw = bodies().at("closing jaw")();
  const VoxelLattice& lattice = jaw.body().lattice();
  const auto table = cell_table(lattice);
  const auto at = [&](int x, int y, int z) { return static_cast<std::size_t>(table[cell_index(lattice, x, y, z)]); };
  double least = 1;
  advance(jaw, short_step(jaw), many, 50, [&] {
    for (int x = 8; x < lattice.nx; ++x)
      for (int z = 0; z < lattice.nz; ++z)
        least = std::min(least, (jaw.position(at(x, 3, z)) - jaw.position(at(x, 1, z))).norm());
  });
  EXPECT_LT(least, 0.0099);  // the plates, 0.02 apart at the start, were pressed together
  EXPECT_GT(least, 0.002);   // the plates did not pass through each other
}

// ---- Comparison with the scalar bonds ----

/// A plain implementation of the substep of the engine: the bonds of bond_force.h, symplectic Euler, and rotation of a
/// quaternion.
struct Plain {
  LatticeTopology topology;
  LatticeConstants constants;
  Elements e;
  LatticeLoads loads;

  explicit Plain(const Lab& lab)
      : topology(lab.body().topology()), constants(lab.body().constants()), e(lab.body().elements()) {}
  void evaluate() {
    loads.evaluate(topology, constants, {e.position, e.orientation, e.velocity, e.angular_velocity, e.radius, {}},
                   constants.damped);
  }
  void substep(double dt, const Vec3& gravity) {
    evaluate();
    for (std::size_t v = 0; v < e.size(); ++v) {
      const VoxelClass& c = constants.of(v);
      e.velocity[v] += dt * (loads.force()[v] / c.mass + gravity);
      e.angular_velocity[v] += dt / c.inertia * loads.moment()[v];
      e.position[v] += dt * e.velocity[v];
      const Vec3 turn = dt * e.angular_velocity[v];
      if (turn.norm() > 0)
        e.orientation[v] = (Quat(Eigen::AngleAxisd(turn.norm(), turn.normalized())) * e.orientation[v]).normalized();
    }
  }
};

/// Returns a body of randomly chosen cells with three materials of different mass and stiffness.
VoxelLattice speckled(double nu, double zeta) {
  BoxSpec spec = soft(7, 6, 5, nu);
  spec.material.bond_damping = zeta;
  VoxelLattice lattice = carve(spec, [](int x, int y, int z) {
    return random_uniform({8, 8}, static_cast<std::uint64_t>(x + 7 * (y + 6 * z)), 0) < 0.8;
  });
  lattice.materials.resize(3, spec.material);
  lattice.materials[1].youngs_modulus = 3e5, lattice.materials[1].density = 2500;
  lattice.materials[2].youngs_modulus = 2e4, lattice.materials[2].density = 300,
  lattice.materials[2].poissons_ratio = nu / 2;
  lattice.material_name = {"a", "b", "c"};
  for (std::size_t v = 0; v < lattice.cell.size(); ++v)
    lattice.material[v] = static_cast<std::uint16_t>(random_words({9, 9}, v)[0] % 3);
  return lattice;
}

Lab speckled_lab(double nu, double zeta, Precision precision, double shift, double turn, double speed) {
  VoxelBodyParams params;
  params.precision = precision;
  params.rotation = Vec3(0.4, -1.1, 0.7);
  params.velocity = Vec3(0.1, 0.2, -0.3);
  params.angular_velocity = Vec3(3, -2, 5);
  Lab lab(speckled(nu, zeta), {}, params);
  Elements& e = lab.body().elements();
  const RandomKey key{23, 2};
  for (std::size_t v = 0; v < e.size(); ++v) {
    e.position[v] += shift * 0.01 * random_direction(key, v, 0);
    e.orientation[v] = Quat(Eigen::AngleAxisd(turn, random_direction(key, v, 1))) * e.orientation[v];
  }
  shake_engine(e, speed, speed / 0.01);
  return lab;
}

/// Returns all vector instruction sets of this machine. Each set is listed once.
std::vector<std::int64_t> vector_targets() {
  std::vector<std::int64_t> out;
  std::set<std::string> seen;
  const std::int64_t supported = hwy::SupportedTargets();
  for (std::int64_t target = 1; target > 0; target <<= 1) {
    if ((supported & target) == 0) continue;
    hwy::SetSupportedTargetsForTest(target);
    if (seen.insert(sweep_instruction_set()).second) out.push_back(target);
    hwy::SetSupportedTargetsForTest(0);
  }
  return out;
}

/// Runs `work` once for each instruction set.
void at_every_width(const std::function<void()>& work) {
  for (const std::int64_t target : vector_targets()) {
    hwy::SetSupportedTargetsForTest(target);
    const ::testing::ScopedTrace trace(
        __FILE__, __LINE__, std::string(sweep_instruction_set()) + ", lanes " + std::to_string(sweep_lanes()));
    work();
    hwy::SetSupportedTargetsForTest(0);
  }
}

struct LoadError {
  double force = 0, moment = 0;  ///< largest difference divided by the largest load
};

/// Returns the difference between the loads of the scalar bonds and the loads that follow from the velocity changes in
/// one substep of the engine.
LoadError load_error_of_engine(Lab& lab) {
  Plain plain(lab);
  plain.evaluate();
  const double dt = 1e-4;
  lab.context().dt = dt;
  lab.step(1);
  LoadError error;
  double force = 0, moment = 0;
  for (std::size_t v = 0; v < plain.e.size(); ++v) {
    const VoxelClass& c = plain.constants.of(v);
    const Elements& e = lab.body().elements();
    force = std::max(force, plain.loads.force()[v].norm());
    moment = std::max(moment, plain.loads.moment()[v].norm());
    error.force =
        std::max(error.force, ((e.velocity[v] - plain.e.velocity[v]) * c.mass / dt - plain.loads.force()[v]).norm());
    error.moment = std::max(
        error.moment,
        ((e.angular_velocity[v] - plain.e.angular_velocity[v]) * c.inertia / dt - plain.loads.moment()[v]).norm());
  }
  return {error.force / force, error.moment / moment};
}

class VoxelEngineLoads : public ::testing::TestWithParam<std::tuple<double, double>> {};

TEST_P(VoxelEngineLoads, AreThoseOfTheScalarBondsAtEveryVectorWidth) {
  // Clang 14 cannot capture a structured binding in a lambda.
  const double nu = std::get<0>(GetParam()), zeta = std::get<1>(GetParam());
  at_every_width([&] {
    // The cases cover strains from 1e-6 to a third of the length and rotations of up to half a radian.
    for (const double size : {1e-6, 1e-3, 0.1, 0.33}) {
      Lab full = speckled_lab(nu, zeta, Precision::full, size, 1.5 * size, 10 * size);
      const LoadError in_double = load_error_of_engine(full);
      // Positions of 0.1 m have a rounding error of 1e-17 m. The differences of positions are about `size` times 1 cm.
      // The relative error of these differences gives the second term.
      const double rounding = 2e-13 + 4e-16 / size;
      EXPECT_LT(in_double.force, rounding) << size;
      EXPECT_LT(in_double.moment, rounding) << size;
      Lab mixed = speckled_lab(nu, zeta, Precision::mixed, size, 1.5 * size, 10 * size);
      const LoadError in_float = load_error_of_engine(mixed);
      // The first term is 16 times the rounding error of float. The second term comes from the damping. The body
      // rotates at 6 rad/s, so the damper uses differences of velocities of 0.06 m/s. Float represents such velocities
      // with an error of 4e-9 m/s. Relative to a velocity difference of 10 size m/s, this error is 4e-10 / size.
      const double of_float = 1e-6 + (zeta > 0 ? 4e-10 / size : 0);
      EXPECT_LT(in_float.force, of_float) << size;
      EXPECT_LT(in_float.moment, of_float) << size;
      EXPECT_GT(in_float.force, 1e-10) << size;  // a smaller error would mean that the float path did not run
    }
  });
}
INSTANTIATE_TEST_SUITE_P(PoissonAndDamping, VoxelEngineLoads,
                         ::testing::Combine(::testing::Values(0.0, 0.45), ::testing::Values(0.0, 1.0)));

/// Returns the largest distance between corresponding voxels of two states, divided by the largest displacement since
/// the start.
double apart(const Elements& a, const Elements& b, const Elements& start) {
  double most = 0, way = 0;
  for (std::size_t v = 0; v < a.size(); ++v) {
    most = std::max(most, (a.position[v] - b.position[v]).norm());
    way = std::max(way, (b.position[v] - start.position[v]).norm());
  }
  return most / way;
}

TEST(VoxelEngine, FollowsTheScalarTrajectoryAtEveryVectorWidth) {
  std::vector<Elements> mixed_ends, full_ends;
  std::vector<std::string> sets;
  Elements start, expected;
  at_every_width([&] {
    for (const Precision precision : {Precision::full, Precision::mixed}) {
      Lab lab = speckled_lab(0.35, 0.2, precision, 0.02, 0.03, 0.3);
      lab.context().gravity = Vec3(0, -9.81, 0);
      const double dt = 0.5 * lab.body().stable_dt(0);
      lab.context().dt = 400 * dt;
      if (expected.position.empty()) {
        Plain plain(lab);
        start = plain.e;
        for (int i = 0; i < 400; ++i) plain.substep(dt, lab.context().gravity);
        expected = plain.e;
      }
      lab.body().begin_step(lab.context());
      lab.body().substeps(lab.context(), 0, dt, 400);
      // Each of 400 substeps adds a rounding error. In float, the sum is 400 * 6e-8 = 2.4e-5 at worst, but the errors
      // mostly cancel.
      EXPECT_LT(apart(lab.body().elements(), expected, start), precision == Precision::full ? 1e-12 : 1e-6);
      (precision == Precision::full ? full_ends : mixed_ends).push_back(lab.body().elements());
    }
    sets.emplace_back(sweep_instruction_set());
  });
  for (std::size_t i = 1; i < mixed_ends.size(); ++i) {
    RecordProperty("mixed_" + sets[0] + "_" + sets[i], std::to_string(apart(mixed_ends[i], mixed_ends[0], start)));
    EXPECT_LT(apart(mixed_ends[i], mixed_ends[0], start), 1e-6) << sets[i] << " against " << sets[0];
    EXPECT_LT(apart(full_ends[i], full_ends[0], start), 1e-12) << sets[i] << " against " << sets[0];
  }
}

// ---- Bodies of irregular shape ----

TEST(VoxelEngine, OneVoxelFliesAndSpinsAsAStoneDoes) {
  VoxelBodyParams params;
  params.velocity = Vec3(1, 2, 3);
  params.angular_velocity = Vec3(0, 40, 0);
  Lab lab(box_lattice({1, 1, 1, 0.01}), {}, params);
  lab.context().gravity = Vec3(0, -9.81, 0);
  EXPECT_TRUE(lab.body().stable_dt(0) > 0);
  lab.context().dt = 0.5;
  lab.step(500);
  // The expected position is the sum of the displacements of all substeps of symplectic Euler.
  EXPECT_LT((lab.position(0) - Vec3(0.505, 0.005 + 1 - 9.81 * (0.125 + 0.5 * 0.5e-3), 1.505)).norm(), 1e-12);
  EXPECT_LT(lab.body().elements().orientation[0].angularDistance(Quat(Eigen::AngleAxisd(20, Vec3::UnitY()))), 1e-9);
  EXPECT_FALSE(lab.body().check_health().has_value());
}

TEST(VoxelEngine, OneVoxelLandsAndRests) {
  VoxelBodyParams params;
  params.position = Vec3(0, 0.02, 0);
  Lab lab(box_lattice({1, 1, 1, 0.01}), {}, params, {ground()});
  lab.context().gravity = Vec3(0, -9.81, 0);
  lab.run(0.5);
  EXPECT_NEAR(lab.position(0).y(), 0.005 - 1e-3 * 9.81 / 1e4, 1e-9);  // penetration depth: weight divided by stiffness
  EXPECT_LT(lab.body().elements().velocity[0].norm(), 1e-9);
}

TEST(VoxelEngine, TwoVoxelsAlongAnyAxisSwingAlike) {
  std::vector<double> stretch;
  for (int axis = 0; axis < 3; ++axis) {
    Lab lab(box_lattice({axis == 0 ? 2 : 1, axis == 1 ? 2 : 1, axis == 2 ? 2 : 1, 0.01}));
    lab.body().elements().velocity[1] = 0.1 * Vec3::Unit(axis);
    lab.context().dt = 77e-6;
    lab.step(10);
    stretch.push_back((lab.position(1) - lab.position(0)).norm());
  }
  EXPECT_GT(stretch[0], 0.010005);
  EXPECT_NEAR(stretch[1], stretch[0], 1e-9 * 0.01);
  EXPECT_NEAR(stretch[2], stretch[0], 1e-9 * 0.01);
}

TEST(VoxelEngine, ABodyWithoutVoxelsIsRefusedInWords) {
  Node scene = make_node([]() -> const Schema& {
    static const Schema schema{"scene",
                               "",
                               {},
                               {{.name = "material", .kinds = {&voxel_material_schema()}, .doc = ""},
                                {.name = "system", .kinds = {&voxel_body_schema()}, .doc = ""}}};
    return schema;
  }());
  add_child(scene, "material", "voxel_material", "rubber");
  Node& body = add_child(scene, "system", "voxel_body", "creature");
  body.set("shape", Value(std::string("layers")));
  body.set("size", Value(Vec3(2, 1, 1)));
  body.set("palette", Value(TextList{"rubber"}));
  body.set("layers", Value(TextList{"00"}));
  const auto system = create_voxel_body(body, scene);
  ASSERT_FALSE(system.has_value());
  EXPECT_THAT(system.error().message(), ::testing::HasSubstr("no filled cell"));
  EXPECT_FALSE(set_parameter(scene, "system.creature.size", Value(Vec3(0, 1, 1))).has_value());
  EXPECT_FALSE(set_parameter(scene, "system.creature.voxel_size", Value(0.0)).has_value());
}

TEST(VoxelEngine, DisconnectedPiecesMoveEachOnTheirOwn) {
  // The pieces are a single voxel, a row and a block, with gaps between them. Each piece rotates about its own centre.
  // No piece affects another piece.
  const VoxelLattice lattice = carve(soft(9, 3, 3), [](int x, int y, int z) {
    if (x < 1) return y == 1 && z == 1;
    if (x < 5) return x > 1 && y == 0 && z == 0;
    return x > 5;
  });
  Lab lab(lattice);
  const Elements before = lab.body().elements();
  const auto piece = [&](std::size_t v) { return lattice.cell[v][0] < 1 ? 0 : lattice.cell[v][0] < 5 ? 1 : 2; };
  const std::array<Vec3, 3> speed{Vec3(-1, 0, 0), Vec3(0, 2, 0), Vec3(3, 0, 1)};
  for (std::size_t v = 0; v < lattice.cell.size(); ++v)
    lab.body().elements().velocity[v] = speed[static_cast<std::size_t>(piece(v))];
  lab.run(0.1);
  for (std::size_t v = 0; v < lattice.cell.size(); ++v)
    EXPECT_LT((lab.position(v) - before.position[v] - 0.1 * speed[static_cast<std::size_t>(piece(v))]).norm(), 1e-12)
        << v;
}

TEST(VoxelEngine, ABodyOfWhichEveryBondIsBrokenIsGravel) {
  BoxSpec spec = soft(4, 4, 4);
  spec.material.failure_strain = 1e-3;
  VoxelBodyParams params;
  params.position = Vec3(0, 0.1, 0);
  Lab lab(box_lattice(spec), {}, params, {ground()});
  Elements& e = lab.body().elements();
  const Vec3 middle = lab.diagnostics().center_of_mass;
  // The voxels fly apart in all directions.
  for (std::size_t v = 0; v < e.size(); ++v) e.velocity[v] = 20 * (e.position[v] - middle);
  lab.run(0.05);
  const BondMemory& memory = lab.body().memory();
  ASSERT_EQ(std::count(memory.broken.begin(), memory.broken.end(), 1),
            static_cast<std::ptrdiff_t>(memory.broken.size()));
  EXPECT_EQ(lab.diagnostics().elastic, 0);
  EXPECT_TRUE(lab.body().stable_dt(0) > 0);
  for (const std::uint8_t faces : lab.body().elements().open_faces) EXPECT_EQ(faces, 63);
  // The fragments continue in straight lines and then form a heap on the ground.
  const Elements thrown = lab.body().elements();
  lab.run(1.0 / 120);
  for (std::size_t v = 0; v < e.size(); ++v)
    EXPECT_LT((lab.position(v) - thrown.position[v] - thrown.velocity[v] / 120).norm(), 1e-12) << v;
  lab.context().gravity = Vec3(0, -9.81, 0);
  lab.run(1);
  EXPECT_FALSE(lab.body().check_health().has_value());
  for (std::size_t v = 0; v < e.size(); ++v) {
    EXPECT_GT(lab.position(v).y(), 0.004) << v;
    EXPECT_LT(lab.position(v).y(), 0.1) << v;
  }
}

}  // namespace
}  // namespace vw::test
