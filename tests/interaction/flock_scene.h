// Scenes with flocks and other systems, for tests of the rules between these systems.
#pragma once

#include <string>

#include "sim/system/flock/flock.h"
#include "tests/interaction/water_scene.h"

namespace vw::test {

/// Subject under which docs/validation.md lists the cases of these tests.
inline const std::string flock_subject = "flock with others";

struct FlockSetup {
  std::string name = "school";
  std::string medium = "none";
  std::int64_t count = 50;
  Vec3 middle = Vec3::Zero(), size{1, 1, 1};
  Vec3 heading{1, 0, 0};
  double speed = -1;
};

/// Adds a flock of one species "fish". The members are born in a box "start" with a common heading.
inline void add_flock(Node& scene, const FlockSetup& setup) {
  Node& flock = add_child(scene, "system", "flock", setup.name);
  add_child(flock, "species", "species", "fish");
  add_child(flock, "swarm", "box", "start");
  const std::string species = "system." + setup.name + ".species.fish.",
                    swarm = "system." + setup.name + ".swarm.start.";
  set(scene, species + "medium", setup.medium);
  set(scene, swarm + "count", setup.count);
  set(scene, swarm + "position", setup.middle);
  set(scene, swarm + "size", setup.size);
  set(scene, swarm + "heading", setup.heading);
  set(scene, swarm + "spread", 0.0);
  set(scene, swarm + "speed", setup.speed);
}

inline void set_species(Node& scene, const std::string& flock, const std::string& key, const Value& value) {
  set(scene, "system." + flock + ".species.fish." + key, value);
}
/// Sets all steering weights to zero, so that the members move at constant velocity.
inline void make_listless(Node& scene, const std::string& flock) {
  for (const char* weight :
       {"separation", "alignment", "cohesion", "avoidance", "flight", "hunt", "goal", "home", "wander"})
    set_species(scene, flock, weight, 0.0);
}
/// Sets all steering weights to zero and removes propulsion.
inline void make_still(Node& scene, const std::string& flock) {
  make_listless(scene, flock);
  for (const char* speed : {"min_speed", "cruise_speed", "max_acceleration"}) set_species(scene, flock, speed, 0.0);
  set(scene, "system." + flock + ".swarm.start.speed", 0.0);
}

inline FlockSystem& flock_of(World& world, const std::string& name = "school") {
  return static_cast<FlockSystem&>(*world.find_system(name));
}

inline Vec3 momentum_of(World& world, const std::string& name) {
  Vec3 sum = Vec3::Zero();
  const Elements& e = rows_of(world, name);
  for (std::size_t i = 0; i < e.size(); ++i) sum += e.mass[i] * e.velocity[i];
  return sum;
}
inline Vec3 mean_velocity(World& world, const std::string& name) {
  double mass = 0;
  for (const double m : rows_of(world, name).mass) mass += m;
  return momentum_of(world, name) / mass;
}
inline Vec3 middle_of(World& world, const std::string& name) {
  Vec3 sum = Vec3::Zero();
  const Elements& e = rows_of(world, name);
  for (const Vec3& x : e.position) sum += x / static_cast<double>(e.size());
  return sum;
}

/// Returns a cube of water without surface or gravity. The cube is `cells` spacings wide, centred at the origin and
/// periodic on all sides.
inline Node endless_water(double spacing, double cells, const Vec3& velocity = Vec3::Zero()) {
  Node scene = water_scene(spacing);
  const Vec3 size = Vec3::Constant(cells * spacing);
  set(scene, "world.gravity", Vec3(0, 0, 0));
  set(scene, "system.water.periodic", std::string("xyz"));
  set(scene, "system.water.domain_center", Vec3(0, 0, 0));
  set(scene, "system.water.domain_size", size);
  add_fill(scene, "all", Vec3(0, 0, 0), size);
  set(scene, "system.water.fill.all.velocity", velocity);
  return scene;
}

}  // namespace vw::test
