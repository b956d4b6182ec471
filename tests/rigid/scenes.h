// Builds scenes of rigid bodies for tests.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "sim/system/rigid/rigid.h"
#include "tests/support/world_of.h"

namespace vw::test {

/// Returns a scene that contains only a rigid system `things`.
inline Node empty_scene() {
  Node scene = make_node(scene_schema());
  add_child(scene, "system", "rigid", "things");
  return scene;
}

inline Node scene_over_ground() {
  Node scene = empty_scene();
  add_child(scene, "collider", "plane", "ground");
  return scene;
}

inline void add_body(Node& scene, const std::string& kind, const std::string& name) {
  for (Node& child : scene.children)
    if (child.name == "things") add_child(child, "body", kind, name);
}

inline std::string of_body(const std::string& name) { return "system.things.body." + name + "."; }

inline void add_box(Node& scene, const std::string& name, const Vec3& size, const Vec3& position) {
  add_body(scene, "box", name);
  set(scene, of_body(name) + "size", size);
  set(scene, of_body(name) + "position", position);
}

inline void add_mesh(Node& scene, const std::string& name, const std::string& source, const Vec3& position) {
  add_body(scene, "mesh", name);
  set(scene, of_body(name) + "source", source);
  set(scene, of_body(name) + "position", position);
}

/// Sets restitution and friction of the ground or of a body.
inline void set_surface(Node& scene, const std::string& path, double restitution, double mu) {
  set(scene, path + "restitution", restitution);
  set(scene, path + "mu_static", mu);
  set(scene, path + "mu_dynamic", mu);
}

inline double energy(const World& world) {
  const Diagnostics d = world.diagnostics(0);
  return d.kinetic + d.potential;
}

inline double total(const World& world, std::string_view name) {
  std::vector<Total> all;
  world.system(0).totals(all);
  for (const Total& one : all)
    if (one.name == name) return one.value;
  ADD_FAILURE() << "no total " << name;
  return -1;
}
inline double sleepers(const World& world) { return total(world, "asleep"); }

/// Returns the largest displacement [m] of any body: the larger of translation and rotation times radius.
inline double farthest_moved(const Elements& now, const Elements& then) {
  double most = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const double turn = 2 * (then.orientation[i].conjugate() * now.orientation[i]).vec().norm();
    most = std::max({most, (now.position[i] - then.position[i]).norm(), turn * now.radius[i]});
  }
  return most;
}

}  // namespace vw::test
