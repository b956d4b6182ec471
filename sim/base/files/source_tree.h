// Finds the source tree of a program that runs in its build folder. An installed program has no source tree.
#pragma once

#include <string>

namespace vw {

/// Folder of the running program, or empty if the system does not provide it.
[[nodiscard]] std::string program_folder();

/// Path of the source tree, or empty if there is none. CMake writes the path into the file `source-tree.txt` of the
/// build folder. That file is searched in the folders above the running program. The path is not compiled in, so an
/// installed program finds no source tree. If $VOXWAKE_NO_SOURCE_TREE is set, the result is empty (for tests).
[[nodiscard]] std::string source_tree();

}  // namespace vw
