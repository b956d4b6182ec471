#include "app/window/document/scene_groups.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <tuple>
#include <utility>

#include "app/window/labels/param_style.h"

namespace vw {
namespace {

/// Subjects in the order of the gallery. Other subjects follow by name.
constexpr auto order =
    std::to_array<std::string_view>({"overview", "creatures", "soft_bodies", "water", "floating_and_sinking",
                                     "rigid_bodies", "grains_and_sparks", "flocks", "wind"});

/// Returns the sort key of a subject. The subjects of `order` come first, then other subjects, then the subject "lab",
/// then scenes without a subject.
std::size_t rank(const std::string& group) {
  if (group.empty()) return order.size() + 2;
  if (group == "lab") return order.size() + 1;
  return static_cast<std::size_t>(std::ranges::find(order, group) - order.begin());
}

std::string label_of(const std::string& group) {
  if (group.empty()) return "Other scenes";
  return group == "lab" ? "Lab: measurements compared with theory" : spelt_out(group);
}

/// Text in which the words of the search must occur.
std::string searched_text(const PackagedScene& scene, const std::string& group) {
  return scene.name + " " + scene.title + " " + scene.description + " " + group + " " + scene.shows;
}

}  // namespace

std::vector<SceneGroup> group_scenes(const std::vector<PackagedScene>& scenes, const std::string& filter) {
  std::vector<PackagedScene> sorted = scenes;
  std::ranges::sort(sorted, [](const PackagedScene& a, const PackagedScene& b) {
    return std::tuple(rank(a.group), a.group, a.title, a.name) < std::tuple(rank(b.group), b.group, b.title, b.name);
  });
  std::vector<SceneGroup> groups;
  for (PackagedScene& scene : sorted) {
    const std::string label = label_of(scene.group);
    if (!matches_filter(searched_text(scene, label), filter)) continue;
    if (groups.empty() || groups.back().label != label) groups.push_back({.label = label, .scenes = {}});
    groups.back().scenes.push_back(std::move(scene));
  }
  return groups;
}

std::vector<PackagedScene> recent_scenes(const std::vector<std::string>& paths) {
  std::vector<PackagedScene> scenes;
  std::error_code ignored;
  for (const std::string& path : paths)
    if (std::filesystem::is_regular_file(path, ignored)) scenes.push_back(describe_scene(path));
  return scenes;
}

std::vector<SceneGroup> group_start_page(const StartScenes& scenes, const std::string& filter) {
  SceneGroup recent{.label = "Recent", .scenes = {}}, templates{.label = "New from a template", .scenes = {}};
  templates.are_templates = true;
  for (const PackagedScene& scene : scenes.recent)
    if (matches_filter(searched_text(scene, recent.label + " " + scene.path), filter)) recent.scenes.push_back(scene);
  for (const PackagedScene& scene : scenes.templates)
    if (matches_filter(searched_text(scene, templates.label), filter)) templates.scenes.push_back(scene);
  std::vector<SceneGroup> groups = group_scenes(scenes.packaged, filter);
  if (!templates.scenes.empty()) groups.insert(groups.begin(), std::move(templates));
  if (!recent.scenes.empty()) groups.insert(groups.begin(), std::move(recent));
  return groups;
}

std::string scene_introduction(const Node& scene) {
  const auto text = [&](const char* key) { return std::get<std::string>(scene.value(key)); };
  const std::string description = text("description"), first = text("try_first");
  if (description.empty() && first.empty()) return {};
  std::string said = text("title");
  if (!description.empty()) said += (said.empty() ? "" : "\n") + description;
  if (!first.empty()) said += (said.empty() ? "" : "\n") + std::string("Try first: ") + first;
  return said;
}

}  // namespace vw
