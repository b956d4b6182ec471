// Writes elements over time as CSV: time,system,index,x,y,z,vx,vy,vz and the scene's channels, one row an element, at every multiple of an
// interval of simulated time. Whole samples go to the file, so that an interrupted run leaves whole rows.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "sim/world/world.h"

namespace vw::cli {

class CsvExport {
 public:
  /// Opens the file and writes the header: the channels of all systems, in the order in which systems name them.
  [[nodiscard]] static Result<CsvExport> open(const std::string& path, const World& world, double every_s);
  /// Writes a sample when one is due at the world's time. Call with the world as it starts and after every step.
  [[nodiscard]] Result<void> offer(const World& world);
  /// Closes the file; says when any write failed (disk full).
  [[nodiscard]] Result<void> finish();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  void append_rows(const World& world, const System& system);
  [[nodiscard]] Result<void> flush();

  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
  std::vector<std::string> channels_;
  double start_s_ = 0, every_s_ = 0;
  std::uint64_t samples_ = 0;
  std::string buffer_;
  std::vector<std::vector<float>> values_;  ///< by channel of the system at hand; empty where it has none
};

}  // namespace vw::cli
