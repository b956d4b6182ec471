// A file that appears whole or not at all, written in pieces: what is too large for memory is no reason to leave half a file.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "sim/base/error.h"

namespace vw {

/// Writes beside `path`; finish() syncs and renames. Without it what was there stays. A link keeps pointing to what is replaced; a device or a pipe
/// is written to directly.
class AtomicFile {
 public:
  [[nodiscard]] static Result<AtomicFile> open(const std::string& path);
  AtomicFile(AtomicFile&&) = default;
  AtomicFile& operator=(AtomicFile&&) = delete;
  ~AtomicFile();

  [[nodiscard]] Result<void> write(std::string_view bytes);
  [[nodiscard]] Result<void> finish();

 private:
  AtomicFile() = default;
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string path_, target_, temporary_;  ///< temporary: empty where it is written in place
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace vw
