// Temporary folders for tests. Each folder is unique, even among programs that run at the same time, and is removed
// when its Scratch object is destroyed. A test in tests/house rejects tests that write anywhere else.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

namespace vw::test {

/// A new folder below the system's temporary folder. Only the process that created the folder removes it. A forked
/// child does not.
class Scratch {
 public:
  Scratch() : folder_(made()), owner_(::getpid()) {}
  ~Scratch() {
    std::error_code ignored;
    if (::getpid() == owner_) std::filesystem::remove_all(folder_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  [[nodiscard]] const std::string& folder() const { return folder_; }
  [[nodiscard]] std::string path(std::string_view name) const { return folder_ + "/" + std::string(name); }
  /// Writes a file, creates the subfolders in its name, and returns its path.
  std::string write(std::string_view name, std::string_view bytes) const {
    const std::filesystem::path file = path(name);
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << bytes;
    return file.generic_string();
  }

 private:
  static std::string made() {
    const auto base = std::filesystem::temp_directory_path();
    // The six letters X are a placeholder that mkdtemp() replaces by a unique suffix.
    std::string name = (base / "voxwake-test-").generic_string() + std::string(6, 'X');
    if (::mkdtemp(name.data()) == nullptr)
      throw std::filesystem::filesystem_error("mkdtemp", base, {errno, std::generic_category()});
    return name;
  }

  std::string folder_;
  pid_t owner_;
};

/// Returns the path of a file in a temporary folder that is removed when the test program ends. For helper functions
/// that return paths.
inline std::string scratch_file(std::string_view name) {
  static const Scratch folder;
  return folder.path(name);
}

}  // namespace vw::test
