// Packaged scenes for tests: one that is missing or refused fails the test that asks for it.
#pragma once

#include <string>
#include <utility>

#include "sim/scene/scene.h"
#include "tests/support/checked.h"

namespace vw::test {

[[nodiscard]] inline std::string packaged_path(const std::string& name) { return checked(find_scene(name)); }

/// Loaded strictly.
[[nodiscard]] inline Node packaged_scene(const std::string& name) {
  return checked(load_scene(packaged_path(name), {.strict = true})).root;
}

}  // namespace vw::test
