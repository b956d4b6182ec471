// Exports of frames over time for `voxwake export`: takes frames from a run at multiples of an interval and passes them
// to the writers of several files.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/export/csv_file.h"
#include "sim/api/fields.h"
#include "sim/api/run.h"
#include "sim/export/writer.h"

namespace vw::cli {

struct SeriesOptions {
  std::vector<std::string> out;  ///< files, whose endings choose the formats
  double every_s = 1.0 / 60;     ///< simulated time between two frames [s]
  std::string system;            ///< the only system to export; empty means all
  bool surface = false;          ///< whether fluids have a surface in each frame
  std::int64_t samples = 32;     ///< samples of the wind along the longest side of its box; 0 for no wind
};

class SeriesExport {
 public:
  /// Opens the files. From the next step on, the run records all channels and vectors. `scene` provides the view.
  [[nodiscard]] static Result<SeriesExport> open(const SeriesOptions& options, api::Run& run, const Node& scene);
  /// Writes a frame if one is due. `time_s` is the time of the run since its start, which a reset does not set back
  /// [s]. Call this function for the initial state and after every step.
  [[nodiscard]] Result<void> offer(api::Run& run, double time_s);
  /// Completes all files, also after an interrupt. Returns the first error.
  [[nodiscard]] Result<void> finish();
  [[nodiscard]] std::size_t frames() const { return frames_; }
  /// Facts that the formats could not hold, one sentence each.
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  struct Output {
    std::string path;
    std::unique_ptr<ExportWriter> writer;
  };
  /// Samples of the fields of the scene.
  struct Wind {
    api::Fields fields;
    ExportGrid grid;  ///< without data
  };

  void add_wind(double time_s);

  std::vector<Output> outputs_;
  SampleTimes times_;
  ExportOptions options_;
  std::optional<Wind> wind_;
  Snapshot snapshot_;
  ExportFrame frame_;
  std::size_t frames_ = 0;
};

}  // namespace vw::cli
