// Archives in the format .tar.gz, for reports.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "sim/base/error.h"

namespace vw {

struct ArchiveFile {
  std::string name;  ///< file name without folders, at most 60 bytes
  std::string what;  ///< description for the user; not part of the archive
  std::string bytes;
};

/// Returns a gzip-compressed tar archive (POSIX ustar) of the files. In the archive, the files are in the folder
/// `folder` (at most 30 bytes) and have the modification time `seconds_since_1970`.
[[nodiscard]] Result<std::string> tar_gz(const std::string& folder, std::span<const ArchiveFile> files,
                                         std::int64_t seconds_since_1970);

}  // namespace vw
