// A second run that follows the time of a first one, for comparisons side by side. On its own thread, it repeats the
// commands of a session, if wanted with other values of some parameters. It never steps beyond the time that was last
// given to follow(), and goes back when this time goes back. This file is part of the library's stable interface: a
// function that is declared here keeps its meaning, and later versions only add to it.
//
// Every function may be called from one other thread, the drawing thread. All functions except the destructor return at
// once.
//
//   api::FollowingRun other({.journal = journal, .values = {{"world.gravity", Vec3(0, -1.62, 0)}}});
//   other.follow(first.newest().place.elapsed_s);
//   if (other.acquire()) draw(other.newest());
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/api/live_run.h"

namespace vw::api {

/// The session that a following run repeats.
struct FollowedSession {
  /// Scene and commands from the start of the session. Hashes are ignored. After the last command the run goes on
  /// without commands.
  Journal journal;
  std::shared_ptr<const Checkpoint> start = {};  ///< state from which a resumed session began, or null
  /// Values that replace those of the session from its start. Commands of the session to these paths are left out.
  std::vector<SetParameter> values = {};
  /// Step length [s] of the session, in whose steps the ticks of the journal count; 0 means that of this run. If this
  /// run has another step length, commands are applied at the nearest step.
  double dt_s = 0;
  /// Branches and keyframes of the session (LiveRun::share_branch(), OpenedSession::history), or null. With them, the
  /// run repeats the branch of the moment RestoredHistory::present, begins at the last keyframe before this moment, and
  /// uses keyframes to reach other moments of the branch. `values` must then be empty, and `journal` must be the
  /// journal of the branch.
  std::shared_ptr<const RestoredHistory> history = {};
};

/// State of a following run.
struct FollowProgress {
  bool is_built = false;           ///< whether the world has been built; the first snapshot follows
  bool is_behind = true;           ///< whether the run has not yet reached the given time
  double elapsed_s = 0;            ///< time since the start of the session that was reached [s]
  std::string failure = {};        ///< sentence on why the run cannot go on at this time; empty if it can
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

  /// Sets the time [s] since the start of the session that the run must reach. It stops at the last step not later.
  void follow(double elapsed_s);
  /// Replaces the session, for example because the first run received a command. The run goes back to the first
  /// command that differs or, if that is not possible, starts again.
  void repeat(FollowedSession session);
  /// Sets the data that snapshots hold beyond their usual contents. See Run::subscribe().
  void subscribe(SnapshotRequest wanted);
  /// Sets a consumer that receives every snapshot and never blocks (plots). Null removes it. See SnapshotSink.
  void set_watcher(std::shared_ptr<SnapshotSink> watcher);
  /// Makes the newest published snapshot available to newest(). Returns false if there is no new one. See Exchange.
  bool acquire() { return exchange_.acquire(); }
  [[nodiscard]] const Snapshot& newest() const { return exchange_.newest(); }
  [[nodiscard]] FollowProgress progress() const;
  /// Returns the scene of the run with every edit, as of the newest snapshot or shortly after it. Null before the first
  /// snapshot.
  [[nodiscard]] std::shared_ptr<const Node> scene() const;

 private:
  Exchange<Snapshot> exchange_;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vw::api
