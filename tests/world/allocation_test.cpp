// A world in its steady state allocates no memory: this program counts calls of operator new on the tested thread.

#include <gtest/gtest.h>

#include "sim/snapshot/exchange.h"
#include "sim/snapshot/view.h"
#include "tests/support/allocation_counter.h"
#include "tests/world/mock_world.h"

namespace vw {
namespace {

TEST(SteadyState, StepsAndPublishesWithoutAllocating) {
  Node scene = mock::empty_scene();
  mock::add_balls(scene, "slow", "a_system_with_a_name_that_is_no_short_string").set("count", std::int64_t{3000});
  Node& fast = mock::add_balls(scene, "fast", "another_system_with_quite_a_long_name");
  fast.set("count", std::int64_t{3000});
  fast.set("position", Vec3(0, 1, 0));
  fast.set("stable", 1e-3);
  mock::add_spring(scene, "finer");
  mock::add_spring(scene, "held_over_the_step").set("rate", std::string("step"));
  add_child(scene, "field", "uniform", "wind");
  const auto world = mock::make_world(scene);
  ASSERT_TRUE(world->apply(Grab{"another_system_with_quite_a_long_name", 0, Vec3(0, 2, 0), 5}));
  FieldViewParams look;
  look.plane_x = look.glyphs = true;
  look.streamlines = 50;
  world->subscribe(
      {.channels = {"height_over_the_ground", "speed"}, .rules = {"finer", "held_over_the_step"}, .air = look});
  Exchange<Snapshot> exchange;
  const auto step_and_publish = [&] {
    ASSERT_TRUE(world->step());
    world->write_snapshot(exchange.back());
    exchange.publish();
    ASSERT_TRUE(exchange.acquire());
  };
  // The first steps allocate all four slots of the exchange and the block of the last good state.
  for (int i = 0; i < 10; ++i) step_and_publish();
  allocations = 0;
  counting = true;
  for (int i = 0; i < 50; ++i) step_and_publish();
  counting = false;
  EXPECT_EQ(allocations, 0U);
  // Checks that the counter works. A compiler may remove a new expression, but not a call of operator new.
  counting = true;
  void* const something = ::operator new(100);
  counting = false;
  ::operator delete(something);
  EXPECT_EQ(allocations, 1U);
}

TEST(SteadyState, PublishesTheProgramsOwnSystemsWithoutAllocating) {
  Node scene = make_node(scene_schema());
  add_child(scene, "material", "voxel_material", "soft");
  add_child(scene, "collider", "plane", "the_ground_of_this_little_world");
  add_child(scene, "collider", "sphere", "an_obstacle_that_passes_through").set("velocity", Vec3(0.1, 0, 0));
  add_child(scene, "field", "turbulence", "wind");
  add_child(scene, "system", "voxel_body", "block").set("size", Vec3(5, 5, 5));
  Node& rain = add_child(scene, "system", "particles", "rain");
  // The system is full after half a second. Afterwards the arrays keep their size.
  rain.set("capacity", std::int64_t{500});
  add_child(rain, "emitter", "box", "cloud").set("rate", 1000.0);
  auto made = World::create(scene);
  ASSERT_TRUE(made) << made.error().message();
  World& world = **made;
  world.subscribe({.channels = {"speed", "strain"}});
  Exchange<Snapshot> exchange;
  for (int i = 0; i < 70; ++i) {
    ASSERT_TRUE(world.step()) << world.health().sentence();
    world.write_snapshot(exchange.back());
    exchange.publish();
    (void)exchange.acquire();
  }
  allocations = 0;
  counting = true;
  for (int i = 0; i < 10; ++i) {
    world.write_snapshot(exchange.back());
    exchange.publish();
    (void)exchange.acquire();
  }
  counting = false;
  EXPECT_EQ(allocations, 0U);
}

}  // namespace
}  // namespace vw
