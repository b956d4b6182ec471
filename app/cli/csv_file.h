// A CSV file that grows by whole samples, and the times at which samples are due: what the tables of `voxwake run` share.
#pragma once

#include <cstdint>
#include <string>

#include "sim/base/file_descriptor.h"
#include "sim/world/world.h"

namespace vw::cli {

/// Every multiple of an interval of simulated time from the start on. Samples are counted, not added up: the thousandth lies at exactly 1000
/// intervals. Half a step of tolerance takes the nearest step.
class SampleTimes {
 public:
  SampleTimes() = default;
  SampleTimes(const World& world, double every_s) : start_s_(world.time()), every_s_(every_s) {}
  /// Whether a sample is due at the world's time; it counts as taken then.
  [[nodiscard]] bool take(const World& world);

 private:
  double start_s_ = 0, every_s_ = 1;
  std::uint64_t samples_ = 0;
};

class CsvFile {
 public:
  /// Replaces the old file by one that holds the header row `header` alone: whenever the process ends, the old table or the new one is there.
  [[nodiscard]] static Result<CsvFile> open(const std::string& path, const std::string& header);
  std::string buffer;  ///< whole rows, which the next flush writes
  /// On error (disk full) the file ends with the last row that fits.
  [[nodiscard]] Result<void> flush();
  /// Closes the file.
  [[nodiscard]] Result<void> finish();

 private:
  std::string path_;
  FileDescriptor file_;
  std::int64_t whole_bytes_ = 0;  ///< of the file, up to the end of its last whole row
};

}  // namespace vw::cli
