// A file that appears whole or not at all, written in pieces: what is too large for memory is no reason to leave half a file.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "sim/base/error.h"

namespace vw {

/// Writes a temporary file beside `path` and renames it. Until then the old file stays. A link keeps pointing to the file that is replaced; a device
/// or a pipe is written to directly.
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
  /// Puts what was written so far in the place of the old file; later writes append to it. For files that are whole after each part, such as
  /// fragmented video.
  [[nodiscard]] Result<void> publish();
  /// Writes, syncs, publishes and closes.
  [[nodiscard]] Result<void> finish();

 private:
  AtomicFile() = default;
  std::string path_, target_, temporary_;  ///< temporary: empty if published, or if the file is written in place
  int descriptor_ = -1;
  bool in_place_ = false;
};

}  // namespace vw
