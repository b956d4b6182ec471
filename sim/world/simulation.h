// The simulation thread: paces steps to real time, applies commands at step boundaries, publishes snapshots and keeps
// the journal. Every public function may be called from the drawing thread and returns at once.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/snapshot/exchange.h"
#include "sim/snapshot/snapshot_request.h"
#include "sim/world/analysis.h"
#include "sim/world/world.h"

namespace vw {

/// Receives every snapshot, for consumers that must not miss any (video by simulated time, CSV). `offer` is called on
/// the simulation thread: first with the state at the time the sink is set, then after every step and reset. It may
/// block to slow the simulation down, but must return at once when `stop_requested` becomes true (another sink was set,
/// or the simulation ends).
class SnapshotSink {
 public:
  virtual ~SnapshotSink() = default;
  virtual void offer(const Snapshot& snapshot, const std::atomic<bool>& stop_requested) = 0;
};

struct SimulationOptions {
  bool paused = true;
  /// Path of the journal file. If it is empty, the journal is kept in memory only (save_journal).
  std::string journal_path;
};

/// Progress of a Settle command.
struct SettleProgress {
  /// Fraction of the load applied so far, and residual force divided by the load.
  double share = 0, relative_residual = 0;
  int iterations = 0;
};

class Simulation {
 public:
  Simulation(std::unique_ptr<World> world, std::string scene_text, SimulationOptions options);
  ~Simulation();  ///< stops the simulation thread and waits for its end
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  void set_paused(bool paused);
  void single_step(int steps = 1);  ///< only effective while paused
  void set_speed(double factor);    ///< simulated seconds per wall second; sent as a command that sets world.speed
  void submit(Command command);
  void subscribe(SnapshotRequest wanted);
  void set_sink(std::shared_ptr<SnapshotSink> sink);  ///< null removes the sink; takes effect before the next step
  /// Sets a second consumer that receives every snapshot and never blocks (plots). Null removes it.
  void set_watcher(std::shared_ptr<SnapshotSink> watcher);
  /// Saves asynchronously at the next step boundary. The callback `done` runs on the simulation thread.
  void save_checkpoint(std::string path, std::function<void(Result<void>)> done);
  void save_journal(std::string path, std::function<void(Result<void>)> done);

  /// Only the drawing thread may call these functions. See Exchange.
  bool acquire() { return exchange_.acquire(); }
  [[nodiscard]] const Snapshot& newest() const { return exchange_.newest(); }
  [[nodiscard]] const Snapshot& previous() const { return exchange_.previous(); }
  [[nodiscard]] SettleProgress settle_progress() const;
  /// Stops a submitted Settle command. The command ends with an error, and the body does not move.
  void stop_settling();
  /// Result of the last Settle command, or none if it was taken already.
  [[nodiscard]] std::optional<Result<Equilibrium>> take_settled();
  /// Error messages of commands since the last call of this function.
  [[nodiscard]] std::vector<std::string> take_messages();

 private:
  Exchange<Snapshot> exchange_;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vw
