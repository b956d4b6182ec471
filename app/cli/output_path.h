// Finds out before a long run whether its results can be written at all.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/cli/options.h"
#include "sim/base/error.h"

namespace vw::cli {

/// An error when a file of these names cannot be made (its folder is missing or closed, or it is a folder itself), when two of them are the same
/// file, or when one is a file of `inputs`, by whatever name or link. Empty and "-" are fine.
[[nodiscard]] Result<void> check_outputs(const std::vector<std::string>& paths, const std::vector<std::string>& inputs);

/// The same for a video that is a folder of numbered pictures, of which `frame` (may be empty) and the inputs must not be one. Links among the
/// pictures of an earlier video must not lead to any of them either.
[[nodiscard]] Result<void> check_picture_folder(const std::string& folder, const std::string& frame, const std::vector<std::string>& inputs);

/// "film: 3 frames; 2 older frames (frame_000004.png ...) remain in the folder": what an earlier, longer video left there after `written` pictures.
/// Empty if nothing is left.
[[nodiscard]] std::string older_frames(const std::string& folder, std::size_t written);

/// An error unless `path` ends in `ending` (in any case): "a.png: must end in .toml, as it will hold a scene".
[[nodiscard]] Result<void> check_ending(const std::string& path, const std::string& ending, const std::string& content);

/// An error unless `path` ends in ".png". A device or a pipe may have any name, and an empty path is fine.
[[nodiscard]] Result<void> check_picture_name(const std::string& path);

/// Every file that opening this scene reads: the scene itself, bases of robots, and each file that the scene names (designs, meshes, heights,
/// recordings). A scene that cannot be read gives its own path alone.
[[nodiscard]] std::vector<std::string> files_read(const SceneOptions& scene);
/// The files that the scene inside a checkpoint names.
[[nodiscard]] std::vector<std::string> files_read_by_checkpoint(const std::string& checkpoint);

}  // namespace vw::cli
