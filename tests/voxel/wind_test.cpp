// Wind on the faces of voxel bodies: pressure, friction and shielding.
#include <gtest/gtest.h>

#include "tests/support/validation.h"
#include "tests/voxel/lab.h"

namespace vw::test {
namespace {

/// A field of uniform velocity.
class Breeze final : public Field {
 public:
  explicit Breeze(const Vec3& velocity) : velocity_(velocity) {}
  void add_velocity(std::span<const Vec3> position, const FieldMoment&, std::span<Vec3> velocity) const override {
    for (std::size_t i = 0; i < position.size(); ++i) velocity[i] += velocity_;
  }

 private:
  Vec3 velocity_;
};

TEST(VoxelWind, PressureDragAcceleratesABlockBySquareLaw) {
  // The equation of motion m dv/dt = 1/2 rho c A (w - v)^2 has the solution v = w (1 - 1 / (1 + c' w t)). Here w is the
  // wind speed, c the drag coefficient, A the face area, rho the air density and c' = rho c A / 2 m.
  BoxSpec spec{3, 3, 3, 0.01};
  spec.material.density = 10;
  spec.material.youngs_modulus = 1e5;
  spec.material.bond_damping = 0.5;
  VoxelBodyParams params;
  params.wind_friction = 0;
  Lab lab(box_lattice(spec), {}, params);
  lab.fields().add("breeze", std::make_unique<Breeze>(Vec3(5, 0, 0)));
  lab.run(0.5);
  const double mass = 27 * 10 * 1e-6, c = 1.2 * 9e-4 / (2 * mass);
  expect_case("voxel", "Block in a uniform wind, speed after 0.5 s", lab.diagnostics().momentum.x() / mass,
              5 * (1 - 1 / (1 + c * 5 * 0.5)), 0.002, "m/s");
}

TEST(VoxelWind, NeverReversesTheRelativeVelocityOfAFeather) {
  BoxSpec spec{1, 1, 1, 0.01};
  spec.material.density = 0.001;
  Lab lab(box_lattice(spec));
  lab.fields().add("gale", std::make_unique<Breeze>(Vec3(50, 0, 0)));
  for (int i = 0; i < 100; ++i) {
    lab.step(1);
    EXPECT_LE(lab.body().elements().velocity[0].x(), 50 * (1 + 1e-12));
  }
  EXPECT_GT(lab.body().elements().velocity[0].x(), 40);
}

TEST(VoxelWind, SkinFrictionActsAlongFaces) {
  BoxSpec spec{3, 3, 3, 0.01};
  spec.material.bond_damping = 0.5;
  VoxelBodyParams params;
  params.wind_drag = 0;
  params.wind_friction = 0.02;
  Lab lab(box_lattice(spec), {}, params);
  lab.fields().add("breeze", std::make_unique<Breeze>(Vec3(5, 0, 0)));
  lab.run(0.1);
  // Four sides of 9 cm^2 lie along the wind. At 0.1 s, the speed of the block is still small.
  const double expected = 0.5 * 1.2 * 0.02 * 4 * 9e-4 * 25 * 0.1;
  expect_case("voxel", "Skin friction on a block, momentum after 0.1 s", lab.diagnostics().momentum.x(), expected, 0.01,
              "N s");
}

/// Adds to a lattice the cells from `from` (inclusive) to `to` (exclusive).
void add_cells(VoxelLattice& lattice, const std::array<int, 3>& from, const std::array<int, 3>& to) {
  for (int y = from[1]; y < to[1]; ++y)
    for (int z = from[2]; z < to[2]; ++z)
      for (int x = from[0]; x < to[0]; ++x) lattice.cell.push_back({x, y, z});
}

VoxelLattice lattice_of_blocks(const std::array<int, 3>& size,
                               const std::vector<std::array<std::array<int, 3>, 2>>& blocks, double density = 1000) {
  BoxSpec spec{size[0], size[1], size[2], 0.01};
  spec.material.density = density;
  spec.material.bond_damping = 0.5;
  spec.material.youngs_modulus = 1e5;
  VoxelLattice lattice = box_lattice(spec);
  lattice.cell.clear();
  for (const auto& [from, to] : blocks) add_cells(lattice, from, to);
  std::sort(lattice.cell.begin(), lattice.cell.end(), [](const auto& a, const auto& b) {
    return std::array{a[1], a[2], a[0]} < std::array{b[1], b[2], b[0]};
  });
  lattice.material.assign(lattice.cell.size(), 0);
  lattice.phase.clear(), lattice.amplitude_scale.clear(), lattice.youngs_override.clear();
  return lattice;
}

/// Returns the force [N] on each voxel in the first substep of a body at rest in wind.
std::vector<Vec3> wind_forces(const VoxelLattice& lattice, const VoxelBodyParams& params, const Vec3& wind) {
  Lab lab(lattice, {}, params);
  lab.fields().add("breeze", std::make_unique<Breeze>(wind));
  lab.context().dt = 1e-6;
  lab.step(1);
  const Elements& e = lab.body().elements();
  std::vector<Vec3> force;
  for (std::size_t v = 0; v < e.size(); ++v) force.push_back(e.mass[v] * (e.velocity[v] - params.velocity) / 1e-6);
  return force;
}

Vec3 sum_of(const std::vector<Vec3>& force) {
  Vec3 sum = Vec3::Zero();
  for (const Vec3& f : force) sum += f;
  return sum;
}

constexpr double q5 = 0.5 * 1.2 * 25;  // dynamic pressure at 5 m/s [Pa]

TEST(VoxelWind, PlateAcrossTheWindFeelsItsDynamicPressure) {
  VoxelBodyParams params;
  params.wind_friction = 0;
  const Vec3 force =
      sum_of(wind_forces(lattice_of_blocks({1, 10, 10}, {{{{0, 0, 0}, {1, 10, 10}}}}), params, Vec3(5, 0, 0)));
  expect_case("voxel", "Plate of 10 x 10 cm across a wind of 5 m/s, force", force.x(), q5 * 0.01, 1e-9, "N");
  EXPECT_NEAR(force.y(), 0, 1e-12);
}

TEST(VoxelWind, PlateEdgeOnFeelsFrictionOnBothSides) {
  VoxelBodyParams params;
  params.wind_drag = 0;
  const Vec3 force =
      sum_of(wind_forces(lattice_of_blocks({10, 10, 1}, {{{{0, 0, 0}, {10, 10, 1}}}}), params, Vec3(5, 0, 0)));
  // Friction acts on two sides of 100 cm^2 and on two sides of 10 cm^2.
  expect_case("voxel", "Plate edge-on in a wind of 5 m/s, friction", force.x(), q5 * 0.01 * 0.022, 1e-9, "N");
}

TEST(VoxelWind, TurnedPlateIsPushedAlongItsNormal) {
  // The expected pressure force is 1/2 rho c A (u n)^2 on the plate and on its narrow side (u: wind velocity, n:
  // normal).
  for (const double degrees : {10.0, 30.0, 60.0}) {
    const double angle = degrees * pi / 180;
    VoxelBodyParams params;
    params.wind_friction = 0;
    params.rotation = Vec3(0, angle, 0);
    const Vec3 force =
        sum_of(wind_forces(lattice_of_blocks({1, 10, 10}, {{{{0, 0, 0}, {1, 10, 10}}}}), params, Vec3(5, 0, 0)));
    const Vec3 normal(std::cos(angle), 0, -std::sin(angle)), side(std::sin(angle), 0, std::cos(angle));
    const Vec3 expected = q5 * (0.01 * std::pow(normal.x(), 2) * normal + 0.001 * std::pow(side.x(), 2) * side);
    EXPECT_LT((force - expected).norm(), 2e-4 * expected.norm()) << degrees;
    if (degrees == 30)
      expect_case("voxel", "Plate turned by 30 deg in a wind of 5 m/s, drag", force.x(), expected.x(), 1e-3, "N");
    if (degrees == 30)
      expect_case("voxel", "Plate turned by 30 deg in a wind of 5 m/s, side force", force.z(), expected.z(), 1e-3, "N");
  }
}

/// Returns two plates of 10 x 10 voxels. The second plate is five edges downwind of the first plate.
VoxelLattice plates_in_line() {
  return lattice_of_blocks({6, 10, 10}, {{{{0, 0, 0}, {1, 10, 10}}}, {{{5, 0, 0}, {6, 10, 10}}}});
}

TEST(VoxelWind, RearPlateOfTwoStandsInTheLee) {
  VoxelBodyParams params;
  params.wind_friction = 0;
  const VoxelLattice lattice = plates_in_line();
  const auto rear = [&](const VoxelBodyParams& how) {
    const std::vector<Vec3> force = wind_forces(lattice, how, Vec3(5, 0, 0));
    double sum = 0;
    for (std::size_t v = 0; v < force.size(); ++v) sum += lattice.cell[v][0] == 5 ? force[v].x() : 0;
    return sum;
  };
  expect_case("voxel", "Second plate in the lee of another, force", rear(params), 0, 1e-12, "N");
  params.wind_shielding = 0.5;
  expect_case("voxel", "The same with half the shielding", rear(params), 0.5 * q5 * 0.01, 1e-9, "N");
  params.wind_shielding = 0;
  EXPECT_NEAR(rear(params), q5 * 0.01, 1e-9);
  // Suction pulls the shielded front of the rear plate upwind and the back downwind. These two forces cancel.
  params.wind_shielding = 1;
  params.wind_suction = 0.3;
  EXPECT_NEAR(rear(params), 0, 1e-12);
  EXPECT_NEAR(sum_of(wind_forces(lattice, params, Vec3(5, 0, 0))).x(), 1.3 * q5 * 0.01, 1e-9);
}

TEST(VoxelWind, BodyThatMovesInStillAirFeelsTheSameAsOneInAWind) {
  VoxelBodyParams params, moving;
  moving.velocity = Vec3(-5, 1, 2);
  const VoxelLattice lattice = plates_in_line();
  const std::vector<Vec3> still = wind_forces(lattice, params, Vec3(5, -1, -2)),
                          flies = wind_forces(lattice, moving, Vec3::Zero());
  for (std::size_t v = 0; v < still.size(); ++v) EXPECT_LT((still[v] - flies[v]).norm(), 1e-8) << v;
  EXPECT_GT(sum_of(still).x(), 0.1);
}

TEST(VoxelWind, BodyThatSpinsOnTheSpotIsShelteredFromNoSide) {
  // If a body moves in still air, there is no mean wind direction and therefore no shielding. The force on each face
  // depends only on the motion of the face.
  VoxelBodyParams params;
  params.angular_velocity = Vec3(0, 50, 0);
  const VoxelLattice lattice = plates_in_line();
  VoxelBodyParams open = params;
  open.wind_shielding = 0;
  const auto spin_loss = [&](const VoxelBodyParams& how) {
    Lab lab(lattice, {}, how);
    lab.fields().add("air", std::make_unique<Breeze>(Vec3::Zero()));
    const double before = lab.diagnostics().angular_momentum.y();
    lab.context().dt = 1e-6;
    lab.step(1);
    return before - lab.diagnostics().angular_momentum.y();
  };
  EXPECT_GT(spin_loss(open), 0);
  EXPECT_NEAR(spin_loss(params), spin_loss(open), 1e-6 * spin_loss(open));
}

TEST(VoxelWind, ASheetAlongAGaleStaysAlongItInLongStepsAsInShortOnes) {
  // The sheet is square and has 1 kg/m^2. At any angle, the pressure on the leading edge acts at the centre of that
  // edge and causes no rotation.
  const auto flown = [](Integrator integrator) {
    VoxelBodyParams params;
    params.wind_friction = 0;
    params.wind_shielding = 0;
    params.integrator = integrator;
    Lab lab(lattice_of_blocks({5, 5, 1}, {{{{0, 0, 0}, {5, 5, 1}}}}, 100), {}, params);
    lab.fields().add("gale", std::make_unique<Breeze>(Vec3(50, 0, 5)));
    lab.run(0.4);
    const Elements& e = lab.body().elements();
    return std::pair<Vec3, Vec3>(lab.diagnostics().momentum / (25 * 100 * 1e-6),
                                 (e.position[4] - e.position[0]).normalized());
  };
  const auto [fine, along] = flown(Integrator::explicit_symplectic);
  const auto [coarse, coarse_along] = flown(Integrator::implicit_euler);
  EXPECT_LT(fine.z(), 4);
  EXPECT_NEAR(coarse.x(), fine.x(), 0.03 * fine.x());
  EXPECT_NEAR(coarse.z(), fine.z(), 0.03 * fine.z());
  EXPECT_NEAR(std::abs(along.z()), 0, 0.02);
  EXPECT_NEAR(std::abs(coarse_along.z()), 0, 0.02);
}

TEST(VoxelWind, CubeHasTheDragOfACube) {
  // The drag coefficient of a cube is 1.05 (Hoerner 1965). By default, only the pressure on the front causes drag.
  // Optionally, suction on the base contributes. Friction on four sides adds 0.04.
  VoxelBodyParams params;
  const VoxelLattice cube = lattice_of_blocks({8, 8, 8}, {{{{0, 0, 0}, {8, 8, 8}}}});
  const auto drag = [&] { return sum_of(wind_forces(cube, params, Vec3(5, 0, 0))).x() / (q5 * 64e-4); };
  expect_case("voxel", "Drag coefficient of a cube, face on", drag(), 1.05, 0.02);
  params.wind_drag = 0.75, params.wind_suction = 0.3;
  expect_case("voxel", "The same with wind_drag 0.75, wind_suction 0.3", drag(), 1.05, 0.05);
}

TEST(VoxelWind, ASheetWithLiftIsPushedAsAPlateInAStreamThatPartsBehindIt) {
  // The expected force is the formula of Rayleigh 1876, relative to the force at a right angle. The wind also hits one
  // narrow side of the sheet, which has 1 / 20 of the area.
  const VoxelLattice sheet = lattice_of_blocks({1, 20, 20}, {{{{0, 0, 0}, {1, 20, 20}}}});
  VoxelBodyParams params;
  params.wind_friction = 0;
  params.wind_shielding = 0;  // with shielding, the edge would shelter the faces next to it slightly
  const auto law = [](double s, double lift) { return (1 - lift) * s * s + lift * (4 + pi) * s / (4 + pi * s); };
  for (const double lift : {0.0, 0.5, 1.0})
    for (const double degrees : {2.0, 10.0, 30.0, 60.0, 90.0}) {
      params.wind_lift = lift;
      const double s = std::sin(degrees * pi / 180), c = std::cos(degrees * pi / 180);
      const Vec3 force = sum_of(wind_forces(sheet, params, 5 * Vec3(s, c, 0)));
      EXPECT_NEAR(force.x() / (q5 * 400e-4), law(s, lift), 1e-6) << lift << " " << degrees;
      EXPECT_NEAR(force.y() / (q5 * 20e-4), law(c, lift), 1e-6) << lift << " " << degrees;
      EXPECT_NEAR(force.z(), 0, 1e-12);
    }
}

TEST(VoxelWind, LiftAndDragNeverDriveAFeatherAgainstTheWind) {
  // The wind blows almost along the faces of a very light voxel. An explicit substep would accelerate the voxel beyond
  // the velocity of the wind. No component of the velocity relative to the air may change sign.
  for (const double lift : {0.0, 1.0}) {
    BoxSpec spec{1, 1, 1, 0.01};
    spec.material.density = 0.001;
    VoxelBodyParams params;
    params.wind_lift = lift;
    params.wind_friction = 0;
    Lab lab(box_lattice(spec), {}, params);
    const Vec3 wind(50, 0, 1);
    lab.fields().add("gale", std::make_unique<Breeze>(wind));
    double last = wind.norm();
    for (int i = 0; i < 100; ++i) {
      lab.step(1);
      const double now = (wind - lab.body().elements().velocity[0]).norm();
      EXPECT_LE(now, last * (1 + 1e-12)) << lift << " " << i;
      last = now;
    }
    EXPECT_LT(last, 5) << lift;
  }
}

TEST(VoxelWind, FallingPlateReachesItsTerminalVelocity) {
  // At the terminal velocity v, m g = 1/2 rho c A v^2, where A is the area of the lower face. The sides have no
  // friction.
  for (const Integrator integrator : {Integrator::explicit_symplectic, Integrator::implicit_euler}) {
    VoxelBodyParams params;
    params.wind_friction = 0;
    params.integrator = integrator;
    const double density = 20, mass = 36 * density * 1e-6, area = 36e-4, g = 9.81;
    Lab lab(lattice_of_blocks({6, 1, 6}, {{{{0, 0, 0}, {6, 1, 6}}}}, density), {}, params);
    lab.fields().add("air", std::make_unique<Breeze>(Vec3::Zero()));
    lab.context().gravity = Vec3(0, -g, 0);
    lab.run(1.5);
    const char* how = integrator == Integrator::implicit_euler ? "implicit" : "explicit";
    expect_case("voxel", std::string("Terminal velocity of a falling plate, ") + how,
                -lab.diagnostics().momentum.y() / mass, std::sqrt(2 * mass * g / (1.2 * area)), 1e-3, "m/s");
  }
}

}  // namespace
}  // namespace vw::test
