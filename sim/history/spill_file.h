// A temporary file for data that do not fit into memory. The file disappears when it is closed or when the program ends
// (FileDescriptor::open_unnamed()). Freed space is reused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/system/file_descriptor.h"

namespace vw {

class SpillFile {
 public:
  struct Place {
    std::uint64_t offset = 0, size = 0;  ///< [bytes]
  };
  /// The first write creates the file in `folder`. The file grows to at most `limit_bytes`.
  SpillFile(std::string folder, std::uint64_t limit_bytes) : folder_(std::move(folder)), limit_(limit_bytes) {}

  /// Writes data to a free range of the file. Returns nullopt if no free range is large enough. Also returns nullopt if
  /// the file cannot be created or written; in this case, the file is not used any more.
  [[nodiscard]] std::optional<Place> write(std::span<const std::byte> bytes);
  /// Replaces the content of `out` by the data at `place`.
  [[nodiscard]] Result<void> read(const Place& place, std::vector<std::byte>& out) const;
  void free(const Place& place);
  [[nodiscard]] std::uint64_t used_bytes() const { return used_; }
  /// Returns the number of bytes that the file may contain. Returns 0 if it cannot be used.
  [[nodiscard]] std::uint64_t limit_bytes() const { return folder_.empty() ? 0 : limit_; }

 private:
  [[nodiscard]] bool open();
  std::string folder_;  ///< empty if the file cannot be used
  std::uint64_t limit_ = 0, end_ = 0, used_ = 0;
  std::map<std::uint64_t, std::uint64_t> gaps_;  ///< free ranges before end_: offset and size
  FileDescriptor file_;
};

}  // namespace vw
