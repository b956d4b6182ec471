// Particles, soft bodies and rigid bodies inside hollow colliders. Such a collider is solid all around.
#include <gtest/gtest.h>

#include "sim/collision/collider.h"
#include "tests/interaction/water_scene.h"
#include "tests/support/validation.h"

namespace vw::test {
namespace {

/// Returns particles without gravity or friction in a hollow collider of the given kind, with restitution 1.
Node room_of(const char* kind) {
  Node scene = make_node(scene_schema());
  set(scene, "world.gravity", Vec3(0, 0, 0));
  add_child(scene, "collider", kind, "room");
  set(scene, "collider.room.solid", std::string("around"));
  set(scene, "collider.room.restitution", 1.0);
  set(scene, "collider.room.friction", std::string("frictionless"));
  Node& system = add_child(scene, "system", "particles", "balls");
  add_child(system, "emitter", "point", "source");
  set(scene, "system.balls.scheme", std::string("exact"));
  set(scene, "system.balls.radius", 0.05);
  const std::string source = "system.balls.emitter.source.";
  set(scene, source + "position", Vec3(0, 0, 0));
  set(scene, source + "rate", 0.0);
  set(scene, source + "burst", std::int64_t{1});
  set(scene, source + "lifetime", 0.0);
  set(scene, source + "spread", 0.0);
  return scene;
}

TEST(Rooms, ABallInAHollowSphereGoesRoundInASquare) {
  Node scene = room_of("sphere");
  set(scene, "collider.room.radius", 0.5);
  const double half = 0.45 / std::sqrt(2.0), seconds = 2.5;  // `half` is half of the side of the square
  set(scene, "system.balls.emitter.source.position", Vec3(half, 0, 0));
  set(scene, "system.balls.emitter.source.direction", Vec3(0, 1, 0));
  set(scene, "system.balls.emitter.source.speed", 8 * half / seconds);  // the ball goes around the square once
  const auto world = with_rules(std::move(scene));
  const auto ball = [&]() -> const Elements& { return rows_of(*world, "balls"); };
  run(*world, seconds / 2);
  ASSERT_EQ(ball().size(), 1U);
  expect_case("collision", "ball in a hollow sphere: where it is half-way round",
              (ball().position[0] - Vec3(-half, 0, 0)).norm(), 0, 1e-3, "m");
  run(*world, seconds / 2);
  expect_case("collision", "ball in a hollow sphere: where it is once round",
              (ball().position[0] - Vec3(half, 0, 0)).norm(), 0, 2e-3, "m");
  EXPECT_LT((ball().velocity[0] - Vec3(0, 8 * half / seconds, 0)).norm(), 1e-2);
}

TEST(Rooms, KeepEveryBallAndItsSpeedInWhateverShape) {
  for (const char* kind : {"box", "capsule", "cylinder", "sphere"})
    for (const char* scheme : {"single", "loop", "collision_then_contact", "exact"}) {
      Node scene = room_of(kind);
      if (std::string(kind) == "box")
        set(scene, "collider.room.size", Vec3(0.6, 0.5, 0.4));
      else
        set(scene, "collider.room.radius", 0.3);
      set(scene, "system.balls.scheme", std::string(scheme));
      set(scene, "system.balls.radius", 0.01);
      set(scene, "system.balls.emitter.source.burst", std::int64_t{200});
      set(scene, "system.balls.emitter.source.spread", 3.0);
      const auto world = with_rules(std::move(scene));
      run(*world, 2);
      const auto room = make_collider(*world->scene().all("collider").front());
      ASSERT_TRUE(room);
      const Elements& e = rows_of(*world, "balls");
      ASSERT_EQ(e.size(), 200U);
      for (std::size_t i = 0; i < e.size(); ++i) {
        EXPECT_GT(query(*room, e.position[i]).distance, 0.01 - 1e-9) << kind << ", " << scheme;
        // If a ball hits the wall again within a step, all schemes except "exact" combine resting contact and
        // collision, and the ball loses some speed.
        if (std::string(scheme) == "exact") {
          EXPECT_NEAR(e.velocity[i].norm(), 1, 1e-6) << kind << ", ball " << i;
        }
      }
    }
}

TEST(Rooms, ARigidBodyComesToRestOnTheFloorOfOne) {
  Node scene = make_node(scene_schema());
  add_child(scene, "collider", "box", "room");
  set(scene, "collider.room.size", Vec3(1, 0.8, 1));
  set(scene, "collider.room.solid", std::string("around"));
  add_rigid(scene, "box");
  set(scene, thing + "size", Vec3(0.2, 0.1, 0.2));
  set(scene, thing + "velocity", Vec3(1, 0, 0.5));
  const auto world = with_rules(std::move(scene));
  run(*world, 4);
  const Elements& e = rows_of(*world, "bodies");
  expect_case("collision", "box on the floor of a room: height of its middle over the floor", e.position[0].y() + 0.4,
              0.05, 0.02, "m");
  EXPECT_LT(e.velocity[0].norm(), 1e-2);
}

}  // namespace
}  // namespace vw::test
