#include "app/window/results/comparison_show.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

namespace vw {
namespace {

/// Limits [s of simulated time]. They are multiplied by the playback speed if it exceeds 1. A waits when it is `lead_s`
/// or three steps ahead of B, whichever is longer. If the times of the compared snapshots and of the newest snapshot of
/// A differ by more than `together_s`, the newest snapshots are shown instead.
constexpr double lead_s = 0.1, together_s = 0.25;
/// Shortest wall time between two fetches of the journal of A.
constexpr std::chrono::milliseconds journal_interval{250};

bool is_plot(const Node& scene, const Node& child) { return scene.schema->slots[child.slot].name == "plot"; }

}  // namespace

std::unique_ptr<api::FollowingRun> ComparisonShow::begin(ComparedSubject subject) {
  std::unique_ptr<api::FollowingRun> former = end();
  subject_ = std::move(subject);
  return former;
}

std::unique_ptr<api::FollowingRun> ComparisonShow::end() {
  subject_.reset();
  ++number_;
  journal_ = {};
  branch_ = {};
  parted_from_.reset();
  observer_.reset();
  plots_ = {};
  plot_nodes_.clear();
  first_plots_ = nullptr;
  scene_.reset();
  progress_ = {};
  asked_ = a_ = b_ = {};
  is_asked_ = is_together_ = has_difference_ = false;
  difference_ = {};
  ++revision_;
  return std::move(run_);
}

void ComparisonShow::subscribe(const SnapshotRequest& wanted) {
  request_ = wanted;
  if (run_ != nullptr) run_->subscribe(wanted);
}

void ComparisonShow::watch_plots(const Node& scene, const PlotShow& plots) {
  if (!is_active()) return;
  plot_nodes_.clear();
  for (const Node& child : scene.children)
    if (is_plot(scene, child)) plot_nodes_.push_back(child);
  first_plots_ = &plots;
  measure_plots();
}

/// Compiles the plots of the document for the scene of B, once that scene is known.
void ComparisonShow::measure_plots() {
  if (scene_ == nullptr || first_plots_ == nullptr) return;
  Node scene = *scene_;
  std::erase_if(scene.children, [&](const Node& child) { return is_plot(scene, child); });
  for (const Node& plot : plot_nodes_)
    scene.children.insert(std::ranges::upper_bound(scene.children, plot.slot, {}, &Node::slot), plot);
  auto observer = plots_.measure_as(scene, *first_plots_);
  if (observer == nullptr) return;
  observer_ = std::move(observer);
  run_->set_watcher(observer_);
}

/// Compiles the plots again if the scene of B has changed, because formulas may contain its values.
void ComparisonShow::take_scene() {
  auto newest = run_->scene();
  if (newest == scene_) return;
  scene_ = std::move(newest);
  measure_plots();
}

void ComparisonShow::ask_for_journal(api::LiveRun& first) {
  auto promise = std::make_shared<std::promise<Journal>>();
  journal_ = promise->get_future();
  first.branch_journal(fetched_branch_, [promise](Journal journal) { promise->set_value(std::move(journal)); });
}

void ComparisonShow::begin_run(api::FollowedSession session) {
  run_ = std::make_unique<api::FollowingRun>(std::move(session));
  run_->subscribe(request_);
}

/// Creates B once the session that it repeats is known.
void ComparisonShow::take_session(api::LiveRun& first, const Snapshot& now) {
  if (subject_->session == nullptr && !subject_->branch) return take_journal(first, now);
  if (run_ != nullptr) return;
  if (subject_->session != nullptr) return begin_run(*subject_->session);
  take_branch(first, now);
}

void ComparisonShow::take_branch(api::LiveRun& first, const Snapshot& now) {
  if (!branch_.valid()) {
    parted_from_ = now.place.branch;
    auto promise = std::make_shared<std::promise<api::SharedBranch>>();
    branch_ = promise->get_future();
    first.share_branch(*subject_->branch,
                       [promise](api::SharedBranch shared) { promise->set_value(std::move(shared)); });
  }
  if (branch_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
  api::SharedBranch shared = branch_.get();
  begin_run({.journal = std::move(shared.journal), .start = first.start(), .history = std::move(shared.history)});
}

/// Creates B once the journal of A has arrived, and gives B the later commands of A.
void ComparisonShow::take_journal(api::LiveRun& first, const Snapshot& now) {
  if (!journal_.valid()) {
    const bool is_new = fetched_branch_ != now.place.branch || now.commands > fetched_commands_;
    const bool is_due = is_new && std::chrono::steady_clock::now() - fetched_at_ >= journal_interval;
    if (run_ != nullptr && !is_due) return;
    fetched_branch_ = now.place.branch;
    fetched_commands_ = now.commands;
    fetched_at_ = std::chrono::steady_clock::now();
    ask_for_journal(first);
  }
  if (journal_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
  api::FollowedSession session{
      .journal = journal_.get(), .start = first.start(), .values = subject_->values, .dt_s = now.dt_s};
  if (run_ != nullptr) return run_->repeat(std::move(session));
  begin_run(std::move(session));
}

void ComparisonShow::ask_for(const Snapshot& now) {
  asked_ = now;
  is_asked_ = true;
  run_->follow(now.place.elapsed_s);
}

/// Whether the newest snapshot of B shows the last step of B up to the time that follow() requested.
bool ComparisonShow::is_answered() const {
  const Snapshot& b = run_->newest();
  const double apart = asked_.place.elapsed_s - b.place.elapsed_s;
  constexpr double slack = 1e-3;
  return b.sequence > 0 && apart < (1 - slack) * b.dt_s && apart > -slack * b.dt_s;
}

void ComparisonShow::take_pair() {
  std::swap(a_, asked_);
  asked_.place = a_.place;
  b_ = run_->newest();
  is_asked_ = false;
  measure_difference();
}

void ComparisonShow::measure_difference() {
  has_difference_ = shows_difference;
  difference_ = shows_difference ? add_pair_difference(a_, b_) : PairDifference{};
  ++revision_;
}

void ComparisonShow::update(api::LiveRun& first, const Snapshot& now) {
  if (!is_active()) return;
  take_session(first, now);
  if (run_ == nullptr) return;
  take_scene();
  const double scale = std::max(1.0, now.asked_speed), lead = std::max(scale * lead_s, 3 * now.dt_s);
  const bool is_new = run_->acquire();
  progress_ = run_->progress();
  first.hold_after(progress_.failure.empty() ? progress_.elapsed_s + lead : std::numeric_limits<double>::infinity());
  if (run_->newest().sequence > 0) plots_.update(run_->newest());
  if (is_asked_ && is_answered()) take_pair();
  const bool is_far = std::abs(now.place.elapsed_s - asked_.place.elapsed_s) > lead;
  const bool is_newer = now.sequence != (is_asked_ ? asked_.sequence : a_.sequence);
  // No time is requested from B before its plots are measured, so that their curves are complete.
  if (scene_ != nullptr && is_newer && (!is_asked_ || is_far)) ask_for(now);
  const bool was_together = std::exchange(
      is_together_, a_.sequence > 0 && std::abs(now.place.elapsed_s - a_.place.elapsed_s) <= together_s * scale &&
                        a_.parts_number() == now.parts_number());
  if (is_new && run_->newest().sequence != b_.sequence) {
    // The new snapshot has another time (B has not reached the requested time), or the same time with other data.
    const bool is_same_time = run_->newest().place.elapsed_s == b_.place.elapsed_s;
    if (!is_together_ || is_same_time) b_ = run_->newest(), has_difference_ = false, ++revision_;
  }
  if (was_together != is_together_) ++revision_;
  if (is_together_ && has_difference_ != shows_difference) measure_difference();
}

}  // namespace vw
