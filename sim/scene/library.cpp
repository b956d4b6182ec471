// Finds the packaged scenes, and a scene by its name.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <system_error>

#include "sim/base/files/file.h"
#include "sim/base/files/source_tree.h"
#include "sim/base/system/folders.h"
#include "sim/base/system/process.h"
#include "sim/scene/scene.h"
#include "sim/scene/toml/text.h"

namespace vw {
namespace {

namespace fs = std::filesystem;

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}

/// Appends the kinds of a node and its descendants, each of them once.
void append_kinds(const Node& node, std::set<const Schema*>& seen, std::string& words) {
  if (seen.insert(node.schema).second) words += " " + label_of(*node.schema);
  for (const Node& child : node.children) append_kinds(child, seen, words);
}

/// Returns the searchable text of a scene: its text "try_first", followed by the kinds of its nodes.
std::string words_on(const Node& scene) {
  std::string words = std::get<std::string>(scene.value("try_first"));
  std::set<const Schema*> seen;
  for (const char* slot : {"system", "field", "collider", "interaction"})
    for (const Node* node : scene.all(slot)) append_kinds(*node, seen, words);
  return words;
}

}  // namespace

PackagedScene describe_scene(const std::string& path) {
  PackagedScene described{fs::path(path).stem().string(), {}, path, {}, {}};
  const auto text = read_file(described.path, std::uint64_t{1} << 20);
  if (!text) return described;
  const auto scene = read_scene_toml(*text, described.path);
  if (!scene) return described;
  described.title = std::get<std::string>(scene->root.value("title"));
  described.group = std::get<std::string>(scene->root.value("group"));
  described.description = std::get<std::string>(scene->root.value("description"));
  described.shows = words_on(scene->root);
  return described;
}

std::string assets_folder() {
  if (std::string chosen = environment_variable("VOXWAKE_ASSETS"); !chosen.empty()) return chosen;
  const std::string tree = source_tree();
  const fs::path installed = fs::path(shared_folder()) / "assets";
  if (tree.empty() || is_folder(installed / "scenes")) return installed.string();
  return (fs::path(tree) / "assets").string();
}

namespace {

std::vector<PackagedScene> scenes_in(const std::string& folder) {
  std::vector<PackagedScene> scenes;
  std::error_code error;
  for (fs::directory_iterator entry(fs::path(assets_folder()) / folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() == ".toml") scenes.push_back(describe_scene(entry->path().string()));
  }
  std::sort(scenes.begin(), scenes.end(),
            [](const PackagedScene& a, const PackagedScene& b) { return a.name < b.name; });
  return scenes;
}

}  // namespace

std::vector<PackagedScene> packaged_scenes() { return scenes_in("scenes"); }
std::vector<PackagedScene> scene_templates() { return scenes_in("templates"); }

Result<std::string> find_scene(const std::string& path_or_name) {
  std::error_code error;
  if (fs::exists(path_or_name, error) && !fs::is_directory(path_or_name, error)) return path_or_name;
  if (is_node_name(path_or_name)) {
    const std::string packaged = (fs::path(assets_folder()) / "scenes" / (path_or_name + ".toml")).string();
    if (fs::exists(packaged, error)) return packaged;
  }
  if (const std::string folder = assets_folder();
      !is_folder(fs::path(folder) / "scenes") && std::getenv("VOXWAKE_ASSETS") != nullptr)
    return fail("\"" + one_line(path_or_name) +
                "\" is not a file, and the folder in $VOXWAKE_ASSETS contains no scenes: " + one_line(folder));
  std::vector<std::string> names;
  for (const auto& scene : packaged_scenes()) names.push_back(scene.name);
  Error missing;
  missing.what = "\"" + one_line(path_or_name) + "\" is neither a file nor a packaged scene";
  missing.hint = nearest_word(path_or_name, names);
  // If no name is similar, the hint is the shortest name that contains the given text, such as "droplet" for "drop".
  if (missing.hint.empty() && !path_or_name.empty())
    for (const std::string& name : names)
      if (name.find(path_or_name) != std::string::npos && (missing.hint.empty() || name.size() < missing.hint.size()))
        missing.hint = name;
  return fail(std::move(missing));
}

}  // namespace vw
