// Flocks with extreme parameters. Positions and velocities must stay finite, or the world must stop with an error
// message.
#include <cmath>

#include "tests/flock/flock_worlds.h"

namespace vw::test {
namespace {

/// Returns two species around a ball that hunt each other and themselves. There is a goal of each kind, a home and an
/// exit.
Node crowded() {
  Node scene = scene_of(40, Vec3(1, 1, 1));
  Node& ball = add_child(scene, "collider", "sphere", "ball");
  ball.set("radius", 0.2);
  ball.set("position", Vec3(0, 0.2, 0));
  Node& birds = flock_node(scene);
  add_child(birds, "species", "species", "hawk");
  add_child(birds, "swarm", "ball", "hawks");
  add_child(birds, "goal", "point", "tree");
  add_child(birds, "goal", "path", "round").set("points", NumberList{0, 1, 0, 1, 1, 0, 1, 1, 1});
  add_child(birds, "goal", "body", "stone").set("body", std::string("ball"));
  add_child(birds, "exit", "exit", "door").set("position", Vec3(3, 0, 0));
  set(scene, of_flock + "swarm.hawks.species", std::string("hawk"));
  set(scene, of_flock + "swarm.hawks.count", std::int64_t{5});
  for (const char* species : {"bird", "hawk"})
    set(scene, of_flock + "species." + species + ".hunts", TextList{"bird", "hawk"});
  set(scene, of_flock + "home_size", Vec3(2, 2, 2));
  return scene;
}

/// Runs steps. Expects finite positions, or a world that stopped with an error message.
void expect_sound(World& world, int steps, const std::string& what) {
  for (int i = 0; i < steps && world.step(); ++i) {
  }
  EXPECT_TRUE(!world.health().failed || world.health().sentence().size() > 40) << what;
  const Elements& e = flock_of(world).elements();
  for (std::size_t i = 0; i < e.size(); ++i) {
    ASSERT_TRUE(e.position[i].allFinite() && e.velocity[i].allFinite()) << what << ": member " << i;
    ASSERT_LT(e.velocity[i].norm(), 1.1e3) << what << ": member " << i;
  }
}

TEST(FlockExtremes, EveryParameterAtEitherEndWhileItRunsLeavesAllSound) {
  const Node start = crowded();
  Node tree = start;
  std::size_t edits = 0;
  for (const ParamRef& ref : all_parameters(tree)) {
    if (!ref.path.starts_with(of_flock) || ref.spec->live == Live::no) continue;
    const double low = std::max(ref.spec->bounds.min, -1e6), high = std::min(ref.spec->bounds.max, 1e6);
    for (const double end : {low, high}) {
      Value value = ref.value();
      if (auto* real = std::get_if<double>(&value))
        *real = end;
      else if (auto* whole = std::get_if<std::int64_t>(&value))
        *whole = static_cast<std::int64_t>(std::min(end, 500.0));
      else if (auto* flag = std::get_if<bool>(&value))
        *flag = end > low;
      else if (auto* place = std::get_if<Vec3>(&value))
        place->setConstant(end);
      else
        continue;
      const auto world = world_of(start);
      ASSERT_NE(world, nullptr);
      ASSERT_TRUE(world->step()) << world->health().sentence();
      const auto taken = world->apply(SetParameter{ref.path, value});
      EXPECT_TRUE(taken || taken.error().message().size() > ref.path.size() + 10)
          << "refused, with a sentence: " << taken.error().message();
      ++edits;
      expect_sound(*world, 3, ref.path + " = " + to_text(value));
    }
  }
  EXPECT_GT(edits, 120U);
}

TEST(FlockExtremes, WhoCanNeitherMoveNorTurnStaysWhereItIs) {
  Node scene = crowded();
  for (const std::string species : {"bird", "hawk"})
    for (const char* limit : {"min_speed", "cruise_speed", "max_speed", "turn_rate", "max_acceleration"})
      set(scene, of_flock + "species." + species + "." + limit, 0.0);
  const auto world = world_of(std::move(scene));
  ASSERT_TRUE(world->step()) << world->health().sentence();
  const std::vector<Vec3> before = flock_of(*world).elements().position;
  expect_sound(*world, 20, "no speed at all");
  const std::vector<Vec3>& after = flock_of(*world).elements().position;
  ASSERT_EQ(after.size(), before.size());
  for (std::size_t i = 0; i < after.size(); ++i) EXPECT_EQ(after[i], before[i]);
}

TEST(FlockExtremes, StepsOfASecondAndOfAMicrosecondAreSound) {
  for (const double dt : {1.0, 1e-6}) {
    Node scene = crowded();
    set(scene, "world.dt", dt);
    const auto world = world_of(std::move(scene));
    expect_sound(*world, 30, "dt = " + std::to_string(dt));
    EXPECT_FALSE(world->health().failed) << world->health().sentence();
  }
}

TEST(FlockExtremes, NobodyIsBornBetweenWallsThatLeaveNoRoom) {
  Node scene = crowded();
  for (const char* name : {"floor", "roof"}) add_child(scene, "collider", "plane", name);
  set(scene, "collider.floor.position", Vec3(0, 0.19, 0));
  set(scene, "collider.roof.position", Vec3(0, 0.21, 0));
  set(scene, "collider.roof.rotation", Vec3(pi, 0, 0));
  const auto world = world_of(std::move(scene));
  expect_sound(*world, 5, "no room");
  EXPECT_EQ(flock_of(*world).elements().size(), 0U);
  EXPECT_EQ(total(*world, "refused"), 45);
}

}  // namespace
}  // namespace vw::test
