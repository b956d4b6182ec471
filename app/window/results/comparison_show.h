// Comparison of the displayed run, A, with a second run, B, at equal times. B is another branch, the same session with
// other values, or another session. Use on the drawing thread only.
#pragma once

#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/window/results/pair_difference.h"
#include "app/window/results/plot_show.h"
#include "sim/api/live/following_run.h"

namespace vw {

/// The run B of a comparison.
struct ComparedSubject {
  std::string name;  ///< display name of B
  /// Branch that B repeats. B begins at a keyframe before the moment at which this branch separates from the branch of
  /// A. If there is no value, B repeats the path of A's present branch from its start, with `values`.
  std::optional<std::uint32_t> branch = {};
  std::vector<SetParameter> values = {};  ///< values that B has instead of those of A
  /// If not null, B repeats this session of another scene instead of the session of A.
  std::shared_ptr<const api::FollowedSession> session = {};
};

class ComparisonShow {
 public:
  enum class Arrangement { side_by_side, ghost };
  // Choices of the user, which remain valid for the next comparison.
  Arrangement arrangement = Arrangement::side_by_side;
  bool shows_difference = false;  ///< whether the colour of an element shows its distance between A and B
  bool plots_difference = false;  ///< whether plots show A - B in place of A and B
  double ghost_percent = 50;      ///< opacity of B over A [%]

  /// Begins a comparison in place of an earlier one. Returns the earlier second run, which may take long to destroy.
  [[nodiscard]] std::unique_ptr<api::FollowingRun> begin(ComparedSubject subject);
  /// Ends the comparison. Returns the second run, which may take long to destroy.
  [[nodiscard]] std::unique_ptr<api::FollowingRun> end();
  [[nodiscard]] bool is_active() const { return subject_.has_value(); }
  /// Number of comparisons that were begun or ended so far, which identifies the present one.
  [[nodiscard]] std::uint64_t number() const { return number_; }
  /// Requires a comparison.
  [[nodiscard]] const ComparedSubject& subject() const { return *subject_; }

  /// Makes B advance to the time of `now`, a snapshot of A. Unless a video is recorded, `now` is the newest snapshot of
  /// A. Call this function at least once per frame.
  void update(api::LiveRun& first, const Snapshot& now);
  /// Whether a() is this snapshot of A, and b() has the same time.
  [[nodiscard]] bool shows(const Snapshot& of_a) const {
    return is_together_ && !is_asked_ && a_.sequence == of_a.sequence;
  }
  /// Sets the data that the snapshots of B contain. See Run::subscribe().
  void subscribe(const SnapshotRequest& wanted);
  /// Measures the plots of A in B too. `plots` are the plots of A and must exist until the end of the comparison.
  /// `scene` is the document, whose plots replace those of the scene of B; all other values in formulas are those of B.
  void watch_plots(const Node& scene, const PlotShow& plots);

  /// Whether a snapshot of B exists.
  [[nodiscard]] bool has_picture() const { return b_.sequence > 0; }
  /// Whether a() and b() have the same time, near that of the newest snapshot of A. Otherwise A is to be shown alone.
  [[nodiscard]] bool is_together() const { return is_together_; }
  [[nodiscard]] const Snapshot& a() const { return a_; }
  [[nodiscard]] const Snapshot& b() const { return b_; }
  /// Changes whenever a() or b() has changed.
  [[nodiscard]] std::uint64_t revision() const { return revision_; }
  /// Difference of a() and b(). Only meaningful if is_together() and shows_difference.
  [[nodiscard]] const PairDifference& difference() const { return difference_; }
  [[nodiscard]] const api::FollowProgress& progress() const { return progress_; }
  /// Time since the start of the session that B is to reach [s].
  [[nodiscard]] double wanted_s() const { return asked_.place.elapsed_s; }
  [[nodiscard]] const PlotShow& plots() const { return plots_; }
  /// Whether A and B are the same run before the first moment of B, because B is another branch of A's
  /// session.
  [[nodiscard]] bool shares_beginning() const { return parted_from_ && *parted_from_ == a_.place.branch; }

 private:
  void take_session(api::LiveRun& first, const Snapshot& now);
  void begin_run(api::FollowedSession session);
  void take_branch(api::LiveRun& first, const Snapshot& now);
  void take_journal(api::LiveRun& first, const Snapshot& now);
  void take_scene();
  void measure_plots();
  void ask_for_journal(api::LiveRun& first);
  void ask_for(const Snapshot& now);
  [[nodiscard]] bool is_answered() const;
  void take_pair();
  void measure_difference();

  std::optional<ComparedSubject> subject_;
  std::unique_ptr<api::FollowingRun> run_;
  std::future<Journal> journal_;
  std::future<api::SharedBranch> branch_;
  std::optional<std::uint32_t> parted_from_;  ///< branch of A when B was begun as another branch
  /// Branch of A and number of commands for which the journal was fetched last, and wall time of this fetch.
  std::uint32_t fetched_branch_ = 0;
  std::uint64_t fetched_commands_ = 0;
  std::chrono::steady_clock::time_point fetched_at_;
  SnapshotRequest request_;
  std::shared_ptr<PlotObserver> observer_;
  PlotShow plots_;
  const PlotShow* first_plots_ = nullptr;  ///< plots of A
  std::vector<Node> plot_nodes_;           ///< plots of the document
  std::shared_ptr<const Node> scene_;      ///< scene of B
  api::FollowProgress progress_;
  Snapshot asked_;         ///< snapshot of A whose time B is to reach
  bool is_asked_ = false;  ///< whether B has not reached that time yet
  Snapshot a_, b_;
  bool is_together_ = false, has_difference_ = false;
  std::uint64_t revision_ = 0, number_ = 0;
  PairDifference difference_;
};

}  // namespace vw
