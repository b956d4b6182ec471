// Boundary conditions: the voxels that a region selects, the degrees of freedom that the region prescribes, and the
// prescribed motion.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/base/rotation.h"
#include "sim/system/voxel/lattice/regions.h"
#include "tests/voxel/lab.h"

namespace vw::test {
namespace {

VoxelRegion region_between(const Vec3& min, const Vec3& max) {
  VoxelRegion region;
  region.min = min, region.max = max;
  return region;
}

VoxelRegion whole_body(TextList freedoms) {
  VoxelRegion region;
  region.freedoms = std::move(freedoms);
  return region;
}

/// Returns the indices of the cells that the region selects along one axis of a lattice of 9 x 6 x 4. The indices are
/// in ascending order and without duplicates.
std::vector<int> cells_along(int axis, const VoxelRegion& region) {
  const VoxelLattice lattice = box_lattice({9, 6, 4});
  const ResolvedRegions resolved = resolve_regions(lattice, {region});
  std::vector<int> cells;
  for (std::size_t v = 0; v < lattice.cell.size(); ++v)
    if (resolved.fixed[v] != 0) cells.push_back(lattice.cell[v][static_cast<std::size_t>(axis)]);
  std::sort(cells.begin(), cells.end());
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  return cells;
}

std::size_t count_fixed(const BoxSpec& spec, const VoxelRegion& region) {
  const ResolvedRegions resolved = resolve_regions(box_lattice(spec), {region});
  return static_cast<std::size_t>(std::count(resolved.fixed.begin(), resolved.fixed.end(), 1));
}

using testing::ElementsAre;
using testing::IsEmpty;

TEST(VoxelRegions, ABoxTouchesTheVoxelsThatItOverlaps) {
  // A third of the nine cells ends on a face between two cells. The voxel beyond that face is not selected.
  EXPECT_THAT(cells_along(0, region_between({0, 0, 0}, {1.0 / 3, 1, 1})), ElementsAre(0, 1, 2));
  EXPECT_THAT(cells_along(0, region_between({1.0 / 3, 0, 0}, {2.0 / 3, 1, 1})), ElementsAre(3, 4, 5));
  EXPECT_THAT(cells_along(0, region_between({2.0 / 3 + 1e-6, 0, 0}, {1, 1, 1})), ElementsAre(6, 7, 8));
  // Any overlap selects a cell, even if the overlap is small.
  EXPECT_THAT(cells_along(0, region_between({1.0 / 3, 0, 0}, {1.0 / 3 + 1e-6, 1, 1})), ElementsAre(3));
  EXPECT_THAT(cells_along(1, region_between({0, 0.49, 0}, {1, 0.51, 1})), ElementsAre(2, 3));
  EXPECT_THAT(cells_along(2, region_between({0, 0, 1.1}, {1, 1, 1.5})), IsEmpty());
}

TEST(VoxelRegions, ABoxWithoutThicknessTouchesWhatItLiesInOrOn) {
  EXPECT_THAT(cells_along(0, region_between({0, 0, 0}, {0, 1, 1})), ElementsAre(0));
  EXPECT_THAT(cells_along(0, region_between({1, 0, 0}, {1, 1, 1})), ElementsAre(8));
  EXPECT_THAT(cells_along(0, region_between({1.0 / 3, 0, 0}, {1.0 / 3, 1, 1})), ElementsAre(2, 3));
  EXPECT_THAT(cells_along(0, region_between({0.5, 0, 0}, {0.5, 1, 1})), ElementsAre(4));
}

TEST(VoxelRegions, ASphereTouchesTheVoxelsWhoseCentresItHolds) {
  VoxelRegion sphere;
  sphere.shape = RegionShape::sphere;
  sphere.center = Vec3(0.5, 0.5, 0.5);
  // The radius is a fraction of the longest edge of 5 cells, so 0.2 is one cell. The sphere just reaches the centres of
  // the six neighbours.
  sphere.radius = 0.2;
  EXPECT_EQ(count_fixed({5, 5, 5}, sphere), 7U);
  sphere.radius = 0.2 - 1e-6;
  EXPECT_EQ(count_fixed({5, 5, 5}, sphere), 1U);
  sphere.radius = 0.2 * std::sqrt(2.0);
  EXPECT_EQ(count_fixed({5, 5, 5}, sphere), 19U);
  // The centre is given in fractions of each edge, and the radius in fractions of the longest edge. In a lattice of 9 x
  // 5 x 5, a radius of 1 / 9 is therefore one cell.
  sphere.radius = 1.0 / 9;
  EXPECT_EQ(count_fixed({9, 5, 5}, sphere), 7U);
}

TEST(VoxelRegions, ACylinderTouchesTheVoxelsWhoseCentresItHolds) {
  VoxelRegion cylinder;
  cylinder.shape = RegionShape::cylinder;
  cylinder.center = Vec3(0.5, 0, 0.5);
  cylinder.axis = Vec3(0, 1, 0);
  cylinder.radius = 0.1;
  // The radius is a fraction of the longest edge of 10 cells, so 0.1 is one cell. The cylinder selects the middle
  // column and the four neighbouring columns.
  EXPECT_EQ(count_fixed({5, 10, 5}, cylinder), 50U);
  cylinder.axis = Vec3(0, 0.5, 0);
  EXPECT_EQ(count_fixed({5, 10, 5}, cylinder), 25U);
  cylinder.axis = Vec3(0, -0.5, 0);  // the axis leaves the lattice immediately
  EXPECT_EQ(count_fixed({5, 10, 5}, cylinder), 0U);
  cylinder.axis = Vec3::Zero();
  EXPECT_EQ(count_fixed({5, 10, 5}, cylinder), 0U);
  // The axis passes through the centres of the cells on the diagonal.
  cylinder.center = Vec3(0, 0, 0), cylinder.axis = Vec3(1, 1, 1), cylinder.radius = 1e-3;
  EXPECT_EQ(count_fixed({4, 4, 4}, cylinder), 4U);
}

TEST(VoxelRegions, ForceAndTorqueAreSharedOverTheVoxelsTouched) {
  VoxelRegion push = region_between({0, 0, 0}, {0.5, 1, 1}), twist = region_between({0.25, 0, 0}, {0.75, 1, 1});
  push.fixed = twist.fixed = false;
  push.force = Vec3(8, -4, 2);
  twist.torque = Vec3(0, 6, -3);
  const ResolvedRegions resolved = resolve_regions(box_lattice({4, 2, 1}), {push, twist, push});
  ASSERT_EQ(resolved.force.size(), 8U);
  ASSERT_EQ(resolved.torque.size(), 8U);
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
  for (const Vec3& f : resolved.force) force += f;
  for (const Vec3& t : resolved.torque) torque += t;
  EXPECT_EQ(resolved.force[0], Vec3(4, -2, 1));  // each of the two regions has four voxels
  EXPECT_EQ(resolved.force[2], Vec3(0, 0, 0));
  EXPECT_EQ(force, Vec3(16, -8, 4));
  EXPECT_EQ(resolved.torque[0], Vec3(0, 0, 0));
  EXPECT_EQ(resolved.torque[1], Vec3(0, 1.5, -0.75));
  EXPECT_EQ(torque, Vec3(0, 6, -3));
  EXPECT_TRUE(resolved.held.empty());
  EXPECT_TRUE(resolve_regions(box_lattice({4, 2, 1}), {region_between({0, 0, 0}, {1, 1, 1})}).force.empty());
}

TEST(VoxelRegions, FixedIsOnlyWhatStandsStillInAllSixFreedoms) {
  const VoxelLattice lattice = box_lattice({4, 1, 1});
  VoxelRegion all = region_between({0, 0, 0}, {0.25, 1, 1}), named = region_between({0.25, 0, 0}, {0.5, 1, 1}),
              some = region_between({0.5, 0, 0}, {0.75, 1, 1}), moved = region_between({0.75, 0, 0}, {1, 1, 1});
  named.freedoms = {"rz", "ry", "rx", "z", "y", "x"};
  some.freedoms = {"y", "rx"};
  moved.displacement = Vec3(0, 0.001, 0);
  const ResolvedRegions resolved = resolve_regions(lattice, {all, named, some, moved});
  EXPECT_THAT(resolved.fixed, ElementsAre(1, 1, 0, 0));
  ASSERT_EQ(resolved.held.size(), 2U);
  EXPECT_EQ(resolved.held[0].voxel, 2U);
  EXPECT_EQ(resolved.held[0].freedoms, 2 + 8);
  EXPECT_FALSE(resolved.held[0].moves());
  EXPECT_EQ(resolved.held[1].voxel, 3U);
  EXPECT_EQ(resolved.held[1].freedoms, all_freedoms);
  EXPECT_TRUE(resolved.held[1].moves());
}

TEST(VoxelRegions, OverlappingRegionsHoldTheUnionAndTheLastOneMoves) {
  VoxelRegion slide = whole_body({"x", "y"}), lift = whole_body({"y", "rz"});
  slide.displacement = Vec3(0.01, 0.02, 0.03);
  slide.ramp_s = 2;
  lift.displacement = Vec3(1, 0.05, 1);  // the region does not prescribe x
  lift.rotation = Vec3(1, 1, 0.5);
  lift.ramp_s = 3;
  const ResolvedRegions resolved = resolve_regions(box_lattice({1, 1, 1}), {slide, lift});
  ASSERT_EQ(resolved.held.size(), 1U);
  EXPECT_EQ(resolved.held[0].freedoms, 1 + 2 + 32);
  EXPECT_EQ(resolved.held[0].displacement, Vec3(0.01, 0.05, 0));
  EXPECT_EQ(resolved.held[0].rotation, Vec3(0, 0, 0.5));
  EXPECT_EQ(resolved.held[0].ramp_s, 3);
  // A region without prescribed degrees of freedom does not move voxels.
  VoxelRegion idle = whole_body({});
  idle.fixed = false;
  idle.displacement = Vec3(1, 1, 1);
  EXPECT_TRUE(resolve_regions(box_lattice({1, 1, 1}), {idle}).held.empty());
  EXPECT_EQ(resolve_regions(box_lattice({1, 1, 1}),
                            {whole_body({"x", "y", "z"}), whole_body({"rx", "ry"}), whole_body({"rz"})})
                .fixed[0],
            1);
}

TEST(VoxelRegions, AnUnknownFreedomIsAnErrorThatNamesIt) {
  Node body = make_node(voxel_body_schema(), "beam");
  add_child(body, "region", "region", "clamp").set("freedoms", TextList{"x", "rx"});
  const auto good = read_regions(body);
  ASSERT_TRUE(good.has_value());
  EXPECT_EQ(resolve_regions(box_lattice({1, 1, 1}), *good).held[0].freedoms, 1 + 8);
  Node& bad = add_child(body, "region", "region", "tip");
  bad.set("freedoms", TextList{"y", "tx"});
  bad.line = 17;
  const auto read = read_regions(body);
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().line, 17);
  EXPECT_EQ(read.error().key, "system.beam.region.tip.freedoms");
  EXPECT_EQ(read.error().message(),
            "system.beam.region.tip.freedoms = \"tx\": must be one of x, y, z, rx, ry, rz (did you mean \"x\"?)");
}

TEST(VoxelRegions, ABoxWhoseCornersAreExchangedIsAnError) {
  Node body = make_node(voxel_body_schema(), "beam");
  Node& region = add_child(body, "region", "region", "clamp");
  region.set("min", Vec3(0, 0.6, 0));
  region.set("max", Vec3(1, 0.4, 1));
  region.line = 9;
  const auto read = read_regions(body);
  ASSERT_FALSE(read.has_value());
  EXPECT_EQ(read.error().line, 9);
  EXPECT_EQ(read.error().message(),
            "system.beam.region.clamp.min = [0.0, 0.6, 0.0]: must not be above max along any axis");
}

TEST(VoxelRegions, TheRampStartsAndEndsAtRest) {
  EXPECT_EQ(ramp_at(0, 2).share, 0);
  EXPECT_EQ(ramp_at(0, 2).rate, 0);
  EXPECT_DOUBLE_EQ(ramp_at(1, 2).share, 0.5);
  EXPECT_DOUBLE_EQ(ramp_at(1, 2).rate, 0.75);  // 3/2 of the mean rate
  EXPECT_EQ(ramp_at(2, 2).share, 1);
  EXPECT_EQ(ramp_at(2, 2).rate, 0);
  for (const double t : {-1.0, 0.0, 5.0}) EXPECT_EQ(ramp_at(t, 0).share, 1) << t;
  // The rate must be the derivative of the ramp.
  for (const double t : {0.3, 0.9, 1.7})
    EXPECT_NEAR((ramp_at(t + 1e-5, 2).share - ramp_at(t - 1e-5, 2).share) / 2e-5, ramp_at(t, 2).rate, 1e-8);
}

/// A single voxel without bonds. step() moves the voxel freely and then applies the prescribed motion.
struct Mover {
  Vec3 rest = Vec3(1, 2, 3);
  Quat rest_turn = Quat(Eigen::AngleAxisd(0.3, Vec3(1, 2, 2) / 3));
  Vec3 x = rest, v = Vec3::Zero(), w = Vec3::Zero();
  Quat q = rest_turn;

