// Fitness file of evosoro: distances that a robot has covered, as XML. The inputs are the design (.vxa), which gives
// the end of the run, and the run itself. evosoro reads the elements by name (VX_SimGA.cpp of its source).
#pragma once

#include <string>
#include <vector>

#include "sim/api/run.h"

namespace vw::cli {

/// Settings in a design of evosoro that control how a run is evaluated.
struct FitnessSettings {
  double stop_s = 0;         ///< time at which the run ends [s]; 0 means that the design names none
  double start_s = 0;        ///< time from which distances are measured (InitCmTime) [s]
  double trace_every_s = 0;  ///< interval of samples of the centre-of-mass path [s]; 0 means no path
  double edge_m = 0;         ///< edge of a voxel [m]
  bool writes_file = true;   ///< whether evosoro would write a fitness file (WriteFitnessFile)
  std::string file;          ///< name of the fitness file (FitnessFileName), relative to the working folder
};
/// Reads the settings of a design. An error names file, line and key. A stop condition other than a time is an error.
[[nodiscard]] Result<FitnessSettings> read_fitness_settings(const std::string& design);

class FitnessExport {
 public:
  /// Measures the only voxel body of the run. A run without one voxel body is an error. `design` is the file of the
  /// settings, for messages.
  [[nodiscard]] static Result<FitnessExport> open(const std::string& path, const std::string& design,
                                                  FitnessSettings settings, api::Run& run);
  /// Measures the present state. Call this function for the initial state and after every step.
  void offer(const api::Run& run);
  /// Writes the file and replaces an existing file atomically.
  [[nodiscard]] Result<void> finish(const api::Run& run) const;

 private:
  struct TraceStep {
    double time_s;
    Vec3 center;
  };
  [[nodiscard]] Vec3 center(const api::Run& run) const;

  std::string path_, body_;
  FitnessSettings settings_;
  Vec3 start_ = Vec3::Zero();  ///< centre of mass at the time start_s, in the axes of the design [m]
  bool is_started_ = false;
  std::vector<TraceStep> trace_;
};

}  // namespace vw::cli
