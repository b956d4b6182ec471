// Tracers among bodies. Tracers exert no force on bodies and do not shorten the substeps of other systems. Balls in an
// equal wind do both.
#include <gtest/gtest.h>

#include "sim/world/world.h"
#include "tests/support/world_of.h"

namespace vw {
using test::set;
using test::with_rules;
namespace {

/// Returns a light block on which no wind acts, in a stream of particles of 5 g that a wind of 5 m/s carries.
std::unique_ptr<World> block_in_a_stream(const char* drag) {
  Node scene = make_node(scene_schema());
  set(scene, "world.gravity", Vec3(0, 0, 0));
  add_child(scene, "field", "uniform", "wind");
  set(scene, "field.wind.velocity", Vec3(5, 0, 0));
  add_child(scene, "material", "voxel_material", "stuff");
  set(scene, "material.stuff.youngs_modulus", 1e4);
  add_child(scene, "system", "voxel_body", "block");
  set(scene, "system.block.size", Vec3(3, 3, 3));
  set(scene, "system.block.voxel_size", 0.05);
  set(scene, "system.block.wind", false);
  Node& dust = add_child(scene, "system", "particles", "dust");
  add_child(dust, "emitter", "box", "source");
  set(scene, "system.dust.drag", std::string(drag));
  set(scene, "system.dust.drag_time", 0.1);
  set(scene, "system.dust.mass", 0.005);
  set(scene, "system.dust.emitter.source.position", Vec3(-0.3, 0.075, 0.075));
  set(scene, "system.dust.emitter.source.size", Vec3(0.1, 0.1, 0.1));
  set(scene, "system.dust.emitter.source.rate", 200.0);
  set(scene, "system.dust.emitter.source.speed", 0.0);
  return with_rules(std::move(scene));
}

TEST(Tracers, PushNoBodyAndGoThrough) {
  const auto follow = block_in_a_stream("follow"), balls = block_in_a_stream("time");
  for (int i = 0; i < 120; ++i) {
    ASSERT_TRUE(follow->step());
    ASSERT_TRUE(balls->step());
  }
  for (const Vec3& v : follow->find_system("block")->elements().velocity) EXPECT_LT(v.norm(), 1e-15);
  EXPECT_GT(balls->find_system("block")->elements().velocity[0].x(), 0.1);
  double farthest = 0;
  for (const Vec3& x : follow->find_system("dust")->elements().position) farthest = std::max(farthest, x.x());
  EXPECT_GT(farthest, 4);
  // An edit during the run turns the tracers into balls.
  ASSERT_TRUE(follow->apply(SetParameter{"system.dust.drag", std::string("time")}));
  for (int i = 0; i < 60; ++i) ASSERT_TRUE(follow->step());
  EXPECT_GT(follow->find_system("block")->elements().velocity[0].x(), 0.05);
}

}  // namespace
}  // namespace vw
