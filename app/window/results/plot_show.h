// Plots of the open scene and plots picked by the user. An observer measures the plots on the simulation thread. The
// drawing thread has a copy of the measurements.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/window/results/picked_plots.h"
#include "sim/api/live/live_run.h"
#include "sim/plot/plot_csv.h"

namespace vw {

/// Measures the plots in every snapshot, on the simulation thread.
class PlotObserver final : public api::SnapshotSink {
 public:
  explicit PlotObserver(PlotSet plots) : recorder(std::move(plots)) {}
  void offer(const Snapshot& snapshot, const std::atomic<bool>& stop_requested) override {
    (void)stop_requested;  // never waits
    recorder.take(snapshot);
  }
  PlotRecorder recorder;
};

/// The plots that the window shows, with their samples. Used by the drawing thread only.
class PlotShow {
 public:
  /// Call this when a scene is opened or rebuilt. The picked plots remain only if `is_rebuild` is set. Returns the
  /// observer for the simulation, or null if there are no plots.
  [[nodiscard]] std::shared_ptr<PlotObserver> begin(const Node& scene, bool is_rebuild = false);
  /// Adds a value of an element to the picked plots, or removes the value if it is already plotted. If there was no
  /// observer yet, returns an observer for the simulation, else null.
  [[nodiscard]] std::shared_ptr<PlotObserver> pick(const Node& scene, const PickedValue& value);
  /// Measures another run: the plots of its scene `scene` and the picked plots of `other`. If there was no observer yet
  /// and there are plots now, returns an observer for that run, else null.
  [[nodiscard]] std::shared_ptr<PlotObserver> measure_as(const Node& scene, const PlotShow& other);
  /// Removes a picked plot.
  void drop(const Node& scene, const std::string& plot);
  /// Updates the plots after an edit of the scene. If the plots cannot be compiled for the edited scene, they continue
  /// unchanged, and problem() gives the reason. If there was no observer yet and the scene has plots now, returns an
  /// observer for the simulation, else null.
  [[nodiscard]] std::shared_ptr<PlotObserver> scene_changed(const Node& scene,
                                                            std::span<const RenamedPart> renamed = {});
  /// Fetches the measurements since the last call. `newest` is the most recent snapshot of the world.
  void update(const Snapshot& newest);

  [[nodiscard]] bool empty() const { return !plots_ || plots_->plans().empty(); }
  [[nodiscard]] const std::vector<PlotPlan>& plans() const { return plots_->plans(); }
  [[nodiscard]] const PlotData& data() const { return data_; }
  [[nodiscard]] const PickedPlots& picked() const { return picked_; }
  /// Channels, vectors and forces that the world must record.
  [[nodiscard]] SnapshotRequest wanted() const { return plots_ ? plots_->wanted() : SnapshotRequest(); }
  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] double analytic(std::size_t plot, std::size_t curve, double time_s, double x) {
    return plots_->analytic(plot, curve, time_s, x);
  }
  /// Measurements in the format of `voxwake run --plots`, with the columns time,plot,curve,system,x,y.
  [[nodiscard]] std::string table() {
    return plots_ ? plot_rows(plans(), data_, theory()) : std::string(plot_rows_header);
  }
  /// Table of a single plot (plot_csv.h).
  [[nodiscard]] std::string table_of(std::size_t plot, char separator = ',') {
    return plot_table(plans()[plot], plot, data_, separator, theory());
  }

 private:
  /// Two copies of the plots: `shown` for the drawing thread and `watched` for the observer.
  struct Pair {
    PlotSet shown, watched;
  };
  /// Analytic curves for tables, as the plots show them: with the present formulas, at all times.
  [[nodiscard]] AnalyticValue theory() {
    return [this](std::size_t plot, std::size_t curve, double time_s, double x) {
      return plots_->analytic(plot, curve, time_s, x);
    };
  }
  [[nodiscard]] Result<Pair> compile(const Node& scene);
  [[nodiscard]] std::shared_ptr<PlotObserver> watch(Pair plots);
  /// Compiles the plots and creates the observer. Returns null if there are no plots or if there is a problem().
  [[nodiscard]] std::shared_ptr<PlotObserver> start(const Node& scene);
  PickedPlots picked_;
  /// Cache of geometry, so that files are not read again after every edit.
  std::shared_ptr<ShapeStore> shapes_ = make_shape_store();
  std::optional<PlotSet> plots_;  ///< plots for the drawing thread, including the analytic curves
  std::shared_ptr<PlotObserver> watch_;
  PlotData data_;
  std::string problem_;
  /// Whether problem_ says that the newest snapshot lacks a name. A later snapshot may contain the name.
  bool lacks_name_ = false;
};

}  // namespace vw
