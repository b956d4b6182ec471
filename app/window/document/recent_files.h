// List of recently opened scenes, newest first. The list is stored in the file `recent` of the folder of settings
// (config_folder(), sim/base/system/folders.h). Each line is one path.
#pragma once

#include <string>
#include <vector>

namespace vw {

class RecentFiles {
 public:
  /// Reads the list from the file `recent` in `folder`. If the file cannot be read, the list is empty.
  explicit RecentFiles(std::string folder);
  [[nodiscard]] const std::vector<std::string>& paths() const { return paths_; }
  /// Moves the path to the front and writes the list atomically. A write error is ignored because the list is only a
  /// convenience.
  void add(const std::string& path);

 private:
  static constexpr std::size_t limit = 12;
  void write() const;
  std::string folder_;
  std::vector<std::string> paths_;
};

}  // namespace vw
