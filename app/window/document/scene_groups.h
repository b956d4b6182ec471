// Packaged scenes grouped by subject for the gallery. No GUI.
#pragma once

#include <string>
#include <vector>

#include "sim/scene/scene.h"

namespace vw {

struct SceneGroup {
  std::string label;
  std::vector<PackagedScene> scenes;  ///< sorted by title
};
/// Groups the scenes whose name, title, description or subject contains every word of the filter. Empty groups are
/// omitted.
[[nodiscard]] std::vector<SceneGroup> group_scenes(const std::vector<PackagedScene>& scenes, const std::string& filter);
/// Text shown when a scene opens: title, description and suggestion of what to try first, as far as the scene has them.
/// Empty if it has neither description nor suggestion.
[[nodiscard]] std::string scene_introduction(const Node& scene);

}  // namespace vw
