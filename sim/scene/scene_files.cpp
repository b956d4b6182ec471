#include "sim/scene/scene_files.h"

#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <variant>

#include "sim/base/files/atomic_file.h"
#include "sim/base/files/file.h"
#include "sim/scene/file_kind.h"
#include "sim/scene/scene.h"
#include "sim/scene/toml/toml_guard.h"

namespace vw {
namespace {

namespace fs = std::filesystem;

bool is_named(const std::string& path) { return !path.empty() && path != "-"; }

fs::path place_of(const std::string& path) {
  std::error_code error;
  return fs::weakly_canonical(fs::absolute(link_target(path), error), error);
}

/// Decodes percent-encoding: "%20" becomes a space.
std::string without_percents(std::string_view text) {
  const auto digit = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
  };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool coded = text[i] == '%' && i + 2 < text.size() && digit(text[i + 1]) >= 0 && digit(text[i + 2]) >= 0;
    out += coded ? static_cast<char>(16 * digit(text[i + 1]) + digit(text[i + 2])) : text[i];
    if (coded) i += 2;
  }
  return out;
}

bool ends_as_gltf(const fs::path& path) {
  const std::string ending = path.extension().string();
  return file_kind(path.string()) == FileKind::mesh && ending.size() == 5 && (ending[1] == 'g' || ending[1] == 'G') &&
         (ending[4] == 'f' || ending[4] == 'F');
}

/// Adds the files in the folder of `path` that may be read together with it: designs that a robot modifies, and buffers
/// to which a glTF mesh refers. Even if some of them are not read, none of them may be overwritten.
void add_companions(const fs::path& path, std::vector<std::string>& files) {
  constexpr std::uint64_t most_text = std::uint64_t{64} << 20;
  const bool is_robot = file_kind(path.string()) == FileKind::robot;
  std::optional<std::string> mesh;
  if (ends_as_gltf(path))
    if (const auto text = read_file(path.string(), most_text)) mesh = without_percents(*text);
  if (!is_robot && !mesh) return;
  std::error_code error;
  for (fs::directory_iterator entry(path.has_parent_path() ? path.parent_path() : ".", error), end;
       !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (is_robot ? name.ends_with("base.vxa") : mesh->find("\"" + name + "\"") != std::string::npos)
      files.push_back(entry->path().string());
  }
}

void add_named(const Node& node, const fs::path& folder, std::vector<std::string>& files) {
  for (const Value& value : node.values) {
    const auto* text = std::get_if<std::string>(&value);
    if (text == nullptr || text->empty()) continue;
    const fs::path path = fs::path(*text).is_absolute() ? fs::path(*text) : folder / *text;
    std::error_code error;
    if (!fs::is_regular_file(path, error)) continue;
    files.push_back(path.string());
    add_companions(path, files);
  }
  for (const Node& child : node.children) add_named(child, folder, files);
}

}  // namespace

bool is_same_file(const std::string& a, const std::string& b) {
  if (!is_named(a) || !is_named(b)) return false;
  std::error_code error;
  // Two uses of one device are not a conflict.
  if (fs::exists(a, error) && !fs::is_regular_file(a, error)) return false;
  if (fs::equivalent(a, b, error)) return true;  // equivalent() also recognises hard links
  return place_of(a) == place_of(b);
}

std::vector<std::string> files_named(const Node& scene, const std::string& folder) {
  std::vector<std::string> files;
  add_named(scene, folder, files);
  return files;
}

std::vector<std::string> files_of_scene(const std::string& path) {
  std::vector<std::string> files{path};
  add_companions(path, files);
  if (file_kind(path) != FileKind::scene) return files;
  const auto text = read_file(path, max_scene_bytes);
  if (!text) return files;
  if (const auto tree = read_scene_toml(*text, path)) add_named(tree->root, fs::path(path).parent_path(), files);
  return files;
}

}  // namespace vw
