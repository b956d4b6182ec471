#include "sim/history/run_history.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

#include <fmt/format.h>

namespace vw {
namespace {

using Wall = std::chrono::steady_clock;
double seconds_from(Wall::time_point start) { return std::chrono::duration<double>(Wall::now() - start).count(); }

/// Shortest simulated time between two keyframes [s].
constexpr double keyframe_interval_s = 0.1;
/// Largest fraction of the wall time of steps that keyframes may take.
constexpr double keyframe_share = 0.02;
/// Number of past keyframes from whose costs the expected cost of the next keyframe is computed.
constexpr std::size_t remembered_costs = 5;
constexpr std::size_t message_limit = 20;
constexpr int load_attempts = 3;
constexpr const char* lost_sentence = "the state of this moment cannot be restored; go to another moment";

}  // namespace

RunHistory::RunHistory(Session& session, HistoryLimits limits)
    : RunHistory(session, std::move(limits),
                 {.tree = BranchTree(session.world().scene_version(), session.world().dt(),
                                     {0, session.tick(), session.command_count()}, session.simulated_s()),
                  .present = {0, session.tick(), session.command_count()},
                  .earlier = session.journal().entries,
                  .display = {},
                  .keyframes = {},
                  .file = nullptr}) {}

RunHistory::~RunHistory() { store_->finish(); }

RunHistory::RunHistory(Session& session, HistoryLimits limits, RestoredHistory restored)
    : session_(session),
      tree_(std::move(restored.tree)),
      earlier_(std::move(restored.earlier)),
      limits_(std::move(limits)),
      display_(std::move(restored.display)),
      store_(std::make_shared<KeyframeStore>(limits_,
                                             [this](const KeyframeInfo& keyframe, std::span<const std::byte> packed) {
                                               if (recorder_ != nullptr) recorder_->add_keyframe(keyframe, packed);
                                             })),
      now_(tree_.start()) {
  begin_recording();
  store_->attach(restored.source != nullptr ? restored.source : restored.file, restored.keyframes);
  if (recorder_ != nullptr && restored.file != nullptr)
    recorder_->copy_keyframes(std::move(restored.file), std::move(restored.keyframes));
  if (session_.tick() == now_.tick && session_.command_count() == now_.commands) {
    store_keyframe();
    return;
  }
  // The session is at its start, but the tree begins at a later moment. The first keyframe contains the state of that
  // moment.
  const auto first = nearest_keyframe(now_);
  auto reached = first ? restore(*first, now_.branch) : Result<void>(fail("its first keyframe is missing"));
  if (reached) return;
  is_lost_ = true;
  note("the start of the session cannot be restored: " + reached.error().message());
}

std::vector<std::string> RunHistory::take_messages() {
  if (recorder_ != nullptr)
    if (auto error = recorder_->take_error()) note(error->message());
  return std::exchange(messages_, {});
}

void RunHistory::note(std::string message) {
  if (messages_.size() < message_limit) messages_.push_back(std::move(message));
}

// ---- Stepping -------------------------------------------------------------------------------------------------------

Result<void> RunHistory::update_journal() {
  if (!journal_is_behind_) return {};
  std::vector<JournalEntry> entries = earlier_;
  const std::vector<JournalEntry> more = tree_.journal_entries(now_);
  entries.insert(entries.end(), more.begin(), more.end());
  auto good = session_.continue_journal(std::move(entries), now_.tick, elapsed_s());
  journal_is_behind_ = false;
  return good;
}

std::vector<JournalEntry> RunHistory::journal_entries(BranchNumber branch) const {
  std::vector<JournalEntry> entries = earlier_;
  const std::vector<JournalEntry> more = tree_.journal_entries(tree_.end(branch));
  entries.insert(entries.end(), more.begin(), more.end());
  return entries;
}

namespace {

/// Returns whether the command sets the playback speed, which does not belong to recorded moments.
bool sets_speed(const Command& command) {
  const auto* set = std::get_if<SetParameter>(&command);
  return set != nullptr && set->path == "world.speed";
}

}  // namespace

Result<void> RunHistory::apply(const Command& command) {
  target_.reset();
  if (is_lost_) return fail(lost_sentence);
  if (!at_end() && !sets_speed(command) && tree_.branches().size() >= BranchTree::most_branches)
    return fail(fmt::format("the session has {} branches: remove a branch before you begin another one",
                            BranchTree::most_branches));
  const RunMoment before = now_;
  const double time_before = session_.world().time();
  if (auto good = session_.world().apply(command); !good) return good;
  if (sets_speed(command)) {
    speed_ = session_.world().params().speed;
    if (!at_end()) return {};
  }
  if (!at_end()) now_.branch = tree_.fork(before, time_before);
  if (auto good = update_journal(); !good) note(good.error().message());
  session_.record(command);
  tree_.add_command(now_.branch, command);
  ++now_.commands;
  if (restarts_world(command)) run_number_ = tree_.run_number(now_);
  if (changes_scene(command) && tree_.scene_cost(now_) >= BranchTree::scene_cost_limit)
    tree_.add_version(now_.branch, session_.world().scene_version());
  return {};
}

bool RunHistory::step() {
  target_.reset();
  if (is_lost_) {
    note(lost_sentence);
    return false;
  }
  return at_end() ? new_step() : recorded_step();
}

bool RunHistory::new_step() {
  if (auto good = update_journal(); !good) note(good.error().message());
  const auto start = Wall::now();
  const double dt = session_.world().dt();
  if (!session_.step()) {
    tree_.set_failure(now_.branch, session_.world().health().sentence());
    return false;
  }
  tree_.add_step(now_.branch, dt);
  ++now_.tick;
  // The journal of a session from a file may be empty.
  const std::vector<JournalEntry>& entries = session_.journal().entries;
  if (!entries.empty() && entries.back().kind == JournalEntry::Kind::hash && entries.back().tick == now_.tick)
    tree_.add_hash(now_.branch, entries.back());
  keyframe_if_due(seconds_from(start));
  return true;
}

bool RunHistory::apply_recorded(std::uint64_t until) {
  while (now_.commands < until) {
    const BranchTree::Entry& entry = tree_.command(now_.branch, now_.commands);
    if (entry.tick != now_.tick) break;
    const bool keeps_speed = speed_ && sets_speed(entry.command);
    if (auto good = keeps_speed ? Result<void>() : session_.world().apply(entry.command); !good) {
      note(fmt::format("step {}: replay of a recorded command failed: {}", now_.tick, good.error().message()));
      return false;
    }
    ++now_.commands;
    journal_is_behind_ = true;
    if (restarts_world(entry.command)) run_number_ = tree_.run_number(now_);
  }
  return true;
}

bool RunHistory::recorded_step() {
  journal_is_behind_ = true;
  if (!apply_recorded(tree_.end(now_.branch).commands)) return false;
  if (at_end()) return new_step();  // only commands remained to be replayed
  const auto start = Wall::now();
  if (!session_.world().step()) {
    note(fmt::format("replay of a recorded step failed: {}", session_.world().health().sentence()));
    return false;
  }
  ++now_.tick;
  check_hash();
  keyframe_if_due(seconds_from(start));
  return true;
}

/// Compares the state with the hash recorded for the same moment or else with that of a keyframe, if there is one.
void RunHistory::check_hash() {
  const BranchNumber owner = tree_.owner(now_.branch, now_.tick);
  std::optional<std::uint64_t> expected = tree_.hash_at(owner, now_.tick);
  if (!expected)
    if (const auto kept = store_->at(owner, now_.tick)) expected = kept->hash;
  if (!expected || *expected == session_.world().hash()) return;
  note(fmt::format("step {}: replay differs from the recording (state hash)", now_.tick));
}

// ---- Keyframes ------------------------------------------------------------------------------------------------------

void RunHistory::keyframe_if_due(double step_wall_s) {
  work_s_ += step_wall_s;
  const double distance = std::abs(elapsed_s() - last_keyframe_s_);
  if (distance < keyframe_interval_s * (1 - 1e-9) || work_s_ * keyframe_share < keyframe_cost_s_) return;
  store_keyframe();
}

void RunHistory::store_keyframe() {
  const BranchNumber owner = tree_.owner(now_.branch, now_.tick);
  last_keyframe_s_ = elapsed_s();
  work_s_ = 0;
  if (store_->at(owner, now_.tick)) return;
  StateBlock* buffer = store_->free_buffer();
  if (buffer == nullptr) return;
  const auto start = Wall::now();
  session_.world().save_state(*buffer);
  store_->add({owner, now_.tick, now_.commands, last_keyframe_s_, 0}, buffer);
  const double cost_s = seconds_from(start);
  keyframe_wall_s_ += cost_s;
  if (last_costs_s_.size() == remembered_costs) last_costs_s_.erase(last_costs_s_.begin());
  last_costs_s_.push_back(cost_s);
  std::array<double, remembered_costs> ordered{};
  const auto end = std::ranges::copy(last_costs_s_, ordered.begin()).out;
  const auto median = ordered.begin() + (std::ssize(last_costs_s_) - 1) / 2;
  std::nth_element(ordered.begin(), median, end);
  keyframe_cost_s_ = *median;
}

// ---- Seeking ------------------------------------------------------------------------------------------------

std::optional<KeyframeInfo> RunHistory::nearest_keyframe(RunMoment target) const {
  while (true) {
    if (auto found = store_->last_before(target.branch, target.tick, target.commands)) return found;
    const BranchTree::Branch& branch = tree_.branch(target.branch);
    if (!branch.parent) return {};
    target = {*branch.parent, std::min(target.tick, branch.fork_tick), std::min(target.commands, branch.fork_commands)};
  }
}

std::optional<double> RunHistory::keyframe_before_s(const RunMoment& target) const {
  const auto found = nearest_keyframe(target);
  return found ? std::optional(found->elapsed_s) : std::nullopt;
}

bool RunHistory::lacks_driven(const KeyframeInfo& keyframe) const {
  const std::uint64_t first = tree_.start().tick;
  if (keyframe.tick > first) return true;
  // The scene of the first moment was copied from the world, unless the tree was read from a file. If commands were
  // applied after the step to the first moment, the values that were then in use are unknown.
  const auto follows_step = [&](const JournalEntry& entry) {
    return entry.kind == JournalEntry::Kind::command && entry.tick == first;
  };
  return tree_.is_restored() && first > 0 && std::ranges::none_of(earlier_, follows_step);
}

Result<void> RunHistory::restore(const KeyframeInfo& keyframe, BranchNumber branch) {
  auto scene = tree_.scene_at(branch, keyframe.commands);
  if (!scene) return Unexpected(scene.error());
  const auto source = store_->load(keyframe, scratch_);
  if (!source) {
    store_->remove(keyframe);
    return Unexpected(source.error());
  }
  if (speed_)
    for (Node* tree : {&scene->scene, &scene->in_force})
      if (auto good = set_parameter(*tree, "world.speed", *speed_); !good) return good;
  if (auto good = session_.world().return_to(*scene, scratch_, *source, lacks_driven(keyframe)); !good) {
    // If the state does not match, the world has the scene of the keyframe, but not its state. If the scene cannot be
    // built, the world is unchanged.
    is_lost_ = is_lost_ || same_node(session_.world().scene_version().in_force, scene->in_force);
    if (*source == StateSource::file) store_->remove(keyframe);
    return good;
  }
  is_lost_ = false;
  now_ = {branch, keyframe.tick, keyframe.commands};
  run_number_ = tree_.run_number(now_);
  last_keyframe_s_ = keyframe.elapsed_s;
  work_s_ = 0;
  return {};
}

Result<void> RunHistory::seek(RunMoment target) {
  target_.reset();
  if (!tree_.has(target.branch)) return fail(fmt::format("branch {} does not exist", target.branch));
  const RunMoment end = tree_.end(target.branch);
  target.tick = std::clamp(target.tick, tree_.start().tick, end.tick);
  target.commands = std::clamp(target.commands, tree_.commands_before(target.branch, target.tick),
                               tree_.commands_through(target.branch, target.tick));
  journal_is_behind_ = true;
  if (store_->use().keyframes == 0) store_->wait_until_packed();
  const bool is_before = tree_.is_on_path(now_, target.branch) && now_.tick <= target.tick &&
                         now_.commands <= target.commands && !session_.world().health().failed;
  Result<void> reached;
  // The thread of the store may remove a keyframe after it was chosen and before it is loaded. Another keyframe is then
  // tried.
  for (int attempt = 0; attempt < load_attempts; ++attempt) {
    const auto keyframe = nearest_keyframe(target);
    if (is_before && !is_lost_ && (!keyframe || keyframe->tick <= now_.tick)) {
      now_.branch = target.branch;
      reached = {};
      break;
    }
    if (!keyframe) return fail("no keyframe exists before this moment; choose a later moment");
    reached = restore(*keyframe, target.branch);
    if (reached) break;
  }
  if (!reached) return reached;
  target_ = target;
  return {};
}

bool RunHistory::continue_seek() {
  if (!target_) return false;
  if (now_.tick < target_->tick) {
    if (recorded_step()) return true;
    target_.reset();
    return false;
  }
  (void)apply_recorded(target_->commands);
  target_.reset();
  return false;
}

Result<void> RunHistory::remove(BranchNumber branch) {
  if (!tree_.has(branch)) return fail(fmt::format("branch {} does not exist", branch));
  const BranchTree::Branch& begun = tree_.branch(branch);
  if (begun.parent && tree_.is_same_or_descendant(now_.branch, branch))
    if (auto good = seek({*begun.parent, begun.fork_tick, begun.fork_commands}); !good) return good;
  auto removed = tree_.remove(branch);
  if (!removed) return Unexpected(removed.error());
  for (const BranchNumber number : *removed) store_->remove_branch(number);
  return {};
}

}  // namespace vw
