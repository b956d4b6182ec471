// A run on its own thread, at the pace of real time, with commands, snapshots and recording. The window uses this
// class. This file is part of the library's stable interface: a function that is declared here keeps its meaning, and
// later versions only add to it.
//
// All functions may be called from one other thread, the drawing thread. They return at once, except the destructor.
// Commands take effect between two steps, in the order of the calls.
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
#include "sim/api/saved_session.h"
#include "sim/snapshot/exchange.h"
#include "sim/snapshot/timeline.h"
#include "sim/world/equilibrium.h"

namespace vw::api {

/// Receives every snapshot, for consumers that must not miss any (a video paced by simulated time, CSV). `offer` is
/// called on the simulation thread: first with the state at the time when the sink is set, then after every step and
/// reset. `offer` may block to slow the simulation down. It must return at once when `stop_requested` becomes true,
/// which happens when another sink is set or the run ends.
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

/// Scene of the moment to which a run has gone.
struct SceneOfMoment {
  Node scene;
  std::vector<std::string> waiting;  ///< paths of parameters whose edits take effect at the next reset
};

/// Result of LiveRun::change_or_restart().
struct ChangeOutcome {
  bool restarted = false;
  std::string reason;  ///< reason for a restart of the world; empty if it did not restart
};

/// A branch with its path from the start of the session, for a FollowingRun that repeats the branch.
struct SharedBranch {
  Journal journal;  ///< from the start of the session to the end of the branch
  /// Branches and keyframes of the run. The FollowingRun starts where the shared branch separates from the present
  /// branch of the run.
  std::shared_ptr<RestoredHistory> history;
};

class LiveRun {
 public:
  enum class Start { paused, running };
  /// Takes over a run and starts the simulation thread. The recorded history begins at the present moment of the run.
  explicit LiveRun(Run run, Start start = Start::paused, HistoryLimits limits = {});
  /// Takes over a session opened from a file, with all its branches, and goes to the moment that was shown last.
  explicit LiveRun(OpenedSession session, Start start = Start::paused, HistoryLimits limits = {});
  ~LiveRun();  ///< stops the simulation thread, waits for its end and closes the journal
  LiveRun(const LiveRun&) = delete;
  LiveRun& operator=(const LiveRun&) = delete;

  // ---- Time ----

  void set_paused(bool paused);
  void single_step(int steps = 1);  ///< only effective while paused
  void set_speed(double factor);    ///< simulated seconds per wall second; sent as a command that sets world.speed
  /// Sets a time since the start of the session [s] beyond which playback does not continue, so that another run can
  /// keep up. Single steps and seeks are not limited. Infinity removes the limit.
  void hold_after(double elapsed_s);

  // ---- Past moments and branches ----
  //
  // Any moment of the run can be reached again, bit for bit. From a past moment, the run repeats the recorded steps and
  // commands up to the end of the branch, and then takes new steps. A command at a past moment begins a new branch; the
  // old branch keeps the recorded steps after this moment. Snapshot::place contains the branch and tick of a snapshot.

  /// Goes to a step of a branch, after the commands at this step. A later call replaces a seek in progress. During the
  /// seek, intermediate pictures are published, and commands wait until the target is reached.
  void seek(std::uint32_t branch, std::uint64_t tick);
  /// Goes to the step of a branch that is nearest to a time since the start of the session [s].
  void seek_time(std::uint32_t branch, double elapsed_s);
  /// Goes back by a number of steps along the present branch.
  void step_back(int steps = 1);
  /// Ends a seek at the moment reached so far.
  void stop_seeking();
  void rename_branch(std::uint32_t branch, std::string name);
  /// Makes a branch the main line of the timeline.
  void promote_branch(std::uint32_t branch);
  /// Removes a branch and all branches that begin in it. If the run is in one of them, it goes to the moment at which
  /// the removed branch begins. The first branch cannot be removed; take_messages() then returns an error.
  void remove_branch(std::uint32_t branch);
  /// Names the present moment. The name replaces any earlier name of this moment.
  void add_bookmark(std::string name);
  void remove_bookmark(std::uint32_t branch, std::uint64_t tick);
  /// Returns the newest timeline, which is updated a few times per second. The result is never null.
  [[nodiscard]] std::shared_ptr<const Timeline> timeline();
  /// After the run has gone to another moment, returns the scene of that moment if it differs from the previous scene.
  /// The scene is returned only when all submitted commands have been applied. The window must then show it.
  [[nodiscard]] std::optional<SceneOfMoment> take_scene();

