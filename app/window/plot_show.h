// The plots of the scene that is open: the watcher that measures them on the simulation thread, and the drawing thread's copy of what it measured.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "sim/collision/collider_kinds.h"
#include "sim/plot/plot_recorder.h"
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
  /// A scene has been opened. Returns what its simulation should be watched by: null for a scene without plots.
  [[nodiscard]] std::shared_ptr<PlotWatch> begin(const Node& scene);
  /// The scene has been edited: plots follow it, or go on as they were when it no longer fits them; then `problem` says why.
  void scene_changed(const Node& scene);
  /// Takes what was measured since the last call; `newest` is the world as it stands.
  void update(const Snapshot& newest);

  [[nodiscard]] bool empty() const { return !plots_ || plots_->plans().empty(); }
  [[nodiscard]] const std::vector<PlotPlan>& plans() const { return plots_->plans(); }
  [[nodiscard]] const PlotData& data() const { return data_; }
  [[nodiscard]] std::vector<std::string> channels() const { return plots_ ? plots_->channels() : std::vector<std::string>(); }
  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] double analytic(std::size_t plot, std::size_t curve, double time_s, double x) { return plots_->analytic(plot, curve, time_s, x); }
  /// What has been measured, in the columns of `voxwake run --plots`: time,plot,curve,system,x,y.
  [[nodiscard]] std::string table() const;

 private:
  ShapeStore shapes_;             ///< so that no file is read again while something is edited
  std::optional<PlotSet> plots_;  ///< for the analytic curves, and for what the plots are
  std::shared_ptr<PlotWatch> watch_;
  PlotData data_;
  std::string problem_;
};

}  // namespace vw
