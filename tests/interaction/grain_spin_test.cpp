// Particles that spin: rolling on obstacles, bounces with friction, and collisions among grains, compared with the
// mechanics of a solid ball.
#include <cmath>

#include <gmock/gmock.h>

#include "sim/world/world.h"
#include "tests/support/checked.h"
#include "tests/support/validation.h"
#include "tests/support/world_of.h"

namespace vw {
using test::expect_case;
using test::set;
namespace {

constexpr double ball_m = 0.02, ball_kg = 0.05, weight_mps2 = 9.81;

/// Returns a scene with an empty particle system `balls`, whose particles can spin. It has no obstacles.
Node balls_scene(const Vec3& gravity) {
  Node scene = make_node(scene_schema());
  set(scene, "world.gravity", gravity);
  Node& system = add_child(scene, "system", "particles", "balls");
  system.set("mass", ball_kg);
  system.set("radius", ball_m);
  system.set("spin", true);
  system.set("collision_dt", 1.0 / 960);
  return scene;
}

void add_ball(Node& scene, const Vec3& position, const Vec3& velocity) {
  for (Node& node : scene.children) {
    if (node.name != "balls") continue;
    Node& source = add_child(node, "emitter", "point", "b" + std::to_string(node.children.size()));
    source.set("position", position);
    source.set("direction", velocity.norm() > 0 ? velocity : Vec3(0, 1, 0));
    source.set("speed", velocity.norm());
    source.set("rate", 0.0);
    source.set("burst", std::int64_t{1});
    source.set("lifetime", 0.0);
  }
}

/// Returns a floor, and one ball on it. `friction` is the friction coefficient of the floor.
Node ball_on_floor(const Vec3& gravity, const Vec3& velocity, double friction, double restitution = 0,
                   double height = 0) {
  Node scene = balls_scene(gravity);
  Node& floor = add_child(scene, "collider", "plane", "floor");
  floor.set("mu_static", friction);
  floor.set("mu_dynamic", friction);
  for (Node& node : scene.children)
    if (node.name == "balls") {
      node.set("restitution", restitution);
      node.set("mu_static", friction);
      node.set("mu_dynamic", friction);
    }
  floor.set("restitution", restitution);
  add_ball(scene, Vec3(0, ball_m + height, 0), velocity);
  return scene;
}

std::unique_ptr<World> run_balls(const Node& scene, double seconds) {
  auto world = test::checked(World::create(scene));
  while (world->time() < seconds - 1e-9) EXPECT_TRUE(world->step()) << world->health().sentence();
  return world;
}

TEST(GrainSpin, ASlidingBallEndsRollingAtFiveSeventhsOfItsSpeed) {
  const auto world = run_balls(ball_on_floor({0, -weight_mps2, 0}, {1, 0, 0}, 0.3), 0.5);
  const Elements& e = world->system(0).elements();
  expect_case("particles", "sliding ball that starts to roll: final over first speed", e.velocity[0].x(), 5.0 / 7,
              1e-3);
  EXPECT_NEAR(-e.angular_velocity[0].z() * ball_m, e.velocity[0].x(), 1e-6) << "the ball rolls without sliding";
  EXPECT_NEAR(e.velocity[0].y(), 0, 1e-9);
}

TEST(GrainSpin, ABallRollsDownAnInclineWithFiveSeventhsOfGravity) {
  const double slope = 0.3;
  const Vec3 tilted = weight_mps2 * Vec3(std::sin(slope), -std::cos(slope), 0);
  const auto world = run_balls(ball_on_floor(tilted, Vec3::Zero(), 0.5), 1);
  const Elements& e = world->system(0).elements();
  expect_case("particles", "ball that rolls down an incline of 17 degrees: speed after 1 s", e.velocity[0].x(),
              5.0 / 7 * tilted.x(), 2e-3, "m/s");
  EXPECT_NEAR(-e.angular_velocity[0].z() * ball_m, e.velocity[0].x(), 2e-3 * e.velocity[0].x());
}

TEST(GrainSpin, OnASteepInclineTheBallSlidesAndSpins) {
  const double slope = 1, friction = 0.2;  // the ball slides if tan(slope) exceeds 7/2 of `friction`
  const Vec3 tilted = weight_mps2 * Vec3(std::sin(slope), -std::cos(slope), 0);
  const auto world = run_balls(ball_on_floor(tilted, Vec3::Zero(), friction), 1);
  const Elements& e = world->system(0).elements();
  EXPECT_NEAR(e.velocity[0].x() / (tilted.x() + friction * tilted.y()), 1, 2e-3);
  EXPECT_NEAR(-e.angular_velocity[0].z() / (-2.5 * friction * tilted.y() / ball_m), 1, 2e-3);
}

TEST(GrainSpin, ABounceThatSticksKeepsFiveSeventhsOfTheTangentialSpeed) {
  const auto world = run_balls(ball_on_floor(Vec3::Zero(), {1, -2, 0}, 2, 0.5, 0.1), 0.2);
  const Elements& e = world->system(0).elements();
  EXPECT_NEAR(e.velocity[0].y(), 1, 1e-9);
  EXPECT_NEAR(e.velocity[0].x(), 5.0 / 7, 1e-9);
  EXPECT_NEAR(-e.angular_velocity[0].z(), 5.0 / 7 / ball_m, 1e-6);
}

TEST(GrainSpin, TheEnergyOfASpinningBallFallsByTheWorkOfFriction) {
  Node scene = ball_on_floor({0, -weight_mps2, 0}, {1, 0, 0}, 0.3);
  const auto world = test::checked(World::create(scene));
  double before = world->diagnostics(0).kinetic;
  EXPECT_NEAR(before, 0.5 * ball_kg, 1e-12);
  for (int i = 0; i < 60; ++i) {
    ASSERT_TRUE(world->step());
    const double now = world->diagnostics(0).kinetic;
    EXPECT_LE(now, before * (1 + 1e-9)) << "step " << i;
    before = now;
  }
  // A rolling ball has 7/5 of the energy of its translation.
  EXPECT_NEAR(before, 0.7 * ball_kg * std::pow(5.0 / 7, 2), 1e-4 * ball_kg);
}

TEST(GrainSpin, CollisionsAmongGrainsConserveAngularMomentum) {
  Node scene = balls_scene(Vec3::Zero());
  Node& rule = add_child(scene, "interaction", "grains", "grains");
  rule.set("stiffness", 2e4);
  add_ball(scene, {-0.1, 0, 0}, {1, 0, 0});
  add_ball(scene, {0.1, 0.02, 0.01}, {-0.5, 0.1, 0});
  add_ball(scene, {0.2, 0.03, -0.02}, {-1, 0, 0.1});
  const auto world = test::checked(World::create(scene));
  const Diagnostics before = world->diagnostics(0);
  double kinetic = before.kinetic;
  for (int i = 0; i < 60; ++i) ASSERT_TRUE(world->step());
  const Diagnostics after = world->diagnostics(0);
  const Elements& e = world->system(0).elements();
  EXPECT_GT(e.angular_velocity[0].norm(), 1) << "friction turned no ball";
  EXPECT_LT((after.momentum - before.momentum).norm(), 1e-12);
  expect_case("particles", "oblique collisions of spinning grains: relative change of angular momentum",
              (after.angular_momentum - before.angular_momentum).norm() / before.angular_momentum.norm(), 0, 1e-6);
  EXPECT_LT(after.kinetic, kinetic);
}

/// A moving ball grazes a ball at rest, with friction. The tangential impulse turns both balls in the same sense.
TEST(GrainSpin, OneGrainTurnsTheOther) {
  Node scene = balls_scene(Vec3::Zero());
  add_child(scene, "interaction", "grains", "grains").set("mu_static", 1.0);
  add_ball(scene, {0, 0, 0}, {0, 0, 0});
  add_ball(scene, {2 * ball_m - 1e-5, 0.03, 0}, {0, -1, 0});
  const auto world = run_balls(scene, 0.1);
  const Elements& e = world->system(0).elements();
  EXPECT_GT(e.angular_velocity[0].z() * e.angular_velocity[1].z(), 0) << "a tangential hit turns both the same way";
  EXPECT_NEAR(e.angular_velocity[0].z(), e.angular_velocity[1].z(), 1e-9);
}

TEST(GrainSpin, ResumesToTheSameBits) {
  Node scene = ball_on_floor({0.5, -weight_mps2, 0}, {1, 0.5, 0.2}, 0.3, 0.4, 0.01);
  add_child(scene, "interaction", "grains", "grains");
  add_ball(scene, {0.3, 0.03, 0.02}, {-1, 0, 0});
  const auto world = test::checked(World::create(scene)), other = test::checked(World::create(scene));
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(world->step());
  StateBlock state;
  world->save_state(state);
  ASSERT_TRUE(other->load_state(state));
  for (int i = 0; i < 40; ++i) {
    ASSERT_TRUE(world->step());
    ASSERT_TRUE(other->step());
  }
  EXPECT_GT(world->system(0).elements().angular_velocity[0].norm(), 1);
  EXPECT_EQ(world->hash(), other->hash());
}

TEST(GrainSpin, SchemesWithoutSpinAreRefused) {
  Node scene = balls_scene(Vec3::Zero());
  for (Node& node : scene.children)
    if (node.name == "balls") node.set("scheme", std::string("exact"));
  const auto world = World::create(scene);
  ASSERT_FALSE(world);
  EXPECT_THAT(world.error().message(), testing::HasSubstr("spin = true: must be false unless scheme"));
}

}  // namespace
}  // namespace vw
