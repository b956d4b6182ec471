// Contact with the ground, and friction.
#include <gtest/gtest.h>

#include <array>

#include "tests/support/validation.h"
#include "tests/voxel/lab.h"

namespace vw::test {
namespace {

/// A slab of 3 x 1 x 3 voxels of 1 cm on a plane that is inclined by `angle` about z. The slab rests on its penalty
/// springs. It has only one layer, because a higher block would tilt onto its lower edge. The other voxels would then
/// slip first, and the block would not follow the law of a point mass.
struct Incline {
  double angle = 0, mu_static = 1, mu_dynamic = 0.5;
  double speed = 0;  ///< initial speed along the slope, downhill positive

  [[nodiscard]] Vec3 downhill() const { return {-std::cos(angle), -std::sin(angle), 0}; }
  [[nodiscard]] Lab make() const {
    BoxSpec spec{3, 1, 3, 0.01};
    spec.material.mu_static = mu_static;
    spec.material.mu_dynamic = mu_dynamic;
    spec.material.bond_damping = 0.5;
    spec.material.youngs_modulus = 1e5;
    Collider plane = ground(mu_static, mu_dynamic);
    plane.orientation = Quat(Eigen::AngleAxisd(angle, Vec3::UnitZ()));
    VoxelBodyParams params;
    params.rotation = Vec3(0, 0, angle);
    const double sink =
        1e-3 * earth_gravity * std::cos(angle) / (1e5 * 0.01);  // penetration depth: weight divided by stiffness
    params.position = plane.orientation * Vec3(0, 0.005 - sink, 0) - Vec3(0.015, 0.005, 0.015);
    params.velocity = speed * downhill();
    Lab lab(box_lattice(spec), {}, params, {plane});
    lab.context().gravity = Vec3(0, -earth_gravity, 0);
    return lab;
  }
};

Vec3 center(const Lab& lab) { return lab.diagnostics().center_of_mass; }

TEST(VoxelContact, BlockHoldsOnASlopeBelowStaticFriction) {
  // The slope is 2 % below the slope of static friction and far above the slope of dynamic friction.
  const Incline slope{std::atan(0.98 * 0.6), 0.6, 0.3};
  Lab lab = slope.make();
  const Vec3 start = center(lab);
  lab.run(2);
  expect_case("voxel", "Block on a slope of 0.98 mu_s, creep in 2 s", (center(lab) - start).norm(), 0, 1e-6, "m");
  EXPECT_NE(lab.body().contacts()[0].held, 0U);
}

TEST(VoxelContact, BlockSlidesOnASlopeAboveStaticFriction) {
  // With a coefficient of 0.55, dynamic friction is almost as large as static friction.
  for (const double mu_dynamic : {0.3, 0.55}) {
    const double angle = std::atan(1.05 * 0.6);
    const Incline slope{angle, 0.6, mu_dynamic};
    Lab lab = slope.make();
    lab.run(0.3);
    const double before = lab.diagnostics().momentum.dot(slope.downhill());
    lab.run(0.5);
    const double measured = (lab.diagnostics().momentum.dot(slope.downhill()) - before) / (9 * 1e-3) / 0.5;
    expect_case("voxel", "Block slides down a slope, acceleration, mu_d = " + std::to_string(mu_dynamic).substr(0, 4),
                measured, earth_gravity * (std::sin(angle) - mu_dynamic * std::cos(angle)), 0.01, "m/s^2");
  }
}

TEST(VoxelContact, TallBlockSlidesToo) {
  // Tilting shifts the load from voxel to voxel without changing the total load, so the block slides like a point mass.
  const double angle = std::atan(0.7), mu_dynamic = 0.3;
  BoxSpec spec{3, 3, 3, 0.01};
  spec.material.mu_static = 0.5;
  spec.material.mu_dynamic = mu_dynamic;
  Collider plane = ground(0.5, mu_dynamic);
  plane.orientation = Quat(Eigen::AngleAxisd(angle, Vec3::UnitZ()));
  VoxelBodyParams params;
  params.rotation = Vec3(0, 0, angle);
  params.position = plane.orientation * Vec3(0, 0.015, 0) - Vec3::Constant(0.015);
  Lab lab(box_lattice(spec), {}, params, {plane});
  lab.context().gravity = Vec3(0, -earth_gravity, 0);
  lab.run(1);
  expect_case("voxel", "Cube of 3 x 3 x 3 slides down a slope, speed after 1 s",
              lab.diagnostics().momentum.norm() / (27 * 1e-3),
              earth_gravity * (std::sin(angle) - mu_dynamic * std::cos(angle)), 0.01, "m/s");
}

/// Displacement [m] and final speed [m/s] of a block on a slope during one second. The block starts on the slope
/// without penetration.
struct Slip {
  double way, speed;
};
Slip put_on_slope(const std::array<int, 3>& cells, double angle, double mu_static, double mu_dynamic) {
  BoxSpec spec{cells[0], cells[1], cells[2], 0.01};
  spec.material.mu_static = mu_static;
  spec.material.mu_dynamic = mu_dynamic;
  spec.material.youngs_modulus = 4e5;
  Collider plane = ground(mu_static, mu_dynamic);
  plane.orientation = Quat(Eigen::AngleAxisd(angle, Vec3::UnitZ()));
  const Vec3 half = 0.005 * Vec3(cells[0], cells[1], cells[2]);
  VoxelBodyParams params;
  params.rotation = Vec3(0, 0, angle);
  params.position = plane.orientation * Vec3(0, half.y(), 0) - half;
  Lab lab(box_lattice(spec), {}, params, {plane});
  lab.context().gravity = Vec3(0, -earth_gravity, 0);
  const Vec3 start = center(lab);
  lab.run(1);
  return {(center(lab) - start).norm(), lab.diagnostics().momentum.norm() / (cells[0] * cells[1] * cells[2] * 1e-3)};
}

TEST(VoxelContact, BlockPutOnASlopeComesToRestThoughDynamicFrictionAloneCouldNotHoldIt) {
  // While the block sinks in and oscillates, voxels are unloaded and slip repeatedly. These slips must not add up to
  // unbounded sliding. The block tilts by about 2 % of a voxel edge. The bound on its displacement is 10 % of an edge,
  // to allow for the slips.
  for (const std::array<int, 3> cells : {std::array{3, 1, 3}, {4, 2, 4}, {3, 3, 3}, {6, 3, 5}})
    for (const double share : {0.75, 0.95}) {
      const Slip slip = put_on_slope(cells, std::atan(share * 0.6), 0.6, 0.3);
      EXPECT_LT(slip.way, 0.1 * 0.01) << cells[0] << " x " << cells[1] << ", " << share;
      EXPECT_LT(slip.speed, 1e-3) << cells[0] << " x " << cells[1] << ", " << share;
    }
}

TEST(VoxelContact, BlockPutOnASlopeTooSteepSlidesFromTheStart) {
  const double angle = std::atan(1.05 * 0.6), acceleration = earth_gravity * (std::sin(angle) - 0.3 * std::cos(angle));
  for (const std::array<int, 3> cells : {std::array{3, 1, 3}, {4, 2, 4}, {6, 3, 5}})
    EXPECT_NEAR(put_on_slope(cells, angle, 0.6, 0.3).way, 0.5 * acceleration, 0.01 * 0.5 * acceleration) << cells[0];
}

TEST(VoxelContact, BlockStopsAfterItsBrakingDistance) {
  const Incline flat{0, 0.6, 0.4, 1.0};
  Lab lab = flat.make();
  const Vec3 start = center(lab);
  lab.run(0.5);
  expect_case("voxel", "Block stops on flat ground, distance", (center(lab) - start).dot(flat.downhill()),
              1.0 / (2 * 0.4 * earth_gravity), 0.01, "m");
  EXPECT_LT(lab.diagnostics().momentum.norm(), 1e-9);
}

TEST(VoxelContact, BlockThrownUphillStopsAndStays) {
  // The block slides over a distance of v^2 / (2 g (sin a + mu_d cos a)), with the slope angle a and the
  // coefficient of dynamic friction mu_d. Static friction then holds the block, although the slope tan a exceeds mu_d.
  const double angle = std::atan(0.5);
  const Incline slope{angle, 0.6, 0.4, -1.0};
  Lab lab = slope.make();
  const Vec3 start = center(lab);
  lab.run(0.8);
  const double expected = 1 / (2 * earth_gravity * (std::sin(angle) + 0.4 * std::cos(angle)));
  expect_case("voxel", "Block thrown uphill stops, distance", -(center(lab) - start).dot(slope.downhill()), expected,
              0.01, "m");
  EXPECT_LT(lab.diagnostics().momentum.norm(), 1e-9);
}

TEST(VoxelContact, MovingGroundCarriesABlock) {
  BoxSpec spec{2, 2, 2, 0.01};
  spec.material.bond_damping = 0.5;
  Collider belt = ground(0.6, 0.4);
  belt.velocity = Vec3(0.2, 0, 0);
  Lab lab(box_lattice(spec), {}, {}, {belt});
  lab.context().gravity = Vec3(0, -earth_gravity, 0);
  lab.run(0.5);
  EXPECT_NEAR(lab.diagnostics().momentum.x() / 8e-3, 0.2, 1e-3);
}

TEST(VoxelContact, GroundNeverPulls) {
  // A voxel is shot into the ground and rebounds with the largest contact damping. The vertical velocity must never
  // decrease faster than in free fall, because the ground must not pull.
  BoxSpec spec{1, 1, 1, 0.01};
  spec.material.contact_damping = 1;
  VoxelBodyParams params;
  params.position = Vec3(0, -0.002, 0);  // the initial penetration is a fifth of an edge, so the voxel leaves fast
  Lab lab(box_lattice(spec), {}, params, {ground()});
  lab.context().gravity = Vec3(0, -earth_gravity, 0);
  double last = 0, worst = 0, highest = 0;
  for (int i = 0; i < 20000; ++i) {
    lab.context().dt = 1e-5;
    lab.step(1);
    const double v = lab.body().elements().velocity[0].y();
    worst = std::min(worst, v - last + earth_gravity * 1e-5);
    highest = std::max(highest, v);
    last = v;
  }
  EXPECT_GT(highest, 0.1);
  EXPECT_GE(worst, -1e-12);
}

TEST(VoxelContact, DroppedBlockComesToRest) {
  BoxSpec spec{4, 4, 4, 0.01};
  spec.material.bond_damping = 0.5;
  spec.material.youngs_modulus = 1e5;
  VoxelBodyParams params;
  params.position = Vec3(0, 0.02, 0);
  Lab lab(box_lattice(spec), {}, params, {ground()});
  lab.context().gravity = Vec3(0, -earth_gravity, 0);
  lab.run(2);
  EXPECT_LT(lab.diagnostics().kinetic, 1e-12);
  const double sink = 0.01 / 2 - lab.position(0).y();
  EXPECT_GT(sink, 0);
  EXPECT_LT(sink, 0.001);
}

TEST(VoxelContact, ImmersedBlockComesUpWhole) {
  BoxSpec spec{4, 4, 4, 0.01};
  spec.material.bond_damping = 0.3;
  spec.material.youngs_modulus = 1e5;
  VoxelBodyParams params;
  params.position = Vec3(0, -0.025, 0);  // two and a half of the four layers start below ground
  Lab lab(box_lattice(spec), {}, params, {ground()});
  lab.context().gravity = Vec3(0, -earth_gravity, 0);
  for (int step = 0; step < 360; ++step) {
    lab.run(1.0 / 120);
    ASSERT_FALSE(lab.body().check_health().has_value()) << step;
  }
  EXPECT_GT(center(lab).y(), 0.0195);
  EXPECT_LT(lab.diagnostics().elastic, 1e-3);
}

}  // namespace
}  // namespace vw::test
