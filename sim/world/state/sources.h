// Files that a scene refers to (meshes, heights, recordings), with hashes of their contents. Checkpoints and moments
// hold the hashes, because the contents of the files are not part of them.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "sim/base/data/node.h"

namespace vw {

/// Calls `visit` with path and file name for every text parameter `source` of the tree that is not empty. `path` is put
/// before all paths, for example "system.duck.". Stops at the first error of `visit` and returns it.
[[nodiscard]] Result<void> each_source(
    const Node& node, const std::string& path,
    const std::function<Result<void>(const std::string& key, const std::string& file)>& visit);
/// Returns the XXH3 hash of a file's bytes as 16 hexadecimal digits.
[[nodiscard]] Result<std::string> file_hash(const std::string& file);
/// Returns the hash of each file that the tree refers to, keyed by the path of the parameter. Files that cannot be read
/// are left out.
[[nodiscard]] std::map<std::string, std::string> source_hashes(const Node& scene);

}  // namespace vw
