// Reading complete files with a size limit, and writing files atomically.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/error.h"

namespace vw {

/// Reads the complete file. An error names the path and the system's reason. Files larger than `limit_bytes`, folders
/// and devices are rejected before any data are read.
[[nodiscard]] Result<std::string> read_file(const std::string& path, std::uint64_t limit_bytes);

/// Writes a temporary file beside `path`, syncs it and renames it. A reader sees either the old file or the complete
/// new file. After an error, the old file is kept. If `path` is a symbolic link, its target is replaced. A device or a
/// pipe is written to directly.
[[nodiscard]] Result<void> write_file_atomic(const std::string& path, std::string_view bytes);

}  // namespace vw
