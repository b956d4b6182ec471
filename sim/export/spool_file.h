// A temporary file that collects the values of several arrays until their sizes are known. The file has no name, so it
// disappears even if the process is killed.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.h"
#include "sim/base/system/file_descriptor.h"

namespace vw {

/// A single file holds all arrays, because a process may open only a limited number of files.
class SpoolFile {
 public:
  /// The bytes of one array, stored in blocks of the file. The last bytes are still in memory.
  class Array {
   public:
    [[nodiscard]] std::uint64_t size() const { return size_; }

   private:
    friend class SpoolFile;
    struct Block {
      std::uint64_t offset = 0, size = 0;
    };
    std::vector<Block> blocks_;
    std::string waiting_;
    std::uint64_t size_ = 0;
  };

  /// Creates the file in the folder of `path`, because the disk of this folder must have space for the result anyway.
  /// Errors name `path`.
  [[nodiscard]] static Result<SpoolFile> open(const std::string& path);
  /// Appends bytes to an array. They are collected in memory and written to disk in large blocks.
  [[nodiscard]] Result<void> append(Array& array, std::string_view bytes);
  /// Passes all bytes of an array to `take`, in several blocks.
  [[nodiscard]] Result<void> read(const Array& array, const std::function<Result<void>(std::string_view)>& take) const;

 private:
  std::string path_;
  FileDescriptor file_;
  std::uint64_t size_ = 0;
};

}  // namespace vw
