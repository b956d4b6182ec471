// A CSV file that grows by complete samples. All tables of `voxwake run` use this class.
#pragma once

#include <cstdint>
#include <string>

#include "app/export/sample_times.h"
#include "sim/base/system/file_descriptor.h"

namespace vw::cli {

class CsvFile {
 public:
  /// Creates a file that contains only the row `header` and replaces an existing file atomically. If the process is
  /// killed during the call, either the old or the new file remains.
  [[nodiscard]] static Result<CsvFile> open(const std::string& path, const std::string& header);
  std::string buffer;  ///< complete rows that the next flush() writes
  /// Writes the buffer. On error (such as a full disk), the file is truncated after the last complete row.
  [[nodiscard]] Result<void> flush();
  /// Flushes the file to the disk and closes it. Returns an error if data were lost, for example because the disk is
  /// full.
  [[nodiscard]] Result<void> finish();

 private:
  std::string path_;
  FileDescriptor file_;
  std::uint64_t whole_bytes_ = 0;  ///< length of the file up to the end of the last complete row
};

}  // namespace vw::cli
