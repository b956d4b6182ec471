// The history of a running session. Steps and commands at the end of a branch are recorded. A past moment is computed
// again, bit for bit, from the nearest keyframe and the recorded steps and commands. A command at a past moment begins
// a new branch; the old branch keeps the recorded future.
//
// All functions must be called on one thread, the simulation thread. After a call of seek(), the caller must call
// continue_seek() until it returns false. Between these calls, the caller may do other work, or call seek() with
// another moment.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/history/branch_tree.h"
#include "sim/history/keyframe_store.h"
#include "sim/history/session_file.h"
#include "sim/history/session_recorder.h"
#include "sim/world/session.h"

namespace vw {

/// History that was read from a file and checked, or that a run shares with another run (RunHistory::share()).
struct RestoredHistory {
  BranchTree tree;
  RunMoment present;  ///< moment that was shown last; for a shared history, the moment at which the second run begins
  std::vector<JournalEntry> earlier;  ///< commands and hashes before the first moment of the tree
  std::string display;                ///< view and plots in TOML; empty if unknown
  std::vector<SavedKeyframe> keyframes;
  std::shared_ptr<const SessionKeyframes> file;
  std::shared_ptr<const KeyframeSource> source = {};  ///< keyframes of a shared history, instead of `file`
};

class RunHistory {
 public:
  /// Begins the history of a session, which must outlive the history. Steps that the session has already taken are not
  /// in the history.
  explicit RunHistory(Session& session, HistoryLimits limits = {});
  /// Continues a history from a file. The session must be at its start, or at the first moment of the tree. Before the
  /// caller calls any other function that changes the history, it must go to a moment with seek().
  RunHistory(Session& session, HistoryLimits limits, RestoredHistory restored);
  ~RunHistory();
  RunHistory(const RunHistory&) = delete;
  RunHistory& operator=(const RunHistory&) = delete;

  [[nodiscard]] const BranchTree& tree() const { return tree_; }
  [[nodiscard]] const KeyframeStore& keyframes() const { return *store_; }
  [[nodiscard]] const RunMoment& now() const { return now_; }
  /// Returns whether the present moment is the last moment of its branch, so that step() computes a new step.
  [[nodiscard]] bool at_end() const { return now_ == tree_.end(now_.branch); }
  /// Returns the number of the run that began with the last reset before the present moment (BranchTree::run_number).
  [[nodiscard]] std::uint64_t run_number() const { return run_number_; }
  [[nodiscard]] double elapsed_s() const { return tree_.elapsed_s(now_.branch, now_.tick); }

  // ---- Stepping ----

  /// Applies a command. At a past moment, an accepted command begins a branch. The playback speed (world.speed) is an
  /// exception: it does not belong to recorded moments, so setting it begins no branch, and seek() keeps it.
  [[nodiscard]] Result<void> apply(const Command& command);
  /// Takes one step. At a past moment, this is the recorded step with its commands; at the end of a branch, it is a new
  /// step. Returns false if a health check stops the world, or if a recorded command cannot be repeated (see
  /// take_messages()).
  bool step();

  // ---- Seeking ----

  /// Starts a seek to a moment: returns to the nearest keyframe before the moment, unless the present moment is a
  /// nearer start. The target is clamped to the path of the branch. continue_seek() then takes the steps.
  [[nodiscard]] Result<void> seek(RunMoment target);
  /// Takes one recorded step towards the target. Returns false if the target is reached, or if an error ended the seek
  /// (see take_messages()).
  bool continue_seek();
  [[nodiscard]] bool is_seeking() const { return target_.has_value(); }
  /// Returns the number of steps that remain until the target.
  [[nodiscard]] std::uint64_t remaining_steps() const { return target_ ? target_->tick - now_.tick : 0; }
  void stop_seeking() { target_.reset(); }

  /// Updates the session's journal to the present moment. Must be called after a seek() or a recorded step before the
  /// journal is read.
  [[nodiscard]] Result<void> update_journal();
  /// Returns the commands and hashes of the path of a branch, from the start of the session to the end of the branch.
  [[nodiscard]] std::vector<JournalEntry> journal_entries(BranchNumber branch) const;

  // ---- Files ----

