// Random scenes built from the schemas. They contain every kind of system, field, rule, collider, joint and child node
// that the schemas declare, any number of children (including none), and parameters anywhere in their declared ranges.
// The same seed gives the same scene on every machine.
#pragma once

#include <cstdint>
#include <string>

#include "sim/base/data/node.h"

namespace vw::test {

/// Files for kinds with a `source` parameter. write_scene_files() creates them once in a folder.
struct SceneFiles {
  std::string mesh, heights, recording, empty_recording;
};
[[nodiscard]] SceneFiles write_scene_files(const std::string& folder);

/// Returns a scene that is valid by its schema. References between its nodes are mostly valid. World::create decides
/// whether a world can be made of it.
[[nodiscard]] Node random_scene(std::uint64_t seed, const SceneFiles& files);

}  // namespace vw::test
