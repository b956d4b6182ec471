// Finds the source tree of a program that runs in its build folder. An installed program has no source tree.
#pragma once

#include <string>

namespace vw {

/// Returns the folder of the running program, or an empty text if the system does not provide it.
[[nodiscard]] std::string program_folder();

/// Returns the path of the source tree, or an empty text if there is none. CMake writes the path into the file
/// `source-tree.txt` of the build folder. This function searches for that file in the program's folder and in the two
/// folders above it. For an installed program, there is no such file. If $VOXWAKE_NO_SOURCE_TREE is set, the result is
/// empty; tests use this.
[[nodiscard]] std::string source_tree();

}  // namespace vw