  void drift(double dt) {
    x += dt * v;
    q = turn(w * dt) * q;
  }
  void step(const HeldVoxel& held, double t_next, double dt) {
    drift(dt);
    apply_held(held, t_next, dt, rest, rest_turn, x, q, v, w);
  }
  static Quat turn(const Vec3& by) {
    return by.norm() > 0 ? Quat(Eigen::AngleAxisd(by.norm(), by.normalized())) : Quat::Identity();
  }
};

TEST(HeldVoxels, OnlyHeldTranslationsArePrescribed) {
  HeldVoxel held;
  held.freedoms = 2;
  held.displacement = Vec3(0, 0.04, 0);
  held.ramp_s = 1;
  Mover m;
  m.v = Vec3(5, 6, 7), m.w = Vec3(1, -1, 0.5);
  Mover free = m;
  free.drift(0.01);
  m.step(held, 0.5, 0.01);
  EXPECT_EQ(m.x, Vec3(free.x.x(), 2 + 0.02, free.x.z()));
  EXPECT_EQ(m.v, Vec3(5, 0.04 * 1.5, 7));
  EXPECT_EQ(m.w, free.w);
  EXPECT_EQ(m.q.coeffs(), free.q.coeffs());
}

TEST(HeldVoxels, WithAllRotationsHeldTheOrientationIsExact) {
  HeldVoxel held;
  held.freedoms = all_rotations;
  held.rotation = Vec3(0.2, -0.4, 0.1);
  held.ramp_s = 0.5;
  Mover m;
  m.v = Vec3(1, 0, 0);
  for (int i = 1; i <= 100; ++i) {
    m.w += Vec3(3, -2, 1);  // an angular velocity error, as a moment would cause it
    m.step(held, 0.01 * i, 0.01);
    const RampState now = ramp_at(0.01 * i, 0.5);
    EXPECT_LT(m.q.angularDistance(Mover::turn(now.share * held.rotation) * m.rest_turn), 1e-15);
    EXPECT_EQ(m.w, now.rate * held.rotation);
  }
  EXPECT_DOUBLE_EQ(m.x.x(), 2);  // x is a free direction
  EXPECT_EQ(m.w, Vec3(0, 0, 0));
}

TEST(HeldVoxels, OneHeldRotationFollowsItsAngleWhileTheVoxelTravels) {
  HeldVoxel held;
  held.freedoms = 32;  // only the rotation about z is constrained
  held.rotation = Vec3(0, 0, 1.2);
  held.ramp_s = 0.3;
  Mover m;
  m.v = Vec3(1, 2, 3);
  for (int i = 1; i <= 400; ++i) {
    m.w.z() += 2;  // effect of a moment about z; the constraint must remove the effect and the drift that it causes
    m.step(held, 0.001 * i, 0.001);
  }
  // The result contains 400 products of unit quaternions. Each product has an error of 1e-16.
  EXPECT_LT(m.q.angularDistance(Mover::turn(held.rotation) * m.rest_turn), 1e-12);
  // The tolerance allows for 400 sums of numbers of up to 4.
  EXPECT_NEAR((m.x - m.rest - 0.4 * Vec3(1, 2, 3)).norm(), 0, 1e-12);
}

TEST(HeldVoxels, FreeRotationsIntegrateAsIfTheHeldOneHadNeverMoved) {
  HeldVoxel held;
  held.freedoms = 16;  // only the rotation about y is prescribed
  Mover m, only_x;
  for (int i = 1; i <= 200; ++i) {
    m.w = Vec3(4, 0.1 * i, 0);
    m.step(held, 0.001 * i, 0.001);
    only_x.w = Vec3(4, 0, 0);
    only_x.drift(0.001);
    EXPECT_EQ(m.w, Vec3(4, 0, 0));
  }
  EXPECT_LT(m.q.angularDistance(only_x.q), 1e-12);
}

TEST(HeldVoxels, ARampWithoutDurationJumpsInTheFirstSubstepAndOnce) {
  HeldVoxel held;
  held.freedoms = 1 + 8;
  held.displacement = Vec3(0.5, 0, 0);
  held.rotation = Vec3(0.7, 0, 0);
  Mover m;
  for (int i = 1; i <= 5; ++i) {
    m.step(held, 0.01 * i, 0.01);
    EXPECT_EQ(m.x, m.rest + held.displacement);
    EXPECT_EQ(m.v, Vec3(0, 0, 0));
    EXPECT_LT(m.q.angularDistance(Mover::turn(held.rotation) * m.rest_turn), 1e-14);
    EXPECT_EQ(m.w, Vec3(0, 0, 0));
  }
}

// ---- Held voxels in a body ----

VoxelBodyParams with(Integrator integrator) {
  VoxelBodyParams params;
  params.integrator = integrator;
  return params;
}

BoxSpec soft_bar() {
  BoxSpec spec{10, 1, 1, 0.005};
  spec.material.youngs_modulus = 1e5;
  spec.material.bond_damping = 0.5;
  spec.material.global_damping = 0.05;
  return spec;
}

TEST(HeldVoxels, AnEndThatIsPulledAwayStretchesTheBarEvenly) {
  for (const Integrator integrator : {Integrator::explicit_symplectic, Integrator::implicit_euler}) {
    VoxelRegion pull = slab_x(1, 1, true);
    // The displacement is 2 % of the distance of 45 mm between the centres of the ends.
    pull.displacement = Vec3(0.0009, 0, 0);
    pull.ramp_s = 0.1;
    Lab lab(box_lattice(soft_bar()), {slab_x(0, 0, true), pull}, with(integrator));
    const Vec3 before = lab.position(9);
    lab.run(0.05);
    EXPECT_NEAR(lab.position(9).x(), before.x() + 0.00045, 1e-15);  // half of the displacement at half of the ramp
    lab.run(0.45);
    EXPECT_EQ(lab.position(9), Vec3(before + pull.displacement));
    for (std::size_t v = 1; v < 10; ++v) EXPECT_NEAR(lab.position(v).x() - lab.position(v - 1).x(), 0.0051, 1e-8) << v;
  }
}

TEST(HeldVoxels, AnEndThatIsTurnedTwistsTheBarEvenly) {
  for (const Integrator integrator : {Integrator::explicit_symplectic, Integrator::implicit_euler}) {
    VoxelRegion turn = slab_x(1, 1, true);
    turn.rotation = Vec3(0.45, 0, 0);
    turn.ramp_s = 0.1;
    Lab lab(box_lattice(soft_bar()), {slab_x(0, 0, true), turn}, with(integrator));
    lab.run(0.5);
    for (std::size_t v = 0; v < 10; ++v)
      EXPECT_LT((turn_of(lab.body().elements().orientation[v]) - Vec3(0.05 * double(v), 0, 0)).norm(), 1e-6) << v;
  }
}

TEST(HeldVoxels, OnARailABodyFallsAlongItOnly) {
  for (const Integrator integrator : {Integrator::explicit_symplectic, Integrator::implicit_euler}) {
    VoxelRegion rail;  // every voxel stays at constant height and does not rotate
    rail.freedoms = {"y", "rx", "ry", "rz"};
    BoxSpec spec = soft_bar();
    spec.material.global_damping = 0;
    Lab lab(box_lattice(spec), {rail}, with(integrator));
    lab.context().gravity = Vec3(1, -9.81, 0);
    lab.run(0.5);
    for (std::size_t v = 0; v < 10; ++v) {
      EXPECT_EQ(lab.position(v).y(), 0.0025);
      EXPECT_EQ(lab.body().elements().velocity[v].y(), 0);
      EXPECT_NEAR(lab.body().elements().velocity[v].x(), 0.5, 5e-5);  // implicit_tolerance is 1e-4
    }
  }
}

TEST(HeldVoxels, ABodyIsMovedOnlyAlongItsFreeAxes) {
  const Lab lab(box_lattice({3, 1, 1}), {whole_body({"x", "rx", "ry", "rz"})});
  Displacement across, along, turned;
  across.translation = Vec3(0, 0.1, 0), along.translation = Vec3(0.1, 0, 0);
  turned.rotation = rotation_of(Vec3(0.1, 0, 0));
  EXPECT_TRUE(lab.body().displace(0, across).has_value());
  EXPECT_FALSE(lab.body().displace(0, along).has_value()) << "the voxels would jump back in the next substep";
  EXPECT_FALSE(lab.body().displace(0, turned).has_value());
}

TEST(HeldVoxels, TorqueOnAFreeBodyBecomesItsAngularMomentum) {
  VoxelRegion twist;
  twist.fixed = false;
  twist.torque = Vec3(0, 0, 1e-5);
  BoxSpec spec = soft_bar();
  spec.material.global_damping = 0;
  for (const Integrator integrator : {Integrator::explicit_symplectic, Integrator::implicit_euler}) {
    Lab lab(box_lattice(spec), {twist}, with(integrator));
    lab.run(0.05);
    const Diagnostics d = lab.diagnostics();
    const Vec3 own = d.angular_momentum - d.center_of_mass.cross(d.momentum);
    EXPECT_LT((own - Vec3(0, 0, 0.05 * 1e-5)).norm(), 1e-4 * 0.05 * 1e-5);
    EXPECT_LT(d.momentum.norm(), 1e-12);
  }
}

}  // namespace
}  // namespace vw::test
