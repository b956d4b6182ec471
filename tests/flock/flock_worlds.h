// Scenes with flocks for tests, and functions that run them.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <string>

#include "sim/system/flock/flock.h"
#include "tests/support/world_of.h"

namespace vw::test {

/// Returns a scene with a flock `birds` without species. Tests add species and swarms.
inline Node flock_scene() {
  Node scene = make_node(scene_schema());
  add_child(scene, "system", "flock", "birds");
  return scene;
}
inline Node& flock_node(Node& scene) {
  for (Node& child : scene.children)
    if (child.name == "birds") return child;
  return scene;
}
inline const std::string of_flock = "system.birds.", of_bird = "system.birds.species.bird.";

/// Returns a scene with `count` members of one species in a box of `size` [m]. Their headings deviate from the swarm's
/// heading by at most `spread` [rad], so the default allows every direction.
inline Node scene_of(std::int64_t count, const Vec3& size, double spread = pi) {
  Node scene = flock_scene();
  add_child(flock_node(scene), "species", "species", "bird");
  add_child(flock_node(scene), "swarm", "box", "all");
  set(scene, of_flock + "swarm.all.count", count);
  set(scene, of_flock + "swarm.all.size", size);
  set(scene, of_flock + "swarm.all.spread", spread);
  return scene;
}
/// Sets the weights of all motives except the given motives to 0.
inline void only(Node& scene, const std::vector<std::string>& motives, const std::string& species = of_bird) {
  for (const std::string motive :
       {"avoidance", "flight", "separation", "alignment", "cohesion", "hunt", "goal", "home", "wander"})
    if (std::find(motives.begin(), motives.end(), motive) == motives.end()) set(scene, species + motive, 0.0);
}

inline FlockSystem& flock_of(World& world) { return dynamic_cast<FlockSystem&>(*world.find_system("birds")); }

inline double total(const World& world, std::string_view name) {
  std::vector<Total> all;
  world.system(0).totals(all);
  for (const Total& one : all)
    if (one.name == name) return one.value;
  return std::nan("");
}

}  // namespace vw::test
