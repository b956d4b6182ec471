// A file that appears whole or not at all, written in pieces: what is too large for memory is no reason to leave half a file.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "sim/base/error.h"
#include "sim/base/file_descriptor.h"

namespace vw {

/// Writes a temporary file beside `path` and renames it. Until then the old file stays. A link keeps pointing to the file that is replaced; a device
/// or a pipe is written to directly. A named pipe that no program reads is an error: opening it does not wait for a reader.
///
/// The temporary file (`.NAME.<16 hexadecimal digits>.part`) is created exclusively and never through a link, takes over the mode and, where the
/// system allows it, the owner of the file that it replaces, and is synced before the rename; the folder is synced after it. Temporary files of the
/// same target that a killed process left behind are removed when the next one is opened.
class AtomicFile {
 public:
  [[nodiscard]] static Result<AtomicFile> open(const std::string& path);
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  /// Removes the temporary file unless it was published.
  ~AtomicFile();

  [[nodiscard]] Result<void> write(std::string_view bytes);
  /// Writes all bytes or none: what a full disk has taken of them is cut off again. For parts of a file that are of use only when whole.
  [[nodiscard]] Result<void> write_whole(std::string_view bytes);
  /// Puts what was written so far in the place of the old file; later writes append to it. For files that are whole after each part, such as
  /// fragmented video.
  [[nodiscard]] Result<void> publish();
  /// Writes, syncs, publishes and closes.
  [[nodiscard]] Result<void> finish();

 private:
  AtomicFile() = default;
  std::string path_, target_, temporary_;  ///< temporary: empty if published, or if the file is written in place
  FileDescriptor file_;
  bool in_place_ = false;
};

/// The file that `path` leads to through symbolic links, also where that file does not exist yet. A path that is no link is returned unchanged.
[[nodiscard]] std::string link_target(const std::string& path);

/// For files that grow: puts a file that holds `head` in the place of the old one (atomically, see AtomicFile) and opens it to append. A device or a
/// pipe is opened and takes the head directly, and a named pipe without a reader is an error.
[[nodiscard]] Result<FileDescriptor> begin_growing_file(const std::string& path, std::string_view head);

}  // namespace vw
