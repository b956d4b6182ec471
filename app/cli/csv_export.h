// Writes elements over time as CSV: time,system,index,x,y,z,vx,vy,vz and the scene's channels, one row per element, at
// every multiple of an interval of simulated time. Samples are written as a whole, so an interrupted run leaves
// complete rows.
#pragma once

#include <string>
#include <vector>

#include "app/cli/csv_file.h"

namespace vw::cli {

class CsvExport {
 public:
  /// Opens the file and writes the header. The channels of all systems are listed in the order in which the systems
  /// declare them.
  [[nodiscard]] static Result<CsvExport> open(const std::string& path, const World& world, double every_s);
  /// Writes a sample if one is due at the world's time. Call this for the initial state and after every step.
  [[nodiscard]] Result<void> offer(const World& world);
  [[nodiscard]] Result<void> finish() { return file_.finish(); }

 private:
  void append_rows(const World& world, const System& system);

  CsvFile file_;
  SampleTimes times_;
  std::vector<std::string> names_;  ///< names of the channel columns
  std::vector<Channel> channels_;   ///< channels of the current system
};

/// Writes the totals of the systems over time: time, system, count, mass, energies, momenta, centre of mass, and the
/// systems' own totals. One row per system.
class TotalsExport {
 public:
  [[nodiscard]] static Result<TotalsExport> open(const std::string& path, const World& world, double every_s);
  [[nodiscard]] Result<void> offer(const World& world);
  [[nodiscard]] Result<void> finish() { return file_.finish(); }

 private:
  void append_row(const World& world, std::size_t system);

  CsvFile file_;
  SampleTimes times_;
  std::vector<std::string_view> names_;  ///< names of the columns of the systems' own totals
  std::vector<Total> totals_;
};

}  // namespace vw::cli
