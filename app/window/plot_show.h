// The plots of the scene that is open, and those that the user has picked: the watcher that measures them on the simulation thread, and the drawing
// thread's copy of what it measured.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/window/picked_plots.h"
#include "sim/collision/collider_kinds.h"
#include "sim/plot/plot_csv.h"
#include "sim/world/simulation.h"

namespace vw {

/// Simulation thread: measures every snapshot.
class PlotWatch final : public SnapshotSink {
 public:
  explicit PlotWatch(PlotSet plots) : recorder(std::move(plots)) {}
  void offer(const Snapshot& snapshot, const std::atomic<bool>& stop_requested) override {
    (void)stop_requested;  // never waits
    recorder.take(snapshot);
  }
  PlotRecorder recorder;
};

/// Drawing thread.
class PlotShow {
 public:
  /// A scene has been opened, or starts anew: then picked plots stay. Returns what its simulation should be watched by: null where there are no
  /// plots.
  [[nodiscard]] std::shared_ptr<PlotWatch> begin(const Node& scene, bool is_anew = false);
  /// Picks a value of an element, or takes it out again. Returns what the simulation should be watched by from now on, where that changes.
  [[nodiscard]] std::shared_ptr<PlotWatch> pick(const Node& scene, const PickedValue& value);
  /// Takes a picked plot away.
  void drop(const Node& scene, const std::string& plot);
  /// The scene has been edited: plots follow it, or go on as they were when it no longer fits them; then `problem` says why.
  void scene_changed(const Node& scene);
  /// Takes what was measured since the last call; `newest` is the world as it stands.
  void update(const Snapshot& newest);

  [[nodiscard]] bool empty() const { return !plots_ || plots_->plans().empty(); }
  [[nodiscard]] const std::vector<PlotPlan>& plans() const { return plots_->plans(); }
  [[nodiscard]] const PlotData& data() const { return data_; }
  [[nodiscard]] const PickedPlots& picked() const { return picked_; }
  /// What the world must be asked for.
  [[nodiscard]] Wanted wanted() const { return plots_ ? plots_->wanted() : Wanted(); }
  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] double analytic(std::size_t plot, std::size_t curve, double time_s, double x) { return plots_->analytic(plot, curve, time_s, x); }
  /// What has been measured, in the columns of `voxwake run --plots`: time,plot,curve,system,x,y.
  [[nodiscard]] std::string table() const { return plots_ ? plot_rows(plans(), data_) : std::string(plot_rows_header); }
  /// One plot by itself (plot_csv.h).
  [[nodiscard]] std::string table_of(std::size_t plot, char separator = ',') const { return plot_table(plans()[plot], plot, data_, separator); }

 private:
  struct Pair {
    PlotSet shown, watched;
  };
  [[nodiscard]] Result<Pair> compile(const Node& scene);
  [[nodiscard]] std::shared_ptr<PlotWatch> watch(Pair plots);
  PickedPlots picked_;
  ShapeStore shapes_;             ///< so that no file is read again while something is edited
  std::optional<PlotSet> plots_;  ///< for the analytic curves, and for what the plots are
  std::shared_ptr<PlotWatch> watch_;
  PlotData data_;
  std::string problem_;
};

}  // namespace vw
