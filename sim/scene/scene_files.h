// Lists the files that a scene reads, and tests whether two names refer to the same file. A program can thus avoid
// overwriting its input with a result.
#pragma once

#include <string>
#include <vector>

#include "sim/base/data/node.h"

namespace vw {

/// Returns whether both names refer to the same regular file, possibly through symbolic or hard links, or would do so
/// if the file existed. An empty name and "-" refer to no file. Two names of the same device do not count as the same
/// file.
[[nodiscard]] bool is_same_file(const std::string& a, const std::string& b);

/// Returns every file that is read when the scene file `path` is opened: the file itself, bases of robots, and each
/// file to which the scene refers (designs, meshes and their buffers, height fields, recordings). If the scene cannot
/// be parsed, the list may contain only `path` and its companion files, such as the base of a robot.
[[nodiscard]] std::vector<std::string> files_of_scene(const std::string& path);

/// Returns the existing files to which text values of a scene's tree refer, relative to `folder`, and the companion
/// files that are read together with them.
[[nodiscard]] std::vector<std::string> files_named(const Node& scene, const std::string& folder);

}  // namespace vw
