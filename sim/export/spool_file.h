// A temporary file that collects values until the size of an array is known. The file has no name, so it disappears
// even if the process is killed.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "sim/base/error.h"
#include "sim/base/system/file_descriptor.h"

namespace vw {

class SpoolFile {
 public:
  /// Creates the file in the folder of `path`, because the disk of this folder must have space for the result anyway.
  /// Errors name `path`.
  [[nodiscard]] static Result<SpoolFile> open(const std::string& path);
  /// Appends bytes. They are collected in memory and written to disk in large blocks.
  [[nodiscard]] Result<void> append(std::string_view bytes);
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// Passes all bytes to `take`, in several blocks.
  [[nodiscard]] Result<void> read(const std::function<Result<void>(std::string_view)>& take);

 private:
  [[nodiscard]] Result<void> flush();

  std::string path_, waiting_;
  FileDescriptor file_;
  std::uint64_t size_ = 0;
};

}  // namespace vw
