// Builds worlds with a fluid from scene text. The tests of fills, of flows and of the fluid system use these worlds.
#pragma once

#include <string>

#include "sim/scene/scene.h"
#include "sim/system/fluid/fluid.h"
#include "sim/world/registry.h"
#include "tests/support/water_of.h"
#include "tests/support/world_of.h"

namespace vw::test {

/// Returns the scene text of one fluid named "water" with a spacing of 2 cm. `fluid` is added to the table of the
/// fluid, and `after` follows that table.
inline std::string water_text(const std::string& fluid, const std::string& after) {
  return "format = 1\n[world]\ndt = 0.005\n[[system]]\nkind = \"fluid\"\nname = \"water\"\n" + fluid + "\n" + after;
}

/// Returns a tank of five planes from the origin to `size`, open at the top.
inline std::string tank_text(const Vec3& size) {
  const auto plane = [](const char* name, const Vec3& at, const char* turn) {
    return std::string("[[collider]]\nkind = \"plane\"\nname = \"") + name + "\"\nposition = " + to_text(Value(at)) +
           "\nrotation = " + turn + "\n";
  };
  return plane("floor", Vec3::Zero(), "[0, 0, 0]") + plane("left", Vec3::Zero(), "[0, 0, -1.5707963267948966]") +
         plane("right", {size.x(), 0, 0}, "[0, 0, 1.5707963267948966]") +
         plane("back", Vec3::Zero(), "[1.5707963267948966, 0, 0]") +
         plane("front", {0, 0, size.z()}, "[-1.5707963267948966, 0, 0]");
}

inline std::string fill_text(const std::string& kind, const std::string& name, const std::string& values) {
  return "[[system.fill]]\nkind = \"" + kind + "\"\nname = \"" + name + "\"\n" + values + "\n";
}

inline Result<std::unique_ptr<World>> try_world(const std::string& text) {
  auto scene = read_scene_toml(text, "pool.toml");
  if (!scene) return Unexpected(scene.error());
  add_default_interactions(scene->root);
  return World::create(std::move(scene->root));
}

inline std::unique_ptr<World> world_from(const std::string& text) { return checked(try_world(text)); }

/// Returns the error message with which the scene is rejected, or "accepted".
inline std::string refusal(const std::string& text) {
  const auto world = try_world(text);
  return world ? "accepted" : world.error().message();
}

inline std::vector<float> channel_of(World& world, std::string_view name) {
  const auto channels = water_of(world).channels();
  std::vector<float> values;
  for (std::size_t i = 0; i < channels.size(); ++i)
    if (channels[i].name == name) water_of(world).channel(i, values);
  return values;
}

inline void run_until(World& world, double time_s) {
  while (world.time() + 0.5 * world.dt() < time_s) ASSERT_TRUE(world.step()) << world.health().sentence();
}

}  // namespace vw::test
