// Two flocks that ignore each other, or that are predator and prey.
#include <gtest/gtest.h>

#include "tests/interaction/flock_scene.h"

namespace vw::test {
namespace {

/// Returns a school about the origin, and members of another flock that approach the school along x.
Node two_flocks(std::int64_t others) {
  Node scene = make_node(scene_schema());
  set(scene, "world.gravity", Vec3(0, 0, 0));
  FlockSetup school;
  school.size = Vec3(0.8, 0.8, 0.8);
  school.heading = Vec3(0, 0, 1);
  add_flock(scene, school);
  set(scene, "system.school.home_center", Vec3(0, 0, 0));
  set(scene, "system.school.home_size", Vec3(3, 3, 3));
  FlockSetup sharks;
  sharks.name = "sharks";
  sharks.count = others;
  sharks.middle = Vec3(-1.4, 0, 0);
  sharks.size = Vec3(0.2, 0.2, 0.2);
  add_flock(scene, sharks);
  set_species(scene, "sharks", "max_speed", 4.0);
  set_species(scene, "sharks", "cruise_speed", 2.0);
  add_child(scene, "interaction", "flock_flock", "hunt");
  set(scene, "interaction.hunt.a", std::string("sharks"));
  return scene;
}

double nearest_of_two(World& world) {
  double least = 1e30;
  for (const Vec3& x : rows_of(world, "school").position)
    for (const Vec3& y : rows_of(world, "sharks").position) least = std::min(least, (x - y).norm());
  return least;
}

TEST(FlockFlock, HuntersPursueAndTheHuntedFlee) {
  // The sharks are either flock a or flock b of the rule. Both cases must give equal results.
  double spread[3], met[3];
  const char* hunter[3] = {"none", "a", "b"};
  for (int i = 0; i < 3; ++i) {
    Node scene = two_flocks(1);
    if (i == 2)
      set(scene, "interaction.hunt.a", std::string("school")), set(scene, "interaction.hunt.b", std::string("sharks"));
    set(scene, "interaction.hunt.hunter", std::string(hunter[i]));
    const auto world = world_of(scene);
    spread[i] = 0, met[i] = 0;
    for (int k = 0; k < 240; ++k) {
      ASSERT_TRUE(world->step()) << world->health().sentence();
      met[i] += nearest_of_two(*world) < 0.5 ? 1 : 0;
    }
    const Vec3 shark = rows_of(*world, "sharks").position[0];
    for (const Vec3& x : rows_of(*world, "school").position) spread[i] += (x - shark).norm() / 50;
  }
  EXPECT_GT(met[1], met[0]);  // the hunter stays near the school
  EXPECT_EQ(met[1], met[2]);
  EXPECT_EQ(spread[1], spread[2]);
}

TEST(FlockFlock, WhoIsCaughtIsGoneWhereHuntersEat) {
  for (const bool eats : {false, true}) {
    Node scene = two_flocks(5);
    set(scene, "interaction.hunt.hunter", std::string("a"));
    set(scene, "interaction.hunt.eats", eats);
    set_species(scene, "sharks", "length", 0.6);
    set_species(scene, "sharks", "hunt", 3.0);
    make_still(scene, "school");
    const auto world = world_of(scene);
    run(*world, 2);
    if (eats)
      EXPECT_LT(rows_of(*world, "school").size(), 50U);
    else
      EXPECT_EQ(rows_of(*world, "school").size(), 50U);
    EXPECT_EQ(rows_of(*world, "sharks").size(), 5U);
  }
}

TEST(FlockFlock, FlocksKeepApartWithoutAHunter) {
  double least[2];
  for (const bool on : {false, true}) {
    Node scene = two_flocks(30);
    set(scene, "interaction.hunt.enabled", on);
    const auto world = world_of(scene);
    least[on ? 1 : 0] = 0;
    for (int i = 0; i < 120; ++i) {
      ASSERT_TRUE(world->step()) << world->health().sentence();
      least[on ? 1 : 0] += nearest_of_two(*world) / 120;
    }
  }
  EXPECT_GT(least[1], least[0]);
}

TEST(FlockFlock, SameBitsOnAnyNumberOfThreadsAndFromASavedState) {
  Node scene = two_flocks(400);
  set(scene, "interaction.hunt.hunter", std::string("a"));
  set(scene, "interaction.hunt.eats", true);
  set(scene, "system.school.swarm.start.count", std::int64_t{400});
  EXPECT_EQ(ends_of(scene, 0.2, 0.2, {1, 2, 3, 8}).size(), 1U);
}

}  // namespace
}  // namespace vw::test
