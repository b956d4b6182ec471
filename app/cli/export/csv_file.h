// A CSV file that grows by complete samples, and the times of the samples. All tables of `voxwake run` use these
// classes.
#pragma once

#include <cstdint>
#include <string>

#include "sim/api/run.h"
#include "sim/base/system/file_descriptor.h"

namespace vw::cli {

/// Times of samples: the multiples of an interval of simulated time since the start. The times are computed from a
/// counter and not accumulated, so that sample 1000 is exactly 1000 intervals after the start. A tolerance of half a
/// step selects the step nearest to each time.
class SampleTimes {
 public:
  SampleTimes() = default;
  SampleTimes(const api::Run& run, double every_s) : SampleTimes(run.time_s(), every_s) {}
  SampleTimes(double start_s, double every_s) : start_s_(start_s), every_s_(every_s) {}
  /// Returns whether a sample is due at the time of the run. A due sample is counted as taken.
  [[nodiscard]] bool take(const api::Run& run) { return take(run.time_s(), run.dt_s()); }
  /// The same for the time `time_s` of a run with steps of `dt_s` [s].
  [[nodiscard]] bool take(double time_s, double dt_s);

 private:
  double start_s_ = 0, every_s_ = 1;
  std::uint64_t samples_ = 0;
};

class CsvFile {
 public:
  /// Creates a file that contains only the row `header` and replaces an existing file atomically. If the process is
  /// killed during the call, either the old or the new file remains.
  [[nodiscard]] static Result<CsvFile> open(const std::string& path, const std::string& header);
  std::string buffer;  ///< complete rows that the next flush() writes
  /// Writes the buffer. On error (such as a full disk), the file is truncated after the last complete row.
  [[nodiscard]] Result<void> flush();
  /// Closes the file.
  [[nodiscard]] Result<void> finish();

 private:
  std::string path_;
  FileDescriptor file_;
  std::uint64_t whole_bytes_ = 0;  ///< length of the file up to the end of the last complete row
};

}  // namespace vw::cli
