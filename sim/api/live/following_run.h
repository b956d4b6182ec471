// A second run that follows the time of a first run, for comparisons side by side. The second run repeats the commands
// of a session on its own thread, with other values of some parameters if desired. It never steps beyond the time last
// given to follow(), and goes back when this time goes back. This file is part of the library's stable interface: a
// function that is declared here keeps its meaning, and later versions only add to it.
//
// All functions may be called from one other thread, the drawing thread. They return at once, except the destructor.
//
//   api::FollowingRun other({.journal = journal, .values = {{"world.gravity", Vec3(0, -1.62, 0)}}});
//   other.follow(first.newest().place.elapsed_s);
//   if (other.acquire()) draw(other.newest());
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/api/live/live_run.h"

namespace vw::api {

/// The session that a following run repeats.
struct FollowedSession {
  /// Scene and commands from the start of the session. Hashes are ignored. After the last command, the run continues
  /// without commands.
  Journal journal;
  std::shared_ptr<const Checkpoint> start = {};  ///< state from which a resumed session began, or null
  /// Values that replace the values of the session from its start. Commands of the session that set these parameters
  /// are left out. The paths contain the names that nodes have after all renamings in `journal`.
  std::vector<SetParameter> values = {};
  /// Step length [s] in which the ticks of the journal count. 0 means the step length of this run. If this run has
  /// another step length, each command is applied at the step nearest to its time.
  double dt_s = 0;
  /// Branches and keyframes of the session (LiveRun::share_branch(), OpenedSession::history), or null. If given, the
  /// run repeats the branch of RestoredHistory::present, starts at the last keyframe before that moment, and uses
  /// keyframes to reach other moments of the branch. `values` must then be empty, and `journal` must be the journal of
  /// the branch.
  std::shared_ptr<const RestoredHistory> history = {};
};

/// State of a following run.
struct FollowProgress {
  bool is_built = false;           ///< whether the world has been built; the first snapshot is published afterwards
  bool is_behind = true;           ///< whether the run has not yet reached the time given to follow()
  double elapsed_s = 0;            ///< time that the run has reached, since the start of the session [s]
  std::string failure = {};        ///< sentence on why the run cannot continue at this time; empty if it can
  std::size_t refused = 0;         ///< number of commands that this run could not apply and skipped
  std::string first_refused = {};  ///< sentence on the first command that was skipped
};

class FollowingRun {
 public:
  /// Starts a thread that builds the world of the session. progress() reports errors.
  explicit FollowingRun(FollowedSession session, HistoryLimits limits = {.memory_bytes = std::uint64_t{256} << 20});
  ~FollowingRun();  ///< stops the thread and waits for its end
  FollowingRun(const FollowingRun&) = delete;
  FollowingRun& operator=(const FollowingRun&) = delete;

  /// Sets the time since the start of the session [s] that the run must reach. The run stops at the last step that is
  /// not later.
  void follow(double elapsed_s);
  /// Replaces the session, for example because the first run received a command. The run goes back to the first
  /// command that differs or, if that is not possible, starts again.
  void repeat(FollowedSession session);
  /// Sets the data that snapshots contain beyond their usual contents. See Run::subscribe().
  void subscribe(SnapshotRequest wanted);
  /// Sets a consumer that receives every snapshot and never blocks (plots). Null removes it. See SnapshotSink.
  void set_watcher(std::shared_ptr<SnapshotSink> watcher);
  /// Makes the newest published snapshot available to newest(). Returns false if there is no new snapshot. See
  /// Exchange.
  bool acquire() { return exchange_.acquire(); }
  [[nodiscard]] const Snapshot& newest() const { return exchange_.newest(); }
  [[nodiscard]] FollowProgress progress() const;
  /// Returns the scene of the run with every edit, as of the newest snapshot or shortly after it. The result is null
  /// before the first snapshot.
  [[nodiscard]] std::shared_ptr<const Node> scene() const;

 private:
  Exchange<Snapshot> exchange_;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vw::api
