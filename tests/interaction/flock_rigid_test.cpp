// Flocks among rigid bodies. No member may enter a body, a falling body must frighten members, and a collision must
// give both sides opposite impulses.
#include <gtest/gtest.h>

#include "sim/system/rigid/rigid.h"
#include "tests/interaction/flock_scene.h"
#include "tests/support/validation.h"

namespace vw::test {
namespace {

/// Returns the smallest distance [m] between the centre of any member and the surface of body 0. The value is negative
/// inside the body.
double nearest_member(World& world) {
  const auto& rigid = static_cast<const RigidSystem&>(*world.find_system("bodies"));
  const Elements& e = rigid.elements();
  const Pose pose = rigid.bodies()[0].shape_at(e.position[0], e.orientation[0]);
  double least = 1e30;
  for (const Vec3& x : rows_of(world, "school").position)
    least =
        std::min(least, query(rigid.bodies()[0].shape, pose.orientation.conjugate() * (x - pose.position)).distance);
  return least;
}
double mean_distance(World& world) {
  const Vec3 rock = rows_of(world, "bodies").position[0];
  double sum = 0;
  for (const Vec3& x : rows_of(world, "school").position) sum += (x - rock).norm();
  return sum / static_cast<double>(rows_of(world, "school").size());
}

/// Returns a school about the origin, and a rock that starts to fall at `height`.
Node rock_over_school(double height) {
  Node scene = make_node(scene_schema());
  FlockSetup school;
  school.count = 150;
  school.size = Vec3(1.2, 0.6, 1.2);
  add_flock(scene, school);
  set_species(scene, "school", "length", 0.1);
  set(scene, "system.school.home_center", Vec3(0, 0, 0));
  set(scene, "system.school.home_size", Vec3(3, 1.5, 3));
  add_rigid(scene, "sphere");
  set(scene, thing + "radius", 0.15);
  set(scene, thing + "density", 2500.0);
  set(scene, thing + "position", Vec3(0.3, height, 0));
  return scene;
}

TEST(FlockRigid, FleesFromARockThatFallsThroughItAndNobodyIsEverInside) {
  const auto world = with_rules(rock_over_school(2.0)), calm = with_rules(rock_over_school(200.0));
  double least = 1e30;
  for (int i = 0; i < 120; ++i) {
    ASSERT_TRUE(world->step()) << world->health().sentence();
    ASSERT_TRUE(calm->step());
    least = std::min(least, nearest_member(*world));
  }
  EXPECT_GT(least, 0);
  // Members near the path of the rock must have moved differently from a run without the rock.
  std::size_t moved = 0;
  for (std::size_t i = 0; i < 150; ++i)
    moved += (rows_of(*world, "school").position[i] - rows_of(*calm, "school").position[i]).norm() > 0.1 ? 1 : 0;
  EXPECT_GT(moved, 10U);
}

TEST(FlockRigid, WhoCannotGetAwayIsThrownOffAndTheBodyFeelsIt) {
  Node scene = make_node(scene_schema());
  set(scene, "world.gravity", Vec3(0, 0, 0));
  FlockSetup school;
  school.count = 1;
  school.medium = "water";  // outside water, a fish has no propulsion
  school.size = Vec3::Zero();
  add_flock(scene, school);
  make_still(scene, "school");
  add_rigid(scene, "box");
  set(scene, thing + "size", Vec3(0.2, 0.2, 0.2));
  set(scene, thing + "density", 200.0);
  set(scene, thing + "position", Vec3(-1, 0.01, 0.02));
  set(scene, thing + "velocity", Vec3(5, 0, 0));
  const auto world = with_rules(scene);
  ASSERT_TRUE(world->step());
  const Motion before = motion_of(*world);
  const double mass = rows_of(*world, "school").mass[0], body = rows_of(*world, "bodies").mass[0];
  double least = 1e30;
  for (int i = 0; i < 60; ++i) {
    ASSERT_TRUE(world->step()) << world->health().sentence();
    least = std::min(least, nearest_member(*world));
  }
  EXPECT_GT(least, 0);
  EXPECT_LT((motion_of(*world).momentum - before.momentum).norm(), 1e-12 * before.size);
  // One impact of a member (mass m) and a box (mass M, speed V) with restitution e = 0.1, at a distance `arm` from the
  // centre of the box. The final speed of the member is (1 + e) V / (1 + m a), where a = 1 / M + arm^2 / I and I is the
  // moment of inertia of the box.
  const double arm = Vec3(0, 0.01, 0.02).squaredNorm(), inertia = body * 0.04 / 6;
  expect_case(flock_subject, "member hit by a box at 5 m/s: its speed afterwards",
              rows_of(*world, "school").velocity[0].x(), 1.1 * 5 / (1 + mass * (1 / body + arm / inertia)), 0.02,
              "m/s");
}

TEST(FlockRigidValidation, BodiesGetWhatTheyGiveToMembers) {
  // Birds steer towards a point within a cloud of free boxes. The propulsion of the birds changes the total momentum,
  // so the test uses only the impulses of the rule.
  Node scene = make_node(scene_schema());
  set(scene, "world.gravity", Vec3(0, 0, 0));
  FlockSetup school;
  school.count = 200;
  school.middle = Vec3(-1, 0, 0);
  add_flock(scene, school);
  make_listless(scene, "school");
  set_species(scene, "school", "goal", 3.0);
  add_child(child_of(scene, "school"), "goal", "point", "there");
  set(scene, "system.school.goal.there.position", Vec3(0.5, 0, 0));
  add_rigid(scene, "box");
  set(scene, thing + "size", Vec3(0.15, 0.15, 0.15));
  set(scene, thing + "repeat", Vec3(3, 3, 3));
  set(scene, thing + "repeat_step", Vec3(0.3, 0.3, 0.3));
  set(scene, thing + "position", Vec3(0.2, -0.3, -0.3));
  set(scene, thing + "density", 100.0);
  const auto world = with_rules(scene);
  world->subscribe({.rules = {"flock_rigid"}});
  ASSERT_TRUE(world->step());
  const Vec3 before = momentum_of(*world, "bodies");
  Vec3 given = Vec3::Zero();
  double size = 0, hits = 0;
  Snapshot picture;
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(world->step()) << world->health().sentence();
    world->write_snapshot(picture);
    for (const RuleSnapshot& rule : picture.rules)
      for (const Vec3f& force : rule.force_a)
        given += world->dt() * force.cast<double>(), hits += force.norm() > 0 ? 1 : 0;
    size = std::max(size, motion_of(*world).size);
  }
  EXPECT_GT(hits, 100);
  const double error = (momentum_of(*world, "bodies") - before + given).norm() / size;
  expect_case(flock_subject,
              "birds among 27 free boxes: what boxes gained and members got of the rule, in 1,000 steps, of sum m|v|",
              error, 0, 1e-6);
}

TEST(FlockRigid, GoalsFollowABody) {
  Node scene = make_node(scene_schema());
  set(scene, "world.gravity", Vec3(0, 0, 0));
  FlockSetup school;
  school.count = 30;
  add_flock(scene, school);
  add_child(child_of(scene, "school"), "goal", "body", "it");
  add_rigid(scene, "sphere");
  set(scene, thing + "position", Vec3(4, 0, 0));
  set(scene, thing + "velocity", Vec3(0, 0, 0.5));
  for (const std::string name : {"bodies", "bodies.thing", "bodies.0"}) {
    set(scene, "system.school.goal.it.body", name);
    const auto world = with_rules(scene);
    const double before = mean_distance(*world);
    run(*world, 4);
    EXPECT_LT(mean_distance(*world), 0.5 * before) << name;
  }
}

TEST(FlockRigid, SameBitsOnAnyNumberOfThreadsAndFromASavedState) {
  Node scene = rock_over_school(0.6);
  set(scene, "system.school.swarm.start.count", std::int64_t{600});
  EXPECT_EQ(ends_of(scene, 0.2, 0.2, {1, 2, 3, 8}).size(), 1U);
}

}  // namespace
}  // namespace vw::test
