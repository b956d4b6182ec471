// Checks of output files. Before a long run, a command checks that its results can be written.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/cli/options.h"
#include "sim/base/error.h"

namespace vw::cli {

/// Returns an error in three cases: a file cannot be created (the folder is missing or not writable, or the path is a
/// folder); two paths name the same file; or a path names a file of `inputs`, possibly by another name or through a
/// link. Empty paths and "-" are allowed.
[[nodiscard]] Result<void> check_outputs(const std::vector<std::string>& paths, const std::vector<std::string>& inputs);

/// Checks the folder of a video that is written as numbered pictures. Neither the file `frame` (may be empty) nor an
/// input may be one of the pictures. A link among the pictures of an earlier video may not lead to `frame` or an input.
[[nodiscard]] Result<void> check_picture_folder(const std::string& folder, const std::string& frame,
                                                const std::vector<std::string>& inputs);

/// Returns a message about pictures of an earlier, longer video that remain in the folder after `written` new pictures,
/// such as "film: 3 frames; 2 older frames (frame_000004.png ...) remain in the folder". The message is empty if no
/// older pictures remain.
[[nodiscard]] std::string older_frames(const std::string& folder, std::size_t written);

/// Returns an error unless `path` ends in `ending` (case-insensitive). An example of the message is "a.png: must end in
/// .toml, because it will contain a scene".
[[nodiscard]] Result<void> check_ending(const std::string& path, const std::string& ending, const std::string& content);
/// Returns an error unless `path` ends in one of `endings`.
[[nodiscard]] Result<void> check_ending(const std::string& path, const std::vector<std::string>& endings,
                                        const std::string& content);

/// Checks that `path` ends in ".png". A device or a pipe may have any name, and an empty path is accepted.
[[nodiscard]] Result<void> check_picture_name(const std::string& path);

/// Returns all files that are read when this scene is opened: the scene, base files of robots, and each file that the
/// scene names (designs, meshes, heights, recordings). If the scene is not found, the list contains only the text given
/// as the scene.
[[nodiscard]] std::vector<std::string> files_read(const SceneOptions& scene);
/// Returns the files that the scene inside a checkpoint names.
[[nodiscard]] std::vector<std::string> files_read_by_checkpoint(const std::string& checkpoint);

}  // namespace vw::cli
