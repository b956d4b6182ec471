// Writes elements over time as CSV with the columns time,system,index,x,y,z,vx,vy,vz and the channels of the scene. At
// each multiple of an interval of simulated time, one row per element is written. Each sample is written as a whole, so
// that an interrupted run leaves complete rows.
#pragma once

#include <string>
#include <vector>

#include "app/cli/export/csv_file.h"

namespace vw::cli {

class CsvExport {
 public:
  /// Opens the file and writes the header. The columns contain the channels of all systems, in the order in which the
  /// systems declare them.
  [[nodiscard]] static Result<CsvExport> open(const std::string& path, const api::Run& run, double every_s);
  /// Writes a sample if one is due at the time of the run. Call this function for the initial state and after every
  /// step.
  [[nodiscard]] Result<void> offer(const api::Run& run);
  [[nodiscard]] Result<void> finish() { return file_.finish(); }

 private:
  void append_rows(const api::Run& run, const std::string& system);

  CsvFile file_;
  SampleTimes times_;
  std::vector<std::string> names_;  ///< names of the channel columns
  std::vector<Channel> channels_;   ///< channels of the current system
};

/// Writes totals of the systems over time, one row per system. The columns are time, system, count, mass, energies,
/// momenta, centre of mass, and the totals that only some systems have.
class TotalsExport {
 public:
  [[nodiscard]] static Result<TotalsExport> open(const std::string& path, const api::Run& run, double every_s);
  [[nodiscard]] Result<void> offer(const api::Run& run);
  [[nodiscard]] Result<void> finish() { return file_.finish(); }

 private:
  void append_row(const api::Run& run, const std::string& system);

  CsvFile file_;
  SampleTimes times_;
  std::vector<std::string_view> names_;  ///< names of the columns for totals that only some systems have
};

}  // namespace vw::cli
