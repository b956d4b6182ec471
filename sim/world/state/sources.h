// Files to which a scene refers (meshes, heights, recordings) and hashes of their contents. Checkpoints and moments
// contain the hashes, because they do not contain the files.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "sim/base/data/node.h"

namespace vw {

/// Calls `visit` with path and file name for every non-empty text parameter `source` of the tree. `path` is the prefix
/// of all paths, such as "system.duck.". Stops at the first error of `visit` and returns it.
[[nodiscard]] Result<void> each_source(
    const Node& node, const std::string& path,
    const std::function<Result<void>(const std::string& key, const std::string& file)>& visit);
/// Returns the XXH3 hash of a file's bytes as 16 hexadecimal digits.
[[nodiscard]] Result<std::string> file_hash(const std::string& file);
/// Returns the hash of each file to which the tree refers, by the path of the parameter. Files that cannot be read are
/// omitted.
[[nodiscard]] std::map<std::string, std::string> source_hashes(const Node& scene);

}  // namespace vw
