// Scenes grouped for the gallery of packaged scenes and for the start page. This file does not use the GUI.
#pragma once

#include <string>
#include <vector>

#include "sim/scene/scene.h"

namespace vw {

struct SceneGroup {
  std::string label;
  std::vector<PackagedScene> scenes;
  bool are_templates = false;  ///< whether choosing a scene of the group makes a new scene without a file
};
/// Groups the scenes that match the filter by subject, sorted by title. A scene matches if every word of the filter
/// occurs in its name, title, description or subject, or in the words about what it shows (PackagedScene::shows).
/// Groups without scenes are omitted.
[[nodiscard]] std::vector<SceneGroup> group_scenes(const std::vector<PackagedScene>& scenes, const std::string& filter);

/// Scenes of the start page.
struct StartScenes {
  std::vector<PackagedScene> recent;  ///< newest first
  std::vector<PackagedScene> templates;
  std::vector<PackagedScene> packaged;
};
/// Recent files that still exist, as scenes.
[[nodiscard]] std::vector<PackagedScene> recent_scenes(const std::vector<std::string>& paths);
/// The groups "Recent" and "New from a template", then the packaged scenes by subject. The filter acts as in
/// group_scenes(); recent scenes match also by their path.
[[nodiscard]] std::vector<SceneGroup> group_start_page(const StartScenes& scenes, const std::string& filter);

/// Text shown when a scene opens: the title, the description and a suggestion of what to try first. Empty if the scene
/// has neither a description nor a suggestion.
[[nodiscard]] std::string scene_introduction(const Node& scene);

}  // namespace vw
