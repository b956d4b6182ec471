// A failed step has no effect: the world returns bit for bit to the state before the step. It then continues like a
// world that never attempted the step.
#include <functional>

#include <gtest/gtest.h>

#include "sim/world/world.h"
#include "tests/support/world_of.h"

namespace vw {
namespace {

using test::set;
using test::take_steps;
using test::world_of;

struct BodyCase {
  const char* name;
  std::function<void(Node&)> change;
};

/// Returns a block that hangs from its upper layer above the ground.
Node hanging_block(const BodyCase& body) {
  Node scene = make_node(scene_schema());
  add_child(scene, "material", "voxel_material", "soft");
  add_child(scene, "collider", "plane", "ground");
  Node& block = add_child(scene, "system", "voxel_body", "block");
  block.set("size", Vec3(7, 6, 5));
  block.set("material", std::string("soft"));
  block.set("angular_velocity", Vec3(1, 2, 3));
  Node& region = add_child(block, "region", "region", "roof");
  region.set("min", Vec3(0, 0.99, 0));
  set(scene, "world.dt", 1.0 / 400);  // shorter than the block's slowest period
  body.change(scene);
  return scene;
}

double total(const World& world, const std::string& name) {
  std::vector<Total> totals;
  world.system(0).totals(totals);
  for (const Total& one : totals)
    if (one.name == name) return one.value;
  return -1;
}

/// Takes one step with a gravity of 10000 m/s^2. If `fails` is set, the energy limit is so low that the step fails.
void jerk(World& world, bool fails) {
  ASSERT_TRUE(world.apply(SetParameter{"world.gravity", Vec3(1e4, 100, 0)}));
  ASSERT_TRUE(world.apply(SetParameter{"world.energy_limit", fails ? 10.0 : 1e300}));
  EXPECT_EQ(world.step(), !fails) << world.health().sentence();
  ASSERT_TRUE(world.apply(SetParameter{"world.gravity", Vec3(0, -9.81, 0)}));
  ASSERT_TRUE(world.apply(SetParameter{"world.energy_limit", 1e6}));
}

void make_brittle(Node& scene) {
  set(scene, "material.soft.model", std::string("bilinear"));
  set(scene, "material.soft.yield_stress", 50.0);
  set(scene, "material.soft.plastic_modulus", 1e5);
  set(scene, "material.soft.failure_strain", 0.02);
}

void add_moving_ball(Node& scene) {
  Node& ball = add_child(scene, "collider", "sphere", "ball");
  ball.set("position", Vec3(-5, 0, 0));
  ball.set("velocity", Vec3(0.5, 0, 0));
}

void add_rain(Node& scene) {
  Node& rain = add_child(scene, "system", "particles", "rain");
  Node& cloud = add_child(rain, "emitter", "box", "cloud");
  cloud.set("rate", 8000.0);
  cloud.set("position", Vec3(0.03, 0.08, 0.03));
  add_default_interactions(scene);
}

const std::vector<BodyCase>& cases() {
  static const std::vector<BodyCase> list{
      {"alone", [](Node&) {}},
      {"free", [](Node& scene) { set(scene, "system.block.region.roof.fixed", false); }},
      {"hot",
       [](Node& scene) {
         set(scene, "material.soft.cte", 0.01);
         set(scene, "system.block.temperature_wave", std::string("sine"));
         set(scene, "system.block.temperature_amplitude", 5.0);
         set(scene, "system.block.temperature_period", 0.1);
       }},
      {"brittle", make_brittle},
      // In the following cases the substeps of the body run one at a time.
      {"beside a moving obstacle", add_moving_ball},
      {"brittle beside a moving obstacle",
       [](Node& scene) {
         make_brittle(scene);
         add_moving_ball(scene);
       }},
      {"in the rain", add_rain},
      {"implicit", [](Node& scene) { set(scene, "system.block.integrator", std::string("implicit")); }},
      {"brittle and implicit",
       [](Node& scene) {
         make_brittle(scene);
         set(scene, "system.block.integrator", std::string("implicit"));
         set(scene, "system.block.implicit_step", 1.0 / 3200);
       }},
  };
  return list;
}

TEST(RollBack, ABodyReturnsToTheVeryBitsBeforeTheFailedStepAndGoesOnAsIfItHadNotBeen) {
  for (const BodyCase& body : cases()) {
    SCOPED_TRACE(body.name);
    const auto world = world_of(hanging_block(body)), untroubled = world_of(hanging_block(body));
    take_steps(*world, 6);
    take_steps(*untroubled, 6);
    for (int again = 0; again < 2; ++again) {  // the second attempt reuses the buffers of the first
      const std::uint64_t good = world->hash();
      jerk(*world, true);
      ASSERT_EQ(world->hash(), good);
      for (int i = 0; i < 3; ++i) {
        take_steps(*world, 1);
        take_steps(*untroubled, 1);
        ASSERT_EQ(world->hash(), untroubled->hash()) << "step " << i;
      }
    }
  }
}

TEST(RollBack, TheJerkOfTheTestAboveTearsBondsInTheMidstOfItsRuns) {
  for (const BodyCase& body : cases()) {
    if (std::string_view(body.name).find("brittle") == std::string_view::npos) continue;
    SCOPED_TRACE(body.name);
    const auto world = world_of(hanging_block(body));
    take_steps(*world, 6);
    EXPECT_EQ(total(*world, "broken_bonds"), 0);
    jerk(*world, false);
    EXPECT_GT(total(*world, "broken_bonds"), 10);
  }
}

TEST(RollBack, ImpulsesThatWaitForTheStepReturnWithIt) {
  const auto world = world_of(hanging_block(cases()[1]));
  take_steps(*world, 2);
  world->system(0).elements().room_for_impulses().impulse[7] = Vec3(1e-4, 2e-4, 0);
  const std::uint64_t good = world->hash();
  jerk(*world, true);
  EXPECT_EQ(world->hash(), good);
  EXPECT_EQ(world->system(0).elements().impulse[7], Vec3(1e-4, 2e-4, 0));
}

}  // namespace
}  // namespace vw
