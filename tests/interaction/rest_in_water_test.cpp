// Sleep of rigid bodies with rules. A body on which a rule acts must be awake. Other bodies may sleep.
#include <gtest/gtest.h>

#include "sim/system/rigid/rigid.h"
#include "tests/interaction/water_scene.h"

namespace vw::test {
namespace {

std::vector<float> asleep(World& world) {
  SystemSnapshot shown;
  world.find_system("bodies")->snapshot(shown);
  return std::vector<float>(shown.asleep.begin(), shown.asleep.end());
}

TEST(RestInWater, WhatFloatsStaysAwakeAndLevelWhileABoxOnTheShoreSleeps) {
  constexpr double d = 0.04;
  const Vec3 pool(10 * d, 6 * d, 10 * d), size(0.2, 0.12, 0.2);
  Node scene = tank(d, pool);
  add_rigid(scene, "box");
  set(scene, thing + "size", size);
  set(scene, thing + "density", 500.0);
  set(scene, thing + "position", Vec3(0, pool.y() + 0.01, 0));
  Node& shelf = add_child(scene, "collider", "box", "shelf");
  shelf.set("size", Vec3(0.4, 0.1, 0.4));
  shelf.set("position", Vec3(0, 0.95, 0));
  add_child(child_of(scene, "bodies"), "body", "box", "dry");
  set(scene, "system.bodies.body.dry.position", Vec3(0, 1.1, 0));
  const auto world = with_rules(std::move(scene));
  run(*world, 3);
  ASSERT_EQ(asleep(*world).size(), 2U);
  EXPECT_EQ(asleep(*world)[0], 0);
  EXPECT_EQ(asleep(*world)[1], 1);
  const Elements& e = rows_of(*world, "bodies");
  const double level = level_of(*world, d, pool.x() * pool.z(), 0.5 * size.prod());
  EXPECT_NEAR(level - (e.position[0].y() - size.y() / 2), 0.5 * size.y(), 0.5 * d);
}

}  // namespace
}  // namespace vw::test
