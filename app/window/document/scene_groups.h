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
/// Groups the scenes that match the filter. A scene matches if every word of the filter occurs in its name, title,
/// description or subject. Groups without scenes are omitted.
[[nodiscard]] std::vector<SceneGroup> group_scenes(const std::vector<PackagedScene>& scenes, const std::string& filter);
/// Text shown when a scene opens: the title, the description and a suggestion of what to try first. Empty if the scene
/// has neither a description nor a suggestion.
[[nodiscard]] std::string scene_introduction(const Node& scene);

}  // namespace vw
