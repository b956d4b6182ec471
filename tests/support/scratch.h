// Where tests put files: folders that nobody else has, whatever runs at the same time, gone with the object. tests/house refuses any other way.
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

/// A new folder under the system's temporary one. A forked child that ends leaves it to the process that made it.
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
  /// Writes a file, in folders of its own if its name has any; its path.
  std::string write(std::string_view name, std::string_view bytes) const {
    const std::filesystem::path file = path(name);
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << bytes;
    return file.string();
  }

 private:
  static std::string made() {
    const auto base = std::filesystem::temp_directory_path();
    std::string name = (base / "voxwake-test-").string() + std::string(6, 'X');  // mkdtemp's place for what tells it from others
    if (::mkdtemp(name.data()) == nullptr) throw std::filesystem::filesystem_error("mkdtemp", base, {errno, std::generic_category()});
    return name;
  }

  std::string folder_;
  pid_t owner_;
};

/// A file that lasts as long as the test program, for helpers that hand out paths.
inline std::string scratch_file(std::string_view name) {
  static const Scratch folder;
  return folder.path(name);
}

}  // namespace vw::test
