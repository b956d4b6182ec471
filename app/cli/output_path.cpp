#include "app/cli/output_path.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "app/capture/embedded_moment.h"
#include "app/cli/opened_scene.h"
#include "app/window/document/picture_file.h"
#include "sim/api/open_scene.h"
#include "sim/api/saved_session.h"
#include "sim/base/files/atomic_file.h"
#include "sim/base/system/file_descriptor.h"
#include "sim/base/text.h"
#include "sim/scene/file_kind.h"
#include "sim/scene/scene.h"
#include "sim/scene/scene_files.h"

namespace vw::cli {
namespace {

namespace fs = std::filesystem;

Unexpected not_writable(const std::string& path, int reason) {
  return wrong_file(path, std::string("cannot be written: ") + std::strerror(reason));
}

bool is_named(const std::string& path) { return !path.empty() && path != "-"; }

Result<void> check_output(const std::string& path) {
  std::error_code error;
  const auto status = fs::status(path, error);
  if (fs::is_directory(status)) return not_writable(path, EISDIR);
  if (const int reason = fs::exists(status) ? file_write_obstacle(path) : 0; reason != 0)
    return not_writable(path, reason);
  if (fs::exists(status) && !fs::is_regular_file(status)) return {};
  const fs::path parent = fs::path(path).parent_path();
  if (const int reason = folder_write_obstacle(parent.empty() ? "." : parent.string()); reason != 0)
    return not_writable(path, reason);
  return {};
}

bool is_same_folder(const fs::path& a, const fs::path& b) {
  std::error_code error;
  return fs::equivalent(a, b, error) ||
         fs::weakly_canonical(fs::absolute(a, error), error) == fs::weakly_canonical(fs::absolute(b, error), error);
}

constexpr std::string_view frame_prefix = "frame_", frame_ending = ".png";

bool is_frame_name(const std::string& name) {
  return name.size() > frame_prefix.size() + frame_ending.size() && name.starts_with(frame_prefix) &&
         name.ends_with(frame_ending);
}

/// Returns whether `file` has the name of a picture of the video in `folder`, such as `folder/frame_000001.png`.
bool is_in_series(const std::string& file, const std::string& folder) {
  std::error_code error;
  const fs::path place = fs::weakly_canonical(fs::absolute(link_target(file), error), error);
  const std::string name = place.filename().string();
  return is_frame_name(name) && is_same_folder(place.parent_path(), folder);
}

/// Returns the names of the existing files in `folder` that a video of pictures could overwrite.
std::vector<std::string> frame_names(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (std::string name = entry->path().filename().string(); is_frame_name(name)) names.push_back(std::move(name));
  std::sort(names.begin(), names.end());
  return names;
}

/// Returns an error if a picture of an earlier video is a link to `file`, because a new picture would be written
/// through the link.
Result<void> check_frame_links(const std::string& folder, const std::string& file, const std::string& what) {
  for (const std::string& name : frame_names(folder)) {
    const std::string frame = (fs::path(folder) / name).string();
    std::error_code error;
    if (fs::is_symlink(fs::symlink_status(frame, error)) && is_same_file(frame, file))
      return wrong_file(frame, fmt::format("is a link to {}, {}", file, what));
  }
  return {};
}

/// Returns the number in a name such as `frame_000012.png`. Returns nothing if the number contains characters other
/// than digits.
std::optional<std::size_t> frame_number(const std::string& name) {
  const char* const first = name.data() + frame_prefix.size();
  const char* const last = name.data() + name.size() - frame_ending.size();
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(first, last, number);
  if (error != std::errc() || end != last) return {};
  return number;
}

}  // namespace

Result<void> check_outputs(const std::vector<std::string>& paths, const std::vector<std::string>& inputs) {
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (!is_named(paths[i])) continue;
    if (auto good = check_output(paths[i]); !good) return good;
    for (std::size_t k = 0; k < inputs.size(); ++k)
      if (is_same_file(paths[i], inputs[k]))
        return wrong_file(paths[i], k == 0 && file_kind(inputs[k]) != FileKind::mesh
                                        ? "is the scene itself and would be overwritten"
                                        : "is read by this command and would be overwritten");
    for (std::size_t j = 0; j < i; ++j)
      if (is_same_file(paths[i], paths[j]))
        return wrong_file(paths[i], "two results would be written to this file; choose different files");
  }
  return {};
}

Result<void> check_ending(const std::string& path, const std::string& ending, const std::string& content) {
  return check_ending(path, std::vector<std::string>{ending}, content);
}

Result<void> check_ending(const std::string& path, const std::vector<std::string>& endings,
                          const std::string& content) {
  const std::string own = lowercase(fs::path(path).extension().string());
  if (std::find(endings.begin(), endings.end(), own) != endings.end()) return {};
  return wrong_file(path,
                    fmt::format("must end in {}, because it will contain {}", fmt::join(endings, " or "), content));
}

Result<void> check_picture_name(const std::string& path) {
  std::error_code ignored;
  const auto status = fs::status(path, ignored);
  if (path.empty() || (fs::exists(status) && !fs::is_regular_file(status))) return {};
  return check_ending(path, ".png", "a picture");
}

Result<void> check_picture_folder(const std::string& folder, const std::string& frame,
                                  const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    if (is_in_series(input, folder))
      return wrong_file(folder, "contains " + input + ", which is read by this command and could be overwritten");
    if (auto good = check_frame_links(folder, input, "which is read by this command and could be overwritten"); !good)
      return good;
  }
  if (frame.empty()) return {};
  if (is_in_series(frame, folder)) return wrong_file(frame, "could be overwritten by a picture of the video");
  return check_frame_links(folder, frame, "which is the file of --frame and could be overwritten");
}

std::string older_frames(const std::string& folder, std::size_t written) {
  std::size_t count = 0, lowest = 0;
  std::string first;
  for (const std::string& name : frame_names(folder)) {
    const auto number = frame_number(name);
    if (!number || *number <= written) continue;
    if (count++ == 0 || *number < lowest) {
      lowest = *number;
      first = name;
    }
  }
  if (count == 0) return {};
  return fmt::format("{}: {} frame{} written; {} older frame{} ({}{}) remain{} in the folder", folder, written,
                     written == 1 ? "" : "s", count, count == 1 ? "" : "s", first, count == 1 ? "" : " ...",
                     count == 1 ? "s" : "");
}

std::vector<std::string> files_read(const SceneOptions& scene) {
  const bool is_session = api::is_session_file(scene.scene);
  if (is_session || is_picture_name(scene.scene)) {
    std::vector<std::string> all{scene.scene};
    if (const auto root = is_session ? api::scene_of_session(scene.scene) : scene_of_picture(scene.scene))
      for (std::string& file : files_named(*root, ".")) all.push_back(std::move(file));
    return all;
  }
  const auto path = find_scene(scene.scene);
  if (!path) return {scene.scene};
  std::vector<std::string> files = files_of_scene(*path);
  // The value of a --set assignment may be the name of a file.
  for (const std::string& set : scene.sets)
    for (std::string& file : files_of_scene(value_of_set(set))) files.push_back(std::move(file));
  if (!scene.base.empty()) files.push_back(scene.base);
  return files;
}

std::vector<std::string> files_read_by_checkpoint(const std::string& checkpoint) {
  const auto saved = api::open_checkpoint(checkpoint);
  return saved ? files_named(saved->root, ".") : std::vector<std::string>{};
}

}  // namespace vw::cli
