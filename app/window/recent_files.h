// The scenes opened last, newest first, kept as one path a line in $XDG_CONFIG_HOME/voxwake/recent (else ~/.config/voxwake/recent).
#pragma once

#include <string>
#include <vector>

namespace vw {

/// Folder of the user's settings, or empty when neither $XDG_CONFIG_HOME nor $HOME is set.
[[nodiscard]] std::string config_folder();

class RecentFiles {
 public:
  /// Reads the list; a missing or unreadable file is an empty list.
  explicit RecentFiles(std::string folder);
  [[nodiscard]] const std::vector<std::string>& paths() const { return paths_; }
  /// Puts the path first and writes the list (atomic; a failure to write is ignored, the list is a convenience).
  void add(const std::string& path);

 private:
  static constexpr std::size_t limit = 12;
  void write() const;
  std::string folder_;
  std::vector<std::string> paths_;
};

}  // namespace vw
