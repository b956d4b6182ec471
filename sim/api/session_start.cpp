#include "sim/api/session_start.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "sim/scene/scene.h"
#include "sim/world/state/sources.h"
#include "sim/world/world.h"

namespace vw::api {
namespace {

namespace fs = std::filesystem;

/// Searches for a missing file in the folder of `file` and among the packaged models and scenes. Returns its path, or
/// an empty text if no file there has the hash.
std::string found_elsewhere(const std::string& source, const std::string& hash, const std::string& file) {
  const fs::path name = fs::path(source).filename();
  for (const fs::path& folder :
       {fs::path(file).parent_path(), fs::path(assets_folder()) / "models", fs::path(assets_folder()) / "scenes"}) {
    std::error_code error;
    const fs::path candidate = fs::absolute(folder / name, error);
    if (error || !fs::is_regular_file(candidate, error)) continue;
    if (const auto other = file_hash(candidate.string()); other && *other == hash) return candidate.generic_string();
  }
  return {};
}

/// Compares the hashes of the files that the scene names. If a file has moved, its name in the tree is replaced.
/// Returns whether the tree was changed.
bool look_for_sources(Node& root, const std::map<std::string, std::string>& hashes, const std::string& file,
                      std::vector<std::string>& notes) {
  std::vector<std::pair<std::string, std::string>> moved;
  (void)each_source(root, "", [&](const std::string& key, const std::string& source) -> Result<void> {
    const auto kept = hashes.find(key);
    if (kept == hashes.end()) return {};
    std::error_code ignored;
    if (fs::exists(source, ignored)) {
      if (const auto hash = file_hash(source); hash && *hash != kept->second)
        notes.push_back(source + " was changed since the session was saved");
    } else if (std::string other = found_elsewhere(source, kept->second, file); !other.empty()) {
      moved.emplace_back(key, std::move(other));
    }
    return {};
  });
  for (const auto& [key, path] : moved) (void)set_parameter(root, key, Value(path));
  return !moved.empty();
}

}  // namespace

Result<Run> start_of_session(const Journal& journal, std::shared_ptr<const Checkpoint> start,
                             const std::map<std::string, std::string>& sources, const std::string& file,
                             const std::string& journal_path, std::vector<std::string>& notes) {
  auto scene = read_scene_toml(journal.scene_text, file);
  if (!scene) return Unexpected(scene.error());
  std::string text = journal.scene_text;
  if (look_for_sources(scene->root, sources, file, notes)) text = write_scene_toml(scene->root);
  if (start == nullptr) return Run::create({file, std::move(scene->root), std::move(text), {}}, journal_path);
  return Run::resume({file, start->build, std::move(scene->root), start}, journal_path);
}

std::string scene_with_present_files(const Journal& journal, const std::map<std::string, std::string>& sources,
                                     const std::string& file, std::vector<std::string>& notes) {
  auto scene = read_scene_toml(journal.scene_text, file);
  const bool has_moved = scene && look_for_sources(scene->root, sources, file, notes);
  return has_moved ? write_scene_toml(scene->root) : journal.scene_text;
}

void put_display(Node& scene, const std::string& display, std::vector<std::string>& notes) {
  const auto shown = read_scene_toml(display, {});
  if (!shown) {
    notes.push_back("the saved view cannot be read: " + shown.error().message());
    return;
  }
  const auto is_display = [&](const Node& child) {
    const std::string& slot = scene.schema->slots[child.slot].name;
    return slot == "view" || slot == "plot";
  };
  std::erase_if(scene.children, is_display);
  for (const Node& child : shown->root.children) {
    if (!is_display(child)) continue;
    scene.children.insert(std::ranges::upper_bound(scene.children, child.slot, {}, &Node::slot), child);
  }
}

}  // namespace vw::api
