// Whole worlds with flocks and moving obstacles. At the end of every step, no bounding ball of a member may be inside
// an obstacle.
#include <cmath>

#include <gtest/gtest.h>

#include "sim/base/parallel/parallel.h"
#include "sim/collision/pose.h"
#include "sim/scene/scene.h"
#include "sim/system/flock/flock.h"
#include "sim/world/step/collider_set.h"
#include "tests/support/scratch.h"
#include "tests/support/validation.h"
#include "tests/support/world_of.h"

namespace vw::test {
namespace {

/// Scene text of a test world: a flock that fills a box, and obstacles.
struct Place {
  std::string name, swarm, obstacles;
};

std::string collider(const std::string& kind, const std::string& name, const std::string& rest) {
  return "[[collider]]\nkind = \"" + kind + "\"\nname = \"" + name + "\"\n" + rest + "\n";
}

std::string tank_text(const std::string& size) { return collider("box", "tank", "solid = \"around\"\nsize = " + size); }

Place pillars() {
  std::string all =
      tank_text("[6, 3, 6]") + collider("plane", "slope", "position = [0, -1.4, 0]\nrotation = [0.12, 0, 0.05]");
  for (int k = 0; k < 6; ++k) {
    const std::string at = "[" + std::to_string(-2.2 + 0.9 * k) + ", 0, " + std::to_string(1.3 * (k % 3 - 1)) + "]";
    all += collider("cylinder", "pillar_" + std::to_string(k), "radius = 0.15\nlength = 3\nposition = " + at);
  }
  return {"pillars in a tank with a sloping floor", "size = [5, 2, 5]\nposition = [0, 0, 0]", all};
}

Place hills(const Scratch& folder) {
  std::string heights, mesh = "v 1 0 0\nv -1 0 0\nv 0 1 0\nv 0 -1 0\nv 0 0 1\nv 0 0 -1\n";
  for (int z = 0; z < 25; ++z) {
    for (int x = 0; x < 25; ++x) heights += std::to_string(0.5 * std::sin(0.8 * x) * std::cos(0.6 * z)) + " ";
    heights += "\n";
  }
  mesh += "f 1 3 5\nf 3 2 5\nf 2 4 5\nf 4 1 5\nf 3 1 6\nf 2 3 6\nf 4 2 6\nf 1 4 6\n";  // the rock is an octahedron
  folder.write("hills.txt", heights);
  folder.write("rock.obj", mesh);
  const std::string path = folder.folder();
  return {"hills and a rock of triangles", "size = [4, 0.8, 4]\nposition = [0, 1.1, 0]",
          collider("box", "tank", "solid = \"around\"\nsize = [5.8, 2.4, 5.8]\nposition = [0, 0.8, 0]") +
              collider("heightfield", "hills", "source = \"" + path + "/hills.txt\"\nsize_x = 6\nsize_z = 6") +
              collider("mesh", "rock", "source = \"" + path + "/rock.obj\"\nposition = [0.3, 1, 0.2]\nscale = 0.5")};
}

Place hollow_ball() {
  return {"a hollow ball with a sheet across it", "size = [2, 2, 2]\nposition = [0, 0, 0]",
          collider("sphere", "shell", "solid = \"around\"\nradius = 2") +
              collider("box", "sheet", "two_sided = true\nsize = [0.002, 1.5, 1.5]\nposition = [0.2, 0.3, 0]")};
}

Place paddle() {
  return {
      "a paddle that turns and a ball that falls again and again", "size = [4, 2, 4]\nposition = [0, 0, 0]",
      tank_text("[5, 3, 5]") +
          collider("box", "paddle", "size = [3.6, 1, 0.1]\nposition = [0, -0.5, 0]\nangular_velocity = [0, 2.5, 0]") +
          collider("sphere", "ball",
                   "radius = 0.3\nposition = [0.6, 0, 1.6]\nkey_path = \"linear\"\n"
                   "[[collider.key]]\ntime = 0\nposition = [0, 1.5, 0]\n[[collider.key]]\ntime = 0.2\nposition = [0, "
                   "-1, 0]\n"
                   "[[collider.key]]\ntime = 2\nposition = [0, 1.5, 0]")};
}

Place lanes() {
  std::string all = tank_text("[6, 2, 4]");
  for (int k = 0; k < 4; ++k)  // lanes of 0.25 m are narrower than twice the clearance plus the body width
    all += collider("box", "wall_" + std::to_string(k),
                    "size = [2.5, 1.9, 0.1]\nposition = [0.4, 0, " + std::to_string(-0.6 + 0.35 * k) + "]");
  all += collider("box", "end", "size = [0.1, 1.9, 1.3]\nposition = [1.7, 0, -0.1]");  // closes the lanes
  // A piston moves to within 0.1 m of the lanes. Members are 0.075 m thick.
  return {
      "lanes narrower than the clearance that end blindly", "size = [1.5, 1.5, 3]\nposition = [-2, 0, 0]",
      all +
          collider(
              "box", "piston",
              "size = [0.3, 1.8, 1]\nposition = [-1.6, 0, -0.1]\n[[collider.key]]\ntime = 0\nposition = [0, 0, 0]\n"
              "[[collider.key]]\ntime = 1\nposition = [0.5, 0, 0]\n[[collider.key]]\ntime = 2\nposition = [0, 0, 0]")};
}

struct Outcome {
  /// Smallest distance [m] between the bounding ball of any member and any obstacle at the end of any step.
  double least_room = 1e30;
  std::size_t members = 0;
  double way = 0;  ///< mean distance that members travelled [m]
};

Outcome run_in(const Place& place, double seconds, int members = 150) {
  Outcome out;
  const std::string text =
      place.obstacles +
      "[[system]]\nkind = \"flock\"\nname = \"birds\"\n[[system.species]]\nname = \"bird\"\nlength = 0.15\n" +
      "[[system.swarm]]\nkind = \"box\"\nname = \"start\"\nheading = [0, 0, 0]\ncount = " + std::to_string(members) +
      "\n" + place.swarm + "\n";
  const auto loaded = read_scene_toml(text, "place.toml");
  EXPECT_TRUE(loaded) << (loaded ? "" : loaded.error().message());
  if (!loaded) return out;
  const auto world = world_of(loaded->root);
  auto set = ColliderSet::build(loaded->root);
  if (world == nullptr || !set) return out;
  std::vector<Collider> colliders = set->as_declared();
  const auto& flock = static_cast<const FlockSystem&>(*world->find_system("birds"));
  const auto look = [&] {
    const Elements& e = flock.rows().elements;
    for (std::size_t c = 0; c < colliders.size(); ++c) {
      const Pose pose = set->pose(c, world->time());
      colliders[c].position = pose.position, colliders[c].orientation = pose.orientation;
      for (std::size_t i = 0; i < e.size(); ++i)
        out.least_room =
            std::min(out.least_room, query(colliders[c], e.position[i], 2 * e.radius[i]).distance - e.radius[i]);
    }
  };
  look();
  const auto steps = static_cast<int>(std::lround(seconds * 120));
  for (int k = 0; k < steps; ++k) {
    if (!world->step()) {
      ADD_FAILURE() << world->health().sentence();
      break;
    }
    look();
    for (const Vec3& v : flock.rows().elements.velocity)
      out.way += v.norm() / 120 / static_cast<double>(flock.rows().size());
  }
  out.members = flock.rows().size();
  return out;
}

std::vector<Place> places(const Scratch& folder) {
  return {pillars(), hills(folder), hollow_ball(), paddle(), lanes()};
}

/// Tolerance: rounding of positions some metres from the origin.
constexpr double position_rounding = 1e-12;

TEST(FlockAmongObstacles, NobodyIsInsideAnyForSomeSeconds) {
  const Scratch folder;
  for (const Place& place : places(folder)) {
    const Outcome out = run_in(place, 4);
    EXPECT_GE(out.least_room, -position_rounding) << place.name;
    EXPECT_EQ(out.members, 150u) << place.name;
    EXPECT_GT(out.way, 4 * 0.4) << place.name;  // members must not stop in front of the obstacles
  }
}

TEST(FlockValidation, NobodyIsInsideAnyObstacleInAMinuteOfFivePlaces) {
  const Scratch folder;
  for (const Place& place : places(folder)) {
    const Outcome out = run_in(place, 60);
    // Largest penetration of any member at the end of any of the 7,200 steps.
    expect_case("flock", "depth of any member in obstacles, 60 s: " + place.name, std::max(0.0, -out.least_room), 0,
                position_rounding, "m");
    EXPECT_EQ(out.members, 150u) << place.name;
  }
}

TEST(FlockAmongObstacles, AnEditThatPutsMembersInsideBringsThemOut) {
  const auto loaded = read_scene_toml(
      collider("sphere", "ball", "radius = 0.5\nposition = [9, 0, 0]") +
          "[[system]]\nkind = \"flock\"\nname = \"birds\"\n[[system.species]]\nname = \"bird\"\n"
          "[[system.swarm]]\nkind = \"ball\"\nname = \"start\"\ncount = 40\nposition = [0, 0, 0]\nspeed = 0\n",
      "edit.toml");
  ASSERT_TRUE(loaded) << loaded.error().message();
  const auto world = world_of(loaded->root);
  ASSERT_TRUE(world->apply(SetParameter{"collider.ball.position", Vec3(0.1, 0, 0)}));
  const Elements& e = world->find_system("birds")->elements();
  const double fastest = SpeciesParams{}.max_speed_mps;
  for (int k = 0; k < 120; ++k) {
    const std::vector<Vec3> before = e.position;
    ASSERT_TRUE(world->step());
    // The displacement of a member is at most the sum of its own motion and the position correction. In a step of 1/120
    // s, each is at most fastest / 120.
    for (std::size_t i = 0; i < e.size(); ++i) EXPECT_LE((e.position[i] - before[i]).norm(), 2.01 * fastest / 120);
  }
  for (std::size_t i = 0; i < e.size(); ++i)
    EXPECT_GE((e.position[i] - Vec3(0.1, 0, 0)).norm(), 0.5 + e.radius[i] - position_rounding);
}

}  // namespace
}  // namespace vw::test
