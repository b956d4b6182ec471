// A CSV file that grows by complete samples, and the sample times. Used by all tables of `voxwake run`.
#pragma once

#include <cstdint>
#include <string>

#include "sim/base/file_descriptor.h"
#include "sim/world/world.h"

namespace vw::cli {

/// Sample times at every multiple of an interval of simulated time from the start. They are computed from a counter
/// instead of accumulated, so the thousandth is exactly 1000 intervals after the start. A tolerance of half a step
/// selects the nearest step.
class SampleTimes {
 public:
  SampleTimes() = default;
  SampleTimes(const World& world, double every_s) : start_s_(world.time()), every_s_(every_s) {}
  /// Whether a sample is due at the world's time. If so, it is counted as taken.
  [[nodiscard]] bool take(const World& world);

 private:
  double start_s_ = 0, every_s_ = 1;
  std::uint64_t samples_ = 0;
};

class CsvFile {
 public:
  /// Replaces the old file by one that contains only the row `header`. The replacement is atomic: if the process ends
  /// at any time, either the old or the new table exists.
  [[nodiscard]] static Result<CsvFile> open(const std::string& path, const std::string& header);
  std::string buffer;  ///< complete rows to be written by the next flush
  /// Writes the buffer. On error (disk full), the file is truncated after its last complete row.
  [[nodiscard]] Result<void> flush();
  /// Closes the file.
  [[nodiscard]] Result<void> finish();

 private:
  std::string path_;
  FileDescriptor file_;
  std::int64_t whole_bytes_ = 0;  ///< length of the file up to the end of its last complete row
};

}  // namespace vw::cli
