// Scenes with actuators and sensors, written as TOML.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include "sim/scene/scene.h"
#include "tests/support/checked.h"
#include "tests/support/world_of.h"

namespace vw::test {

inline Node scene_of(const std::string& text) { return checked(load_scene_text(text, "scene.toml", ".")).root; }
inline std::unique_ptr<World> world_of_text(const std::string& text) { return world_of(scene_of(text)); }
/// Returns the message of the error with which a scene is rejected, or an empty text if it is accepted.
inline std::string error_of(const std::string& text) {
  const auto scene = load_scene_text(text, "scene.toml", ".");
  if (!scene) return scene.error().message();
  const auto world = World::create(scene->root);
  return world ? std::string() : world.error().message();
}

/// Returns a free row of eight soft voxels, 80 mm long, without gravity. `more` is appended to the body's table.
inline std::string free_row(const std::string& more) {
  return R"(format = 1
[world]
gravity = [0, 0, 0]
dt = 0.01
[[material]]
name = "soft"
youngs_modulus = 1e5
density = 1000
[[system]]
kind = "voxel_body"
name = "row"
size = [8, 1, 1]
voxel_size = 0.01
material = "soft"
)" + more;
}

/// Applies one change of a node.
inline Result<void> change(World& world, NodeChange node_change) {
  const std::vector<NodeChange> all{std::move(node_change)};
  return world.apply(change_command(world.scene(), all));
}

/// Returns the distance between the centres of two voxels [m].
inline double distance_between(World& world, std::size_t a, std::size_t b) {
  const Elements& e = world.find_system("row")->elements();
  return (e.position[a] - e.position[b]).norm();
}

/// Returns the value of an actuator or sensor in the present snapshot, NaN if there is none.
inline double signal_of(World& world, const std::string& name) {
  Snapshot now;
  world.write_snapshot(now);
  for (const SignalSnapshot& signal : now.signals)
    if (signal.name == name) return signal.value;
  return std::nan("");
}

}  // namespace vw::test
