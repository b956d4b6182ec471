// The source tree that a program was built from, for programs that run in their build folder. An installed program has none.
#pragma once

#include <string>

namespace vw {

/// Folder of the running program, or empty where the system does not tell it.
[[nodiscard]] std::string program_folder();

/// The source tree named by the file `source-tree.txt` in a build folder above the running program (CMake writes it when it configures), or empty.
/// Nothing is compiled in: an installed program finds no such file. $VOXWAKE_NO_SOURCE_TREE makes it empty, for tests.
[[nodiscard]] std::string source_tree();

}  // namespace vw
