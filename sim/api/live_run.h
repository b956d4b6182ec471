// A run on a thread of its own, paced to real time: commands, snapshots, recording. The window uses this class. This
// file is part of the library's stable interface: a function that is declared here keeps its meaning, and later
// versions only add to it.
//
// Every function may be called from one other thread, the drawing thread, and except for the destructor returns at
// once. Commands take effect between two steps, in the order of the calls.
//
//   api::LiveRun run(std::move(*api::Run::create(std::move(*scene))), api::LiveRun::Start::running);
//   while (is_open()) {
//     if (run.acquire()) draw(run.newest());
//   }
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/api/run.h"
#include "sim/snapshot/exchange.h"
#include "sim/world/equilibrium.h"

namespace vw::api {

/// Receives every snapshot, for consumers that must not miss any (video by simulated time, CSV). `offer` is called on
/// the simulation thread: first with the state at the time the sink is set, then after every step and reset. `offer`
/// may block to slow the simulation down, but must return at once when `stop_requested` becomes true (another sink is
/// set, or the run ends).
class SnapshotSink {
 public:
  virtual ~SnapshotSink() = default;
  virtual void offer(const Snapshot& snapshot, const std::atomic<bool>& stop_requested) = 0;
};

/// Progress of a Settle command.
struct SettleProgress {
  /// Fraction of the load applied so far, and residual force divided by the load.
  double share = 0, relative_residual = 0;
  int iterations = 0;
};

class LiveRun {
 public:
  enum class Start { paused, running };
  /// Takes over a run and starts the simulation thread.
  explicit LiveRun(Run run, Start start = Start::paused);
  ~LiveRun();  ///< stops the simulation thread, waits for its end and closes the journal
  LiveRun(const LiveRun&) = delete;
  LiveRun& operator=(const LiveRun&) = delete;

  // ---- Time ----

  void set_paused(bool paused);
  void single_step(int steps = 1);  ///< only effective while paused
  void set_speed(double factor);    ///< simulated seconds per wall second; sent as a command that sets world.speed

  // ---- Commands and results ----

  /// Applies a command at the next step boundary and records it in the journal. take_messages() returns the errors.
  void submit(Command command);
  /// Applies a change of nodes at the next step boundary. The callback `done` runs on the simulation thread and
  /// receives the outcome. After an error the world is unchanged.
  void change(ChangeNodes command, std::function<void(Result<void>)> done);
  /// Saves asynchronously at the next step boundary. The callback `done` runs on the simulation thread.
  void save_checkpoint(std::string path, std::function<void(Result<void>)> done);
  void save_journal(std::string path, std::function<void(Result<void>)> done);
  /// Takes a copy of the journal at the next step boundary. The callback `done` runs on the simulation thread. The
  /// journal ends with a hash of the state. If the run ends first, `done` is called before the simulation thread ends.
  void journal(std::function<void(Journal)> done);
  /// Returns the state from which a resumed run began, or null for a run that began at the start of its scene.
  [[nodiscard]] std::shared_ptr<const Checkpoint> start() const;

  // ---- Snapshots ----

  /// Sets the data that snapshots hold beyond their usual contents. See Run::subscribe().
  void subscribe(SnapshotRequest wanted);
  void set_sink(std::shared_ptr<SnapshotSink> sink);  ///< null removes the sink; takes effect before the next step
  /// Sets a second consumer that receives every snapshot and never blocks (plots). Null removes it.
  void set_watcher(std::shared_ptr<SnapshotSink> watcher);
  /// Makes the newest published snapshot available to newest(). Returns false if there is no new one. See Exchange.
  bool acquire() { return exchange_.acquire(); }
  [[nodiscard]] const Snapshot& newest() const { return exchange_.newest(); }
  [[nodiscard]] const Snapshot& previous() const { return exchange_.previous(); }

  // ---- Static equilibrium ----

  [[nodiscard]] SettleProgress settle_progress() const;
  /// Stops a submitted Settle command. The command ends with an error, and the body does not move.
  void stop_settling();
  /// Returns the result of the last Settle command, or none if it was taken already.
  [[nodiscard]] std::optional<Result<Equilibrium>> take_settled();

  // ---- Messages for the user, one sentence each ----

  /// Returns the messages since the last call of this function: errors of commands, and the failure of a health check.
  /// At most 100 messages are kept.
  [[nodiscard]] std::vector<std::string> take_messages();
  /// Returns warnings about the newest snapshot: slow steps, and totals that cause a warning (TotalWarning), such as a
  /// number of particles that may have missed collisions. Each warning is returned once. Call this function after
  /// acquire().
  [[nodiscard]] std::vector<std::string> take_warnings();

 private:
  Exchange<Snapshot> exchange_;
  RunWarnings warnings_;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vw::api
