// A file that is written in several pieces and appears under its name only when it is complete. It may be too large for
// the memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "sim/base/error.h"
#include "sim/base/system/file_descriptor.h"

namespace vw {

/// Writes a temporary file beside `path` and renames it at the end. Until then, the old file is kept. If `path` is a
/// symbolic link, the link is kept and its target is replaced. A device or a pipe is written to directly. If no program
/// reads a named pipe, opening the pipe is an error and does not wait for a reader.
///
/// The temporary file (`.NAME.<16 hexadecimal digits>.part`) is created exclusively and never through a link. It gets
/// the mode and, if the system allows it, the owner of the file that it replaces. The file is synced before the rename,
/// and the folder after it. Opening a file also removes temporary files for the same target that a killed process has
/// left behind.
class AtomicFile {
 public:
  [[nodiscard]] static Result<AtomicFile> open(const std::string& path);
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  /// Removes the temporary file if it has not been published.
  ~AtomicFile();

  [[nodiscard]] Result<void> write(std::string_view bytes);
  /// Writes all bytes or none. If the write fails, for example because the disk is full, the file is truncated to its
  /// previous length. A pipe cannot be truncated. This function is for records that must not be incomplete.
  [[nodiscard]] Result<void> write_whole(std::string_view bytes);
  /// Replaces bytes that have already been written, from `offset` on. This function is for numbers that are known only
  /// at the end, such as the number of frames. Returns an error if the output has no positions, for example a pipe.
  [[nodiscard]] Result<void> overwrite(std::uint64_t offset, std::string_view bytes);
  /// Returns the path of the temporary file, for libraries that write files by name. The library must not replace the
  /// file, and must close it before finish(). For a device or a pipe, returns the path of the device or the pipe.
  [[nodiscard]] const std::string& path_to_write() const { return temporary_.empty() ? path_ : temporary_; }
  /// Replaces the old file by the bytes written so far. Later writes append to the new file. This function is for
  /// formats that are valid after each section, such as fragmented video.
  [[nodiscard]] Result<void> publish();
  /// Publishes the file, syncs it and closes it.
  [[nodiscard]] Result<void> finish();

 private:
  AtomicFile() = default;
  std::string path_, target_, temporary_;  ///< `temporary_` is empty if the file was published or is written in place
  FileDescriptor file_;
  bool in_place_ = false;
};

/// Resolves the symbolic links of `path`, even if the final target does not exist. A path that is not a link is
/// returned unchanged.
[[nodiscard]] std::string link_target(const std::string& path);

/// Starts a growing file: atomically replaces `path` by a file that contains `head` (see AtomicFile) and opens it for
/// appending. A device or a pipe is opened and written to directly. A named pipe without a reader is an error.
[[nodiscard]] Result<FileDescriptor> begin_growing_file(const std::string& path, std::string_view head);

}  // namespace vw
