// Builds scenes and worlds in test code. If a world cannot be created, the test fails with the error message.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/world/registry.h"
#include "sim/world/world.h"
#include "tests/support/checked.h"

namespace vw::test {

inline void set(Node& scene, const std::string& path, const Value& value) {
  const auto good = set_parameter(scene, path, value);
  ASSERT_TRUE(good) << good.error().message();
}

inline std::unique_ptr<World> world_of(Node scene) { return checked(World::create(std::move(scene))); }

/// Adds the default interactions to the scene and creates the world.
inline std::unique_ptr<World> with_rules(Node scene) {
  add_default_interactions(scene);
  return world_of(std::move(scene));
}

inline void take_steps(World& world, int count) {
  for (int i = 0; i < count; ++i) ASSERT_TRUE(world.step()) << world.health().sentence();
}

/// Runs the world for `seconds` [s] and calls `after_each` after each step.
inline void run(World& world, double seconds, const std::function<void()>& after_each = {}) {
  for (int i = 0, n = static_cast<int>(std::lround(seconds / world.dt())); i < n; ++i) {
    ASSERT_TRUE(world.step()) << world.health().sentence();
    if (after_each) after_each();
  }
}

/// Makes `steps` steps and returns the state hash after each step.
inline std::vector<std::uint64_t> hashes_of(World& world, int steps) {
  std::vector<std::uint64_t> hashes;
  for (int i = 0; i < steps; ++i) {
    EXPECT_TRUE(world.step()) << world.health().sentence();
    hashes.push_back(world.hash());
  }
  return hashes;
}

}  // namespace vw::test
