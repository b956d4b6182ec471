// Finds the source tree of a program that runs in its build folder. An installed program has none.
#pragma once

#include <string>

namespace vw {

/// Folder of the running program, or empty if the system does not provide it.
[[nodiscard]] std::string program_folder();

/// Path of the source tree, or empty. It is read from the file `source-tree.txt`, which CMake writes into the build
/// folder when it configures, in a folder above the running program. The path is not compiled in, so an installed
/// program finds none. If $VOXWAKE_NO_SOURCE_TREE is set, the result is empty (for tests).
[[nodiscard]] std::string source_tree();

}  // namespace vw
