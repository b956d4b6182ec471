// Scenes and worlds that tests build in code: what goes wrong fails the test with its sentence.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "sim/world/registry.h"
#include "sim/world/world.h"
#include "tests/support/checked.h"

namespace vw::test {

inline void set(Node& scene, const std::string& path, const Value& value) {
  const auto good = set_parameter(scene, path, value);
  ASSERT_TRUE(good) << good.error().message();
}

inline std::unique_ptr<World> world_of(Node scene) { return checked(World::create(std::move(scene))); }

/// The same with every rule that joins systems without being asked.
inline std::unique_ptr<World> with_rules(Node scene) {
  add_default_interactions(scene);
  return world_of(std::move(scene));
}

}  // namespace vw::test
