// A CSV file that grows by whole samples, and the times at which samples are due: what the tables of `voxwake run` share.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

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
  [[nodiscard]] static Result<CsvFile> open(const std::string& path);
  std::string buffer;  ///< what the next flush writes
  [[nodiscard]] Result<void> flush();
  /// Closes the file; says when any write failed (disk full).
  [[nodiscard]] Result<void> finish();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace vw::cli
