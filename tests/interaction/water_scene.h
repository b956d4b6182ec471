// Tanks of water that contain bodies, for tests of the rules between fluids and bodies.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <set>
#include <string>

#include "sim/base/parallel/parallel.h"
#include "sim/system/fluid/fluid.h"
#include "sim/system/rigid/rigid.h"
#include "tests/support/water_of.h"
#include "tests/support/world_of.h"

namespace vw::test {

inline Node& child_of(Node& scene, const std::string& name) {
  for (Node& child : scene.children)
    if (child.name == name) return child;
  ADD_FAILURE() << "no " << name;
  return scene;
}

/// Returns the first body of the rigid system "bodies".
inline const RigidBody& first_body(World& world) {
  return static_cast<const RigidSystem&>(*world.find_system("bodies")).bodies()[0];
}

/// Returns an empty fluid named "water" in free space.
inline Node water_scene(double spacing) {
  Node scene = make_node(scene_schema());
  add_child(scene, "system", "fluid", "water");
  set(scene, "system.water.spacing", spacing);
  return scene;
}

inline void add_fill(Node& scene, const std::string& name, const Vec3& middle, const Vec3& size) {
  add_child(child_of(scene, "water"), "fill", "box", name);
  set(scene, "system.water.fill." + name + ".position", middle);
  set(scene, "system.water.fill." + name + ".size", size);
}

/// Returns a tank of planes about the y axis with its floor at y = 0 and water of depth `size.y`.
inline Node tank(double spacing, const Vec3& size) {
  Node scene = water_scene(spacing);
  const auto walls = std::to_array<std::pair<Vec3, Vec3>>({{Vec3::Zero(), Vec3::Zero()},
                                                           {Vec3(-size.x() / 2, 0, 0), Vec3(0, 0, -pi / 2)},
                                                           {Vec3(size.x() / 2, 0, 0), Vec3(0, 0, pi / 2)},
                                                           {Vec3(0, 0, -size.z() / 2), Vec3(pi / 2, 0, 0)},
                                                           {Vec3(0, 0, size.z() / 2), Vec3(-pi / 2, 0, 0)}});
  for (std::size_t i = 0; i < walls.size(); ++i) {
    const std::string name = "wall" + std::to_string(i);
    add_child(scene, "collider", "plane", name);
    set(scene, "collider." + name + ".position", walls[i].first);
    set(scene, "collider." + name + ".rotation", walls[i].second);
  }
  add_fill(scene, "pool", Vec3(0, size.y() / 2, 0), size);
  return scene;
}

/// Adds a rigid body named "thing" in a system "bodies".
inline void add_rigid(Node& scene, const std::string& kind) {
  add_child(scene, "system", "rigid", "bodies");
  add_child(child_of(scene, "bodies"), "body", kind, "thing");
}
inline const std::string thing = "system.bodies.body.thing.";

/// Returns a cube of water that flies along x, in free space.
inline Node flying_water() {
  Node scene = water_scene(0.02);
  set(scene, "world.gravity", Vec3(0, 0, 0));
  add_fill(scene, "blob", Vec3(-0.12, 0.01, 0), Vec3(0.12, 0.12, 0.12));
  set(scene, "system.water.fill.blob.velocity", Vec3(1, 0, 0));
  return scene;
}
/// Returns a cube of water that flies along x towards a free box, in free space. `ratio` is the density of the box over
/// that of water.
inline Node thrown_water(double ratio) {
  Node scene = flying_water();
  add_rigid(scene, "box");
  set(scene, thing + "size", Vec3(0.06, 0.16, 0.12));
  set(scene, thing + "density", 1000 * ratio);
  return scene;
}

inline Node without(Node scene, const std::string& name) {
  std::erase_if(scene.children, [&](const Node& child) { return child.name == name; });
  return scene;
}

/// Adds a body of 1 cm voxels with a corner of the lattice at `corner`. The material "stuff" has a Poisson's ratio of
/// 0.
inline void add_voxels(Node& scene, const std::string& name, const Vec3& voxels, const Vec3& corner, double youngs) {
  add_child(scene, "material", "voxel_material", "stuff");
  set(scene, "material.stuff.youngs_modulus", youngs);
  set(scene, "material.stuff.poissons_ratio", 0.0);
  add_child(scene, "system", "voxel_body", name);
  set(scene, "system." + name + ".size", voxels);
  set(scene, "system." + name + ".position", corner);
  set(scene, "system." + name + ".wind", false);
}

inline Elements& rows_of(World& world, const std::string& name) { return world.find_system(name)->elements(); }

/// Returns the final state hashes of the scene at each number of threads. The set contains the hash of a continuous run
/// and that of a run which resumes from the state saved after `before` seconds.
inline std::set<std::uint64_t> ends_of(const Node& scene, double before, double after,
                                       std::initializer_list<int> thread_counts) {
  std::set<std::uint64_t> hashes;
  for (const int threads : thread_counts) {
    set_thread_count(threads);
    const auto world = with_rules(scene), other = with_rules(scene);
    run(*world, before);
    StateBlock block;
    world->save_state(block);
    EXPECT_TRUE(other->load_state(block));
    run(*world, after);
    run(*other, after);
    hashes.insert({world->hash(), other->hash()});
  }
  set_thread_count(0);
  return hashes;
}

/// Returns the water level [m] of a calm tank, computed from the volume of the content. The level does not depend on
/// single particles.
inline double level_of(World& world, double spacing, double area, double displaced_m3) {
  const auto count = static_cast<double>(rows_of(world, "water").size());
  return (count * spacing * spacing * spacing + displaced_m3) / area;
}

struct Motion {
  Vec3 momentum = Vec3::Zero();
  double size = 0;  ///< sum of m |v|
};
inline Motion motion_of(const World& world) {
  Motion sum;
  for (std::size_t i = 0; i < world.system_count(); ++i) {
    const Elements& e = world.system(i).elements();
    for (std::size_t k = 0; k < e.size(); ++k) {
      sum.momentum += e.mass[k] * e.velocity[k];
      sum.size += e.mass[k] * e.velocity[k].norm();
    }
  }
  return sum;
}

/// Returns the error of the momentum after 1,000 steps, relative to sum m |v|. The first step is not counted, because
/// it removes the water from the bodies' volume.
inline double momentum_error_of(World& world) {
  EXPECT_TRUE(world.step());
  const Motion before = motion_of(world);
  run(world, 1000 / 120.0);
  return (motion_of(world).momentum - before.momentum).norm() / before.size;
}

/// Returns the largest kinetic energy of the first two systems at any step of one second, divided by the initial
/// kinetic energy.
inline double most_kinetic_of_start(World& world) {
  const auto kinetic = [&] { return world.diagnostics(0).kinetic + world.diagnostics(1).kinetic; };
  const double start = kinetic();
  double most = start;
  for (int i = 0; i < 120; ++i) {
    EXPECT_TRUE(world.step()) << world.health().sentence();
    most = std::max(most, kinetic());
  }
  return most / start;
}

}  // namespace vw::test
