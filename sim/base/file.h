// Reading whole files with a limit and writing them atomically.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/error.h"

namespace vw {

/// The whole file. The error names the path and the system's reason; files over `limit_bytes`, folders and devices are refused before reading.
[[nodiscard]] Result<std::string> read_file(const std::string& path, std::uint64_t limit_bytes);

/// Writes beside `path`, syncs and renames: a reader sees the old file or the new one, never a part. On error the old file stays.
/// A link keeps pointing to what is replaced; a device or a pipe is written to directly.
[[nodiscard]] Result<void> write_file_atomic(const std::string& path, std::string_view bytes);

}  // namespace vw
