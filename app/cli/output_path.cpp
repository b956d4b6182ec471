#include "app/cli/output_path.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "sim/base/file.h"
#include "sim/scene/file_kind.h"
#include "sim/scene/scene.h"
#include "sim/scene/toml_guard.h"
#include "sim/world/world.h"

namespace vw::cli {
namespace {

namespace fs = std::filesystem;

Unexpected not_writable(const std::string& path, int reason) { return wrong_file(path, std::string("cannot be written: ") + std::strerror(reason)); }

bool is_named(const std::string& path) { return !path.empty() && path != "-"; }

/// Files that may be read along with `path`: the designs that a robot changes, the buffers of a glTF mesh. Which one is taken its reader decides;
/// none may be overwritten.
void add_companions(const fs::path& path, std::vector<std::string>& files) {
  const std::string ending = path.extension() == ".vxd" ? "base.vxa" : path.extension() == ".gltf" ? ".bin" : "";
  if (ending.empty()) return;
  std::error_code error;
  for (fs::directory_iterator entry(path.has_parent_path() ? path.parent_path() : ".", error), end; !error && entry != end; entry.increment(error))
    if (entry->path().filename().string().ends_with(ending)) files.push_back(entry->path().string());
}

Result<void> check_output(const std::string& path) {
  std::error_code error;
  const auto status = fs::status(path, error);
  if (fs::is_directory(status)) return not_writable(path, EISDIR);
  if (fs::exists(status) && access(path.c_str(), W_OK) != 0) return not_writable(path, errno);
  if (fs::exists(status) && !fs::is_regular_file(status)) return {};
  const fs::path parent = fs::path(path).parent_path();
  if (access(parent.empty() ? "." : parent.c_str(), W_OK | X_OK) != 0) return not_writable(path, errno);
  return {};
}

/// What a text of a scene leads to if it names a file that is there, seen from the scene's folder.
void add_named_files(const Node& node, const fs::path& folder, std::vector<std::string>& files) {
  for (const Value& value : node.values) {
    const auto* text = std::get_if<std::string>(&value);
    if (text == nullptr || text->empty()) continue;
    const fs::path path = fs::path(*text).is_absolute() ? fs::path(*text) : folder / *text;
    std::error_code error;
    if (!fs::is_regular_file(path, error)) continue;
    files.push_back(path.string());
    add_companions(path, files);
  }
  for (const Node& child : node.children) add_named_files(child, folder, files);
}

}  // namespace

bool is_same_file(const std::string& a, const std::string& b) {
  if (!is_named(a) || !is_named(b)) return false;
  std::error_code error;
  if (fs::exists(a, error) && !fs::is_regular_file(a, error)) return false;  // devices may serve twice
  if (fs::equivalent(a, b, error)) return true;                              // also by two hard links
  return fs::weakly_canonical(fs::absolute(a, error), error) == fs::weakly_canonical(fs::absolute(b, error), error);
}

Result<void> check_outputs(const std::vector<std::string>& paths, const std::vector<std::string>& inputs) {
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (!is_named(paths[i])) continue;
    if (auto good = check_output(paths[i]); !good) return good;
    for (std::size_t k = 0; k < inputs.size(); ++k)
      if (is_same_file(paths[i], inputs[k]))
        return wrong_file(paths[i], k == 0 && file_kind(inputs[k]) != FileKind::mesh ? "is the scene itself and would be overwritten"
                                                                                     : "is read by this command and would be overwritten");
    for (std::size_t j = 0; j < i; ++j)
      if (is_same_file(paths[i], paths[j])) return wrong_file(paths[i], "is asked for two results at once");
  }
  return {};
}

Result<void> check_ending(const std::string& path, const std::string& ending, const std::string& content) {
  std::string extension = fs::path(path).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (extension == ending) return {};
  return wrong_file(path, "must end in " + ending + ", as it will hold " + content);
}

std::vector<std::string> files_read(const SceneOptions& scene) {
  const auto path = find_scene(scene.scene);
  if (!path) return {scene.scene};
  std::vector<std::string> files{*path};
  for (const std::string& set : scene.sets) files.push_back(set.substr(std::min(set.find('=') + 1, set.size())));  // it may name a file
  if (!scene.base.empty()) files.push_back(scene.base);
  const fs::path folder = fs::path(*path).parent_path();
  add_companions(*path, files);
  if (file_kind(*path) != FileKind::scene) return files;
  const auto text = read_file(*path, max_scene_bytes);
  if (!text) return files;
  if (const auto tree = read_scene_toml(*text, *path)) add_named_files(tree->root, folder, files);
  return files;
}

std::vector<std::string> files_read_by_checkpoint(const std::string& checkpoint) {
  std::vector<std::string> files;
  const auto loaded = load_checkpoint(checkpoint);
  if (!loaded) return files;
  if (const auto tree = read_scene_toml(loaded->scene_text, checkpoint)) add_named_files(tree->root, ".", files);
  return files;
}

}  // namespace vw::cli
