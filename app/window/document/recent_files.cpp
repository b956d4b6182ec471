#include "app/window/document/recent_files.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <utility>

#include "sim/base/files/file.h"

namespace vw {
namespace fs = std::filesystem;

RecentFiles::RecentFiles(std::string folder) : folder_(std::move(folder)) {
  std::ifstream in(fs::path(folder_) / "recent");
  for (std::string line; paths_.size() < limit && std::getline(in, line);)
    if (!line.empty()) paths_.push_back(line);
}

void RecentFiles::add(const std::string& path) {
  std::error_code error;
  const fs::path absolute = fs::weakly_canonical(path, error);
  const std::string entry = error ? path : absolute.string();
  // Another window may have added paths since. If the file cannot be read, the present list is kept.
  if (!folder_.empty())
    if (RecentFiles stored(folder_); !stored.paths_.empty()) paths_ = std::move(stored.paths_);
  std::erase(paths_, entry);
  paths_.insert(paths_.begin(), entry);
  if (paths_.size() > limit) paths_.resize(limit);
  write();
}

void RecentFiles::write() const {
  if (folder_.empty()) return;
  std::error_code error;
  fs::create_directories(folder_, error);
  std::string lines;
  for (const std::string& path : paths_) lines += path + '\n';
  (void)write_file_atomic((fs::path(folder_) / "recent").string(), lines);
}

}  // namespace vw
