// Packaged wind scenes: a leaf flutters, a heavy block in the same wind stays in place, a windmill turns, and a boat
// sails.
#include <cmath>
#include <vector>

#include "scene_test_support.h"
#include "sim/world/world.h"
#include "tests/support/packaged.h"
#include "tests/support/validation.h"

namespace vw {
namespace {

using namespace scene_test;

std::unique_ptr<World> packaged_world(const std::string& name, Node* root = nullptr) {
  Node scene = test::packaged_scene(name);
  if (root != nullptr) *root = scene;
  return test::checked(World::create(std::move(scene)));
}

const Elements& rows_of(World& world, const std::string& name) { return world.find_system(name)->elements(); }

TEST(WindScenesValidation, LeafFluttersAndHeavyBlockInTheSameWindStands) {
  Node leaf_scene, block_scene;
  const auto leaves = packaged_world("leaf", &leaf_scene), block = packaged_world("heavy-block", &block_scene);
  const auto wind = leaf_scene.all("field"), same = block_scene.all("field");
  ASSERT_EQ(wind.size(), same.size());
  for (std::size_t i = 0; i < wind.size(); ++i) EXPECT_TRUE(same_node(*wind[i], *same[i])) << wind[i]->name;
  // The first two seconds are for settling. The measurement lasts for the following two seconds.
  const std::vector<Vec3> start = rows_of(*block, "block").position;
  double block_way = 0;
  Vec3 sum = Vec3::Zero();
  double squares = 0, count = 0;
  std::vector<Vec3> settled;
  const std::vector<Vec3> blade = rows_of(*leaves, "leaf").position;
  const auto further = [](const Vec3& a, const Vec3& b) { return a.x() < b.x(); };
  const auto tip = static_cast<std::size_t>(std::max_element(blade.begin(), blade.end(), further) - blade.begin());
  while (leaves->time() < 4) {
    ASSERT_TRUE(leaves->step());
    ASSERT_TRUE(block->step());
    if (leaves->time() < 2) continue;
    const Vec3 at = rows_of(*leaves, "leaf").position[tip] - blade[tip];
    sum += at, squares += at.squaredNorm(), ++count;
    const Elements& stone = rows_of(*block, "block");
    if (settled.empty()) settled = stone.position;
    for (std::size_t v = 0; v < settled.size(); ++v) {
      block_way = std::max(block_way, (stone.position[v] - settled[v]).norm());
    }
  }
  const double flutter = std::sqrt(squares / count - (sum / count).squaredNorm());
  test::record_case("voxel", "scene heavy-block: largest way of a voxel in 2 s [m]", block_way, 0, 1e-4);
  EXPECT_LT(block_way, 1e-4);
  EXPECT_LT((rows_of(*block, "block").position.front() - start.front()).norm(), 2e-4);
  EXPECT_GT(flutter, 0.005) << "flutter [m] of a leaf of 0.1 m";
}

/// The blades pass the tower at a distance of only 2.6 mm. The contact detection must not slow them down as if they
/// were about to hit the tower.
TEST(WindScenes, TheMillTurnsWithoutAJerk) {
  const auto world = packaged_world("windmill");
  SystemSnapshot out;
  double last = 0, largest = 0;
  while (world->time() < 9) {
    ASSERT_TRUE(world->step());
    world->find_system("mill")->snapshot(out);
    const double speed = joints_of(out).front().speed;
    largest = std::max(largest, std::abs(speed - last));
    last = speed;
  }
  EXPECT_LT(largest, 0.1) << "in a step of 1/120 s; the wind's torque changes the speed by 0.03 rad/s at most";
  EXPECT_LT(last, -3) << "it turns";
}

TEST(WindScenesValidation, TheMillTurnsTheVanePointsDownwindAndTheCrateStays) {
  Node scene;
  const auto world = packaged_world("windmill", &scene);
  const std::vector<Vec3> start = rows_of(*world, "yard").position;
  double rate = 0, along = 0, count = 0;
  while (world->time() < 8) {
    ASSERT_TRUE(world->step());
    if (world->time() < 4) continue;
    rate += rows_of(*world, "mill").angular_velocity[0].x(), ++count;
    along += (rows_of(*world, "vane").orientation[0] * Vec3::UnitX()).x();
  }
  // Blades inclined by 1 rad rotate freely at about 5 rad/s in this wind of 4.5 m/s. Gusts and the friction of the
  // bearing reduce the speed, so half of it is expected.
  EXPECT_GT(std::abs(rate / count), 2.5);
  EXPECT_GT(along / count, 0.8) << "gusts are a fifth of the wind";
  const Elements& yard = rows_of(*world, "yard");
  for (std::size_t i = 0; i + 1 < yard.size(); ++i) EXPECT_GT(yard.position[i].x(), start[i].x() + 0.5) << "ball " << i;
  EXPECT_LT((yard.position.back() - start.back()).norm(), 1e-4) << "the crate must not move";
}

TEST(WindScenesValidation, TheBoatSailsOverThePond) {
  const auto world = packaged_world("windy-pond");
  const Vec3 start = rows_of(*world, "boat").position[0];
  while (world->time() < 2) ASSERT_TRUE(world->step()) << world->health().sentence();
  const Elements& boat = rows_of(*world, "boat");
  EXPECT_GT(boat.position[0].x(), start.x() + 0.15);
  EXPECT_GT((boat.orientation[0] * Vec3::UnitY()).y(), 0.9) << "upright";
}

}  // namespace
}  // namespace vw
