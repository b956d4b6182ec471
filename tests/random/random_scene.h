// Scenes at random, made from the schemas: every kind of system, field, rule, collider, joint and child that there is, now and later, with any number
// of children (none too) and parameters anywhere in their declared ranges. The same seed gives the same scene on every machine.
#pragma once

#include <cstdint>
#include <string>

#include "sim/base/node.h"

namespace vw::test {

/// Files that kinds with a `source` read. Made once in a folder.
struct SceneFiles {
  std::string mesh, heights, recording, empty_recording;
};
[[nodiscard]] SceneFiles write_scene_files(const std::string& folder);

/// A scene that fits its schema; references between its parts are right mostly. Whether a world can be made of it, World::create says.
[[nodiscard]] Node random_scene(std::uint64_t seed, const SceneFiles& files);

}  // namespace vw::test
