// Which files a scene reads, and whether two names lead to one file: what a program needs to know before it writes a result.
#pragma once

#include <string>
#include <vector>

#include "sim/base/node.h"

namespace vw {

/// Whether both names lead to one regular file (through symbolic and hard links, relative or absolute), or would if it existed. An empty name and "-"
/// lead nowhere. A device is never the same file.
[[nodiscard]] bool is_same_file(const std::string& a, const std::string& b);

/// Every file that opening the scene file `path` reads: the file itself, bases of robots, and each file that the scene names (designs, meshes and
/// their buffers, heights, recordings). A scene that cannot be read gives its own path alone.
[[nodiscard]] std::vector<std::string> files_of_scene(const std::string& path);

/// The existing files that texts of a scene's tree name, seen from `folder`, with the files that are read along with them.
[[nodiscard]] std::vector<std::string> files_named(const Node& scene, const std::string& folder);

}  // namespace vw
