// Packaged scenes for tests. If a scene is missing or rejected, the test that requested it fails.
#pragma once

#include <string>
#include <utility>

#include "sim/scene/scene.h"
#include "tests/support/checked.h"

namespace vw::test {

[[nodiscard]] inline std::string packaged_path(const std::string& name) { return checked(find_scene(name)); }

/// Loads the packaged scene in strict mode.
[[nodiscard]] inline Node packaged_scene(const std::string& name) {
  return checked(load_scene(packaged_path(name), {.strict = true})).root;
}

}  // namespace vw::test
