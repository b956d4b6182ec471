// Exports frames over time for `voxwake export` and for the window. Frames are taken from a run at multiples of an
// interval and passed to the writers of several files.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/export/sample_times.h"
#include "sim/api/analysis/fields.h"
#include "sim/api/run.h"
#include "sim/export/writer.h"

namespace vw {

struct SeriesOptions {
  std::vector<std::string> out;  ///< files, whose endings choose the formats
  double every_s = 1.0 / 60;     ///< simulated time between two frames [s]
  std::string system = {};       ///< the only system to export; empty means all
  bool surface = false;          ///< whether each frame contains the surfaces of fluids
  std::int64_t samples = 32;     ///< samples of the wind along the longest side of its box; 0 for no wind
};

class SeriesExport {
 public:
  /// Opens the files. `first` is a snapshot of the run, taken `start_s` [s] after its start. `scene` is the scene of
  /// the run, and `view` a scene that contains the view.
  [[nodiscard]] static Result<SeriesExport> open(const SeriesOptions& options, const Node& scene, const Node& view,
                                                 const Snapshot& first, double start_s);
  /// Returns a request for the data that add() needs: all channels and vectors of the systems of `snapshot`.
  [[nodiscard]] static SnapshotRequest wanted(const Snapshot& snapshot);
  /// Returns whether a frame is due at the time `time_s` since the start of a run with steps of `dt_s` [s]. A reset
  /// does not set this time back. A due frame counts as added. Call for the initial state and after every step.
  [[nodiscard]] bool is_due(double time_s, double dt_s) { return times_.take(time_s, dt_s); }
  /// Returns the parts of a scene that determine its wind: the world, the fields and the obstacles.
  [[nodiscard]] static Node air_of(const Node& scene);
  /// Samples the wind of the next frames in the fields of `air`, a result of air_of(), if they differ from the present
  /// fields. The grid and its quantities do not change. If no field has a quantity any longer, its samples are 0. If
  /// the scene had no field when the files were opened, the function has no effect. Generating a field may take
  /// seconds.
  [[nodiscard]] Result<void> follow(Node air);
  /// Writes a frame to every file. `time_s` is the time since the start of the run [s].
  [[nodiscard]] Result<void> add(const Snapshot& snapshot, double time_s);
  /// Completes all files, also after an interrupt. Returns the first error.
  [[nodiscard]] Result<void> finish();
  [[nodiscard]] std::size_t frames() const { return frames_; }
  /// Returns warnings about data that the formats could not store, one sentence each.
  [[nodiscard]] std::vector<std::string> notes() const;

 private:
  struct Output {
    std::string path;
    std::unique_ptr<ExportWriter> writer;
  };
  /// Fields of the scene, and the grid on which they are sampled.
  struct Wind {
    api::Fields fields;
    ExportGrid grid;                       ///< position and size of the grid, without samples
    Node air;                              ///< scene of `fields`
    std::vector<ExportArray> arrays = {};  ///< quantities of the first frame, without values
    bool has_begun = false;                ///< whether the first frame was written
  };

  void add_wind(double time_s);
  /// Gives the samples of a frame the quantities of the first frame, in the same order.
  void keep_quantities(ExportGrid& grid);

  std::vector<Output> outputs_;
  SampleTimes times_;
  ExportOptions options_;
  std::optional<Wind> wind_;
  ExportFrame frame_;
  std::size_t frames_ = 0;
};

}  // namespace vw
