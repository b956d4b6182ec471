// Lists the files that a scene reads and compares file identities, so that a program does not overwrite its input with
// a result.
#pragma once

#include <string>
#include <vector>

#include "sim/base/data/node.h"

namespace vw {

/// Returns whether both names refer to the same regular file, possibly through symbolic or hard links, or would refer
/// to the same file if it existed. An empty name and "-" refer to no file. Two names of a device are not considered the
/// same file.
[[nodiscard]] bool is_same_file(const std::string& a, const std::string& b);

/// Returns every file that is read when the scene file `path` is opened: the file itself, bases of robots, and each
/// file that the scene refers to (designs, meshes and their buffers, height fields, recordings). For a scene that
/// cannot be parsed, the list may hold only `path` and the files that are read together with it.
[[nodiscard]] std::vector<std::string> files_of_scene(const std::string& path);

/// Returns the existing files that text values of a scene's tree refer to, relative to `folder`, and the files that are
/// read together with these files.
[[nodiscard]] std::vector<std::string> files_named(const Node& scene, const std::string& folder);

}  // namespace vw
