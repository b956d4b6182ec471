// A world's colliders as obstacles of fields: distance and velocity of the nearest surface at any time within a step.
#include <cmath>

#include <gtest/gtest.h>

#include "sim/base/random.h"
#include "sim/world/parts.h"
#include "sim/world/step/field_obstacles.h"
#include "tests/support/world_of.h"

namespace vw {
namespace {

using test::set;

ColliderSet built(const Node& scene) {
  auto made = ColliderSet::build(scene);
  EXPECT_TRUE(made) << (made ? "" : made.error().message());
  return made ? std::move(*made) : ColliderSet{};
}

NearSurface near_to(const Obstacles& obstacles, const Vec3& place, double time = 0, double reach = 10) {
  NearSurface found;
  obstacles.nearest(std::span(&place, 1), time, reach, std::span(&found, 1));
  return found;
}

Node ball_over_ground() {
  Node scene = make_node(scene_schema());
  add_child(scene, "collider", "plane", "ground");
  Node& ball = add_child(scene, "collider", "sphere", "ball");
  ball.set("radius", 0.5);
  ball.set("position", Vec3(0, 2, 0));
  return scene;
}

TEST(FieldObstacles, TheNearestSurfaceOfAllIsFoundInsideAndOutside) {
  const ColliderSet colliders = built(ball_over_ground());
  const FieldObstacles obstacles(colliders);
  EXPECT_FALSE(obstacles.empty());
  const NearSurface ground = near_to(obstacles, Vec3(3, 0.25, 1));
  EXPECT_NEAR(ground.distance_m, 0.25, 1e-12);
  EXPECT_LT((ground.normal - Vec3::UnitY()).norm(), 1e-12);
  const NearSurface beside = near_to(obstacles, Vec3(1.5, 2, 0));
  EXPECT_NEAR(beside.distance_m, 1, 1e-12);
  EXPECT_LT((beside.normal - Vec3::UnitX()).norm(), 1e-12);
  EXPECT_NEAR(near_to(obstacles, Vec3(0, 2.1, 0)).distance_m, -0.4, 1e-12);
  EXPECT_NEAR(near_to(obstacles, Vec3(0, -3, 0)).distance_m, -3, 1e-12);
}

TEST(FieldObstacles, BeyondItsReachItSaysNoMoreThanThat) {
  const ColliderSet colliders = built(ball_over_ground());
  const FieldObstacles obstacles(colliders);
  for (std::uint64_t i = 0; i < 500; ++i) {
    const Vec3 place = Vec3(0, 2, 0) + 4 * random_uniform({3, 4}, i) * random_direction({1, 2}, i);
    const double exact = std::min(place.y(), (place - Vec3(0, 2, 0)).norm() - 0.5), reach = 0.7;
    const double found = near_to(obstacles, place, 0, reach).distance_m;
    if (exact < reach)
      EXPECT_NEAR(found, exact, 1e-12);
    else
      EXPECT_GE(found, reach);
  }
  EXPECT_GE(near_to(obstacles, Vec3(std::nan(""), 0, 0), 0, 0.7).distance_m, 0.7);
}

TEST(FieldObstacles, ManyPlacesAreAnsweredAsOneByOne) {
  const ColliderSet colliders = built(ball_over_ground());
  const FieldObstacles obstacles(colliders);
  std::vector<Vec3> places;
  for (std::uint64_t i = 0; i < 300; ++i) places.push_back(Vec3(0, 1, 0) + 3 * random_direction({5, 6}, i));
  std::vector<NearSurface> all(places.size());
  obstacles.nearest(places, 0, 1, all);
  for (std::size_t i = 0; i < places.size(); ++i)
    EXPECT_EQ(all[i].distance_m, near_to(obstacles, places[i], 0, 1).distance_m);
}

TEST(FieldObstacles, WhatMovesAndTurnsIsWhereItIsAtThatTimeWithTheVelocityOfItsSurface) {
  Node scene = make_node(scene_schema());
  Node& ball = add_child(scene, "collider", "sphere", "ball");
  ball.set("radius", 1.0);
  ball.set("velocity", Vec3(2, 0, 0));
  ball.set("angular_velocity", Vec3(0, 0, 3));
  const ColliderSet colliders = built(scene);
  const FieldObstacles obstacles(colliders);
  // The point is directly above the ball's centre, which is at (1, 0, 0).
  const NearSurface found = near_to(obstacles, Vec3(1, 1.5, 0), 0.5);
  EXPECT_NEAR(found.distance_m, 0.5, 1e-12);
  EXPECT_LT((found.velocity - Vec3(2 - 3, 0, 0)).norm(), 1e-9);
}

TEST(FieldObstacles, KeysMoveThem) {
  Node scene = make_node(scene_schema());
  Node& ball = add_child(scene, "collider", "sphere", "ball");
  ball.set("radius", 1.0);
  ball.set("key_path", std::string("linear"));
  for (const auto& [time, x] : {std::pair{0.0, 0.0}, {2.0, 6.0}}) {
    Node& key = add_child(ball, "key", "key", "k" + std::to_string(static_cast<int>(time)));
    key.set("time", time);
    key.set("position", Vec3(x, 0, 0));
  }
  const ColliderSet colliders = built(scene);
  const NearSurface found = near_to(FieldObstacles(colliders), Vec3(3, 2, 0), 1);
  EXPECT_NEAR(found.distance_m, 1, 1e-9);
  EXPECT_LT((found.velocity - Vec3(3, 0, 0)).norm(), 1e-6);
}

TEST(FieldObstacles, OnTheBackOfSomethingItIsFollowedThroughTheStep) {
  Node scene = make_node(scene_schema());
  set(scene, "world.gravity", Vec3(0, 0, 0));
  add_child(scene, "material", "voxel_material", "soft");
  add_child(scene, "system", "voxel_body", "block");
  set(scene, "system.block.size", Vec3(2, 2, 2));
  set(scene, "system.block.material", std::string("soft"));
  Node& ball = add_child(scene, "collider", "sphere", "ball");
  ball.set("radius", 1.0);
  ball.set("position", Vec3(5, 0, 0));
  ball.set("carried_by", std::string("block"));
  auto parts = build_parts(scene, default_registry());
  ASSERT_TRUE(parts) << parts.error().message();
  for (Vec3& v : parts->systems[0]->elements().velocity) v = Vec3(0, 0, 4);
  const FieldObstacles obstacles(parts->colliders);
  parts->colliders.begin_step(parts->systems, 0, 0.1);
  const NearSurface within = near_to(obstacles, Vec3(5, 2, 0.2), 0.05);
  EXPECT_NEAR(within.distance_m, 1, 1e-9);
  EXPECT_LT((within.velocity - Vec3(0, 0, 4)).norm(), 1e-6);
  parts->colliders.end_step();
  EXPECT_NEAR(near_to(obstacles, Vec3(5, 2, 0.4), 0.1).distance_m, 1, 1e-9);
}

TEST(FieldObstacles, SheetsHaveNoInsideAndRoomsHaveNoOutside) {
  Node scene = make_node(scene_schema());
  Node& room = add_child(scene, "collider", "box", "room");
  room.set("size", Vec3(2, 2, 2));
  room.set("solid", std::string("around"));
  const ColliderSet colliders = built(scene);
  const FieldObstacles obstacles(colliders);
  EXPECT_NEAR(near_to(obstacles, Vec3(0.25, 0, 0)).distance_m, 0.75, 1e-12);
  EXPECT_LT((near_to(obstacles, Vec3(0.25, 0, 0)).normal + Vec3::UnitX()).norm(), 1e-12);
  EXPECT_LT(near_to(obstacles, Vec3(50, 0, 0), 0, 0.1).distance_m, 0);
}

TEST(FieldObstacles, ItSeesEditsOfTheColliders) {
  Node scene = ball_over_ground();
  ColliderSet colliders = built(scene);
  const FieldObstacles obstacles(colliders);
  EXPECT_NEAR(near_to(obstacles, Vec3(4, 2, 0)).distance_m, 2, 1e-12);  // The ground is the nearest surface.
  set(scene, "collider.ball.position", Vec3(3, 2, 0));
  colliders.take_over(built(scene));
  EXPECT_NEAR(near_to(obstacles, Vec3(4, 2, 0)).distance_m, 0.5, 1e-12);
  colliders = built(make_node(scene_schema()));
  EXPECT_TRUE(obstacles.empty());
  EXPECT_EQ(near_to(obstacles, Vec3(4, 2, 0)).distance_m, 10);
}

}  // namespace
}  // namespace vw
