// An exclusive file lock that ends with the process that has it. Other processes can thus tell whether this process
// still runs.
#pragma once

#include <optional>
#include <string>

#include "sim/base/system/file_descriptor.h"

namespace vw {

/// Owns an exclusive lock on a file (flock() on POSIX systems, LockFileEx() on Windows). The system releases the lock
/// when the process ends, also by a crash.
class FileLock {
 public:
  /// Creates the file if necessary and locks it. Returns no value if the file is locked already or cannot be
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
