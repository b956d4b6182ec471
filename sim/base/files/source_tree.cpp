#include "sim/base/files/source_tree.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "sim/base/system/process.h"

namespace vw {
namespace {

namespace fs = std::filesystem;

/// Number of folders in which source-tree.txt is searched, from the program's folder upwards. The program
/// build/release/app/voxwake finds the file in build/release, the second of these folders.
constexpr int highest_folder = 3;

}  // namespace

std::string program_folder() { return fs::path(program_path()).parent_path().string(); }

std::string source_tree() {
  if (std::getenv("VOXWAKE_NO_SOURCE_TREE") != nullptr) return {};
  fs::path folder = program_folder();
  for (int level = 0; level < highest_folder && folder.has_relative_path(); ++level, folder = folder.parent_path()) {
    std::ifstream in(folder / "source-tree.txt");
    std::string tree;
    std::error_code error;
    if (in && std::getline(in, tree) && fs::is_directory(tree, error)) return tree;
  }
  return {};
}

}  // namespace vw
