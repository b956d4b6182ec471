// A scene for tests of static equilibrium.
#pragma once

#include "sim/world/registry.h"

namespace vw::test {

/// Returns a scene of two bodies: a clamped beam, and a body without supports, which has no static equilibrium.
inline Node two_bodies() {
  Node scene = make_node(scene_schema());
  Node& beam = add_child(scene, "system", "voxel_body", "beam");
  beam.set("size", Vec3(10, 2, 2));
  beam.set("position", Vec3(0, 1, 0));
  add_child(beam, "region", "region", "clamp").set("max", Vec3(0.01, 1, 1));
  add_child(scene, "system", "voxel_body", "loose").set("size", Vec3(2, 2, 2));
  return scene;
}

}  // namespace vw::test