  // ---- Commands and results ----

  /// Applies a command at the next step boundary and records it in the journal. Errors are returned by take_messages().
  void submit(Command command);
  /// Applies a change of nodes at the next step boundary. The callback `done` runs on the simulation thread and
  /// receives the outcome. After an error the world is unchanged.
  void change(ChangeNodes command, std::function<void(Result<void>)> done);
  /// Works as change(), but if the present state does not allow the change, the world restarts from the changed scene
  /// (ChangeNodes::resets). The run up to the restart stays in the timeline.
  void change_or_restart(ChangeNodes command, std::function<void(Result<ChangeOutcome>)> done);
  /// Saves asynchronously at the next step boundary. The callback `done` runs on the simulation thread. If the run ends
  /// first, the file is saved before that thread ends.
  void save_checkpoint(std::string path, std::function<void(Result<void>)> done);
  void save_journal(std::string path, std::function<void(Result<void>)> done);
  /// Saves the session with all branches as a session file. Keyframes take at most `limit_bytes`. Without keyframes the
  /// file is small, but moments are recomputed when the session is opened. The callback `done` runs on a thread that
  /// belongs to the run. If the run ends first, the file is saved before the destructor returns.
  void save_session(std::string path, std::uint64_t limit_bytes, std::function<void(Result<void>)> done);
  /// Sets the view and the plots that are saved in session files, as display_text() returns them.
  void set_display(std::string display);
  /// Passes the journal from the start of the session to the present moment to `done`. The journal ends with a hash of
  /// the state. `done` runs on the simulation thread. If the run ends first, `done` is called before that thread ends.
  void journal(std::function<void(Journal)> done);
  /// Passes the journal from the start of the session to the end of a branch to `done`. The journal has no hash at its
  /// end. If the branch is unknown, the present branch is used. `done` is called as in journal().
  void branch_journal(std::uint32_t branch, std::function<void(Journal)> done);
  /// Passes the path of a branch and the keyframes of this run to `done`, for a second run. If the branch is unknown,
  /// the present branch is used. `done` is called as in journal().
  void share_branch(std::uint32_t branch, std::function<void(SharedBranch)> done);
  /// Returns the state from which a resumed run began, or null for a run that began at the start of its scene.
  [[nodiscard]] std::shared_ptr<const Checkpoint> start() const;

  // ---- Snapshots ----

  /// Sets the data that snapshots contain beyond their usual contents. See Run::subscribe().
  void subscribe(SnapshotRequest wanted);
  void set_sink(std::shared_ptr<SnapshotSink> sink);  ///< null removes the sink; takes effect before the next step
  /// Sets a second consumer that receives every snapshot and never blocks (plots). Null removes it.
  void set_watcher(std::shared_ptr<SnapshotSink> watcher);
  /// Makes the newest published snapshot available to newest(). Returns false if there is no new snapshot. See
  /// Exchange.
  bool acquire() { return exchange_.acquire(); }
  [[nodiscard]] const Snapshot& newest() const { return exchange_.newest(); }
  [[nodiscard]] const Snapshot& previous() const { return exchange_.previous(); }

  // ---- Static equilibrium ----

  [[nodiscard]] SettleProgress settle_progress() const;
  /// Stops a submitted Settle command. The command ends with an error, and the body does not move.
  void stop_settling();
  /// Returns the result of the last Settle command. Each result is returned only once.
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
