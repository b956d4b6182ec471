// An exclusive lock that ends with the process, so that other processes can tell whether its holder still runs.
#pragma once

#include <optional>
#include <string>

#include "sim/base/system/file_descriptor.h"

namespace vw {

/// Holds an advisory lock (flock) on a file. The system releases the lock when the process ends, also by a crash.
class FileLock {
 public:
  /// Creates the file if necessary and locks it. Returns no lock if another holder has it or if the file cannot be
  /// opened. This function does not wait.
  [[nodiscard]] static std::optional<FileLock> take(const std::string& path);
  /// Removes the file and releases the lock.
  void remove();

 private:
  FileLock(std::string path, FileDescriptor file) : path_(std::move(path)), file_(std::move(file)) {}
  std::string path_;
  FileDescriptor file_;
};

}  // namespace vw
