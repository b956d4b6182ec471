// Packaged scenes by subject, as the gallery lists them. No GUI.
#pragma once

#include <string>
#include <vector>

#include "sim/scene/scene.h"

namespace vw {

struct SceneGroup {
  std::string label;
  std::vector<PackagedScene> scenes;  ///< by title
};
/// Scenes whose name, title, description or subject contains every word of the filter. Groups without such a scene are left out.
[[nodiscard]] std::vector<SceneGroup> group_scenes(const std::vector<PackagedScene>& scenes, const std::string& filter);
/// What a scene says when it opens: title, description and what to try first, each where the scene has one. Empty: it says nothing.
[[nodiscard]] std::string scene_introduction(const Node& scene);

}  // namespace vw