  /// Writes all changes since the last call to the file HistoryLimits::recording, if such a file is set.
  void update_recording();
  /// Sets the view and the plots that session files contain, as a scene in TOML with these nodes.
  void set_display(std::string display);
  /// Returns a function that writes the session to a file, with at most `limit_bytes` of keyframes. The function may be
  /// called on another thread while the history continues, but not after the destruction of the history.
  [[nodiscard]] std::function<Result<void>()> saver(const std::string& path, std::uint64_t limit_bytes) const;

  /// Returns the present history for a second run of the session. The second run begins where the path of `branch`
  /// separates from that of the present branch. It reads the keyframes of this history unless they have been thinned
  /// out. The keyframes may be read on another thread, even after the destruction of this history.
  [[nodiscard]] RestoredHistory share(BranchNumber branch) const;
  /// Returns the time [s] since the start of the session of the keyframe from which `target` would be computed.
  [[nodiscard]] std::optional<double> keyframe_before_s(const RunMoment& target) const;

  // ---- Branches ----

  Result<void> rename(BranchNumber branch, std::string name) { return tree_.rename(branch, std::move(name)); }
  Result<void> promote(BranchNumber branch) { return tree_.promote(branch); }
  /// Removes a branch and all branches that begin in it. If the present moment lies in one of them, starts a seek() to
  /// the moment at which `branch` begins.
  [[nodiscard]] Result<void> remove(BranchNumber branch);
  Result<void> add_bookmark(Bookmark bookmark) { return tree_.add_bookmark(now_.branch, std::move(bookmark)); }
  Result<void> remove_bookmark(BranchNumber branch, std::uint64_t tick) { return tree_.remove_bookmark(branch, tick); }

  /// Returns the messages for the user since the last call, one sentence each: recorded steps or commands whose result
  /// differs from the recording, and errors of the journal.
  [[nodiscard]] std::vector<std::string> take_messages();
  /// Waits until all keyframes are packed, for tests and measurements.
  void wait_until_packed() { store_->wait_until_packed(); }
  /// Returns the wall time spent on keyframes on the simulation thread [s].
  [[nodiscard]] double keyframe_wall_s() const { return keyframe_wall_s_; }

 private:
  [[nodiscard]] std::optional<KeyframeInfo> nearest_keyframe(RunMoment target) const;
  Result<void> restore(const KeyframeInfo& keyframe, BranchNumber branch);
  /// Returns whether the tree's scene of the moment of a keyframe lacks the values that actuators drove.
  [[nodiscard]] bool lacks_driven(const KeyframeInfo& keyframe) const;
  /// Applies the recorded commands of the present tick until `until` commands of the path have been applied.
  bool apply_recorded(std::uint64_t until);
  bool recorded_step();
  bool new_step();
  void keyframe_if_due(double step_wall_s);
  void store_keyframe();
  void check_hash();
  [[nodiscard]] SessionStart session_start() const;
  void begin_recording();
  void note(std::string message);

  Session& session_;
  BranchTree tree_;
  std::vector<JournalEntry> earlier_;  ///< journal of the session before the first moment of the history
  const HistoryLimits limits_;
  std::string display_;
  std::vector<std::string> messages_;
  std::unique_ptr<SessionRecorder> recorder_;  ///< null if the session is not recorded to a file
  std::shared_ptr<KeyframeStore> store_;
  RunMoment now_;
  /// Whether a keyframe could not be restored, so that the world is not at the moment `now_`. When another keyframe is
  /// restored, the value becomes false again.
  bool is_lost_ = false;
  std::optional<RunMoment> target_;
  bool journal_is_behind_ = false;
  std::uint64_t run_number_ = 0;
  std::optional<double> speed_;
  StateBlock scratch_;
  double last_keyframe_s_ = 0;  ///< elapsed time of the session at the last keyframe [s]
  double work_s_ = 0;           ///< wall time of steps since the last keyframe [s]
  /// Wall times of the last keyframes, and their lower median [s], which is the expected cost of the next keyframe. The
  /// median ignores a single slow copy, so that an interruption by another process does not delay the next keyframe.
  std::vector<double> last_costs_s_;
  double keyframe_cost_s_ = 0;
  double keyframe_wall_s_ = 0;
};

}  // namespace vw
