// Checks before a long run whether its results can be written.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/cli/options.h"
#include "sim/base/error.h"

namespace vw::cli {

/// Returns an error if one of the files cannot be created (its folder is missing or not writable, or the path is a
/// folder), if two of them are the same file, or if one is a file of `inputs`, even under another name or through a
/// link. Empty paths and "-" are allowed.
[[nodiscard]] Result<void> check_outputs(const std::vector<std::string>& paths, const std::vector<std::string>& inputs);

/// The same for a video written as a folder of numbered pictures. `frame` (may be empty) and the inputs must not be one
/// of the pictures. Links among the pictures of an earlier video must not lead to them either.
[[nodiscard]] Result<void> check_picture_folder(const std::string& folder, const std::string& frame,
                                                const std::vector<std::string>& inputs);

/// Message about pictures that an earlier, longer video left in the folder after `written` new pictures: "film: 3
/// frames; 2 older frames (frame_000004.png ...) remain in the folder". Empty if there are none.
[[nodiscard]] std::string older_frames(const std::string& folder, std::size_t written);

/// Returns an error unless `path` ends in `ending` (case-insensitive): "a.png: must end in .toml, as it will hold a
/// scene".
[[nodiscard]] Result<void> check_ending(const std::string& path, const std::string& ending, const std::string& content);

/// Checks that `path` ends in ".png". A device or a pipe may have any name, and an empty path is accepted.
[[nodiscard]] Result<void> check_picture_name(const std::string& path);

/// All files that opening this scene reads: the scene itself, base files of robots, and each file that the scene names
/// (designs, meshes, heights, recordings). For an unreadable scene, only its own path.
[[nodiscard]] std::vector<std::string> files_read(const SceneOptions& scene);
/// Files named by the scene inside a checkpoint.
[[nodiscard]] std::vector<std::string> files_read_by_checkpoint(const std::string& checkpoint);

}  // namespace vw::cli
