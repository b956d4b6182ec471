// The simulation thread: chases real time with an accumulator, applies commands at step boundaries, publishes snapshots, journals.
// Every public function may be called from the drawing thread and returns at once.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/snapshot/exchange.h"
#include "sim/snapshot/wanted.h"
#include "sim/world/analysis.h"
#include "sim/world/world.h"

namespace vw {

/// Where consumers that must miss nothing (video by simulated time, CSV) take snapshots. `offer` is called on the simulation thread with the
/// state as it stands when the sink is set, then after every step and reset; it may block to hold the simulation back, but returns at once when
/// `stop_requested` turns true (another sink was set, or the simulation ends).
class SnapshotSink {
 public:
  virtual ~SnapshotSink() = default;
  virtual void offer(const Snapshot& snapshot, const std::atomic<bool>& stop_requested) = 0;
};

struct SimulationOptions {
  bool paused = true;
  std::string journal_path;  ///< empty: kept in memory only (save_journal)
};

/// How far a Settle command is.
struct SettleProgress {
  double share = 0, relative_residual = 0;  ///< of the load; of the forces that are left, relative to it
  int iterations = 0;
};

class Simulation {
 public:
  Simulation(std::unique_ptr<World> world, std::string scene_text, SimulationOptions options);
  ~Simulation();  ///< stops and joins
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  void set_paused(bool paused);
  void single_step(int steps = 1);  ///< while paused
  void set_speed(double factor);    ///< simulated seconds per wall second; also a command on world.speed
  void submit(Command command);
  void subscribe(Wanted wanted);
  void set_sink(std::shared_ptr<SnapshotSink> sink);  ///< null removes; takes effect before the next step
  /// A second consumer that must miss nothing and never holds the simulation back (plots); null removes.
  void set_watcher(std::shared_ptr<SnapshotSink> watcher);
  /// Saves asynchronously at the next step boundary; the callback runs on the simulation thread.
  void save_checkpoint(std::string path, std::function<void(Result<void>)> done);
  void save_journal(std::string path, std::function<void(Result<void>)> done);

  /// Drawing thread only.
  bool acquire() { return exchange_.acquire(); }
  [[nodiscard]] const Snapshot& newest() const { return exchange_.newest(); }
  [[nodiscard]] const Snapshot& previous() const { return exchange_.previous(); }
  [[nodiscard]] SettleProgress settle_progress() const;
  void stop_settling();  ///< a Settle command that was submitted ends with an error, and nothing moves
  /// How the last Settle command ended, once.
  [[nodiscard]] std::optional<Result<Equilibrium>> take_settled();
  /// Errors of commands since the last call.
  [[nodiscard]] std::vector<std::string> take_messages();

 private:
  Exchange<Snapshot> exchange_;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vw
