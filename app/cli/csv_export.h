// Writes elements over time as CSV: time,system,index,x,y,z,vx,vy,vz and the scene's channels, one row an element, at every multiple of an
// interval of simulated time. Whole samples go to the file, so that an interrupted run leaves whole rows.
#pragma once

#include <string>
#include <vector>

#include "app/cli/csv_file.h"

namespace vw::cli {

class CsvExport {
 public:
  /// Opens the file and writes the header: the channels of all systems, in the order in which systems name them.
  [[nodiscard]] static Result<CsvExport> open(const std::string& path, const World& world, double every_s);
  /// Writes a sample when one is due at the world's time. Call with the world as it starts and after every step.
  [[nodiscard]] Result<void> offer(const World& world);
  [[nodiscard]] Result<void> finish() { return file_.finish(); }

 private:
  void append_rows(const World& world, const System& system);

  CsvFile file_;
  SampleTimes times_;
  std::vector<std::string> names_;  ///< of the channels' columns
  std::vector<Channel> channels_;   ///< of the system at hand
};

/// Writes what systems sum up to over time: time, system, count, mass, energies, momenta, the centre of mass, and the totals that systems name
/// themselves. One row a system.
class TotalsExport {
 public:
  [[nodiscard]] static Result<TotalsExport> open(const std::string& path, const World& world, double every_s);
  [[nodiscard]] Result<void> offer(const World& world);
  [[nodiscard]] Result<void> finish() { return file_.finish(); }

 private:
  void append_row(const World& world, std::size_t system);

  CsvFile file_;
  SampleTimes times_;
  std::vector<std::string_view> names_;  ///< of the totals' columns
  std::vector<Total> totals_;
};

}  // namespace vw::cli
