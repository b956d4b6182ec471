#include "sim/api/live/following_run.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "sim/history/run_history.h"
#include "sim/scene/scene.h"
#include "sim/world/session.h"

namespace vw::api {
namespace {

using Wall = std::chrono::steady_clock;
double seconds_since(Wall::time_point start) { return std::chrono::duration<double>(Wall::now() - start).count(); }

/// Wall time between two snapshots while the run catches up [s].
constexpr double catch_up_interval_s = 0.1;
/// Tolerance of comparisons of times, as a fraction of a step.
constexpr double step_slack = 1e-3;
/// If the target is recorded and at least this much simulated time ahead [s], the run may jump to a keyframe instead of
/// taking all steps. Curves of plots then have no values for the skipped time.
constexpr double jump_s = 5;
constexpr std::uint64_t all_commands = std::numeric_limits<std::uint64_t>::max();

/// A command of the session that is repeated.
struct RepeatedCommand {
  std::uint64_t tick = 0;
  Command command;
  std::string text;  ///< command as JSON; used to find the first command that differs between two sessions
  bool is_accepted = false;
};

bool is_held(const std::vector<SetParameter>& values, const std::string& path) {
  return std::ranges::find(values, path, &SetParameter::path) != values.end();
}

/// Sets a held value (FollowedSession::values) in the data of a node that a command adds. `path` is the parameter's
/// path relative to the node's parent.
void hold_in(NodeData& node, std::string_view path, const Value& value) {
  for (const std::string& start : {node.slot + "." + node.name + ".", node.slot + "."}) {
    if (!path.starts_with(start)) continue;
    const std::string rest(path.substr(start.size()));
    for (NodeData& child : node.children) hold_in(child, rest, value);
    if (rest.find('.') != std::string::npos || rest.empty()) continue;
    std::erase_if(node.values, [&](const auto& one) { return one.first == rest; });
    node.values.emplace_back(rest, value);
    return;
  }
}

/// Changes a path of the node at `from`, or of a parameter below this node, if the node is renamed to the path `to`.
void follow_renaming(std::string& path, const std::string& from, const std::string& to) {
  if (is_at_or_below(path, from)) path.replace(0, from.size(), to);
}

/// Paths of the node before and after a renaming.
std::pair<std::string, std::string> renamed_paths(const ChangeNodes::Change& change) {
  const std::string start = (change.parent.empty() ? "" : change.parent + ".") + change.node.slot + ".";
  return {start + change.node.name, start + change.new_name};
}

/// Returns the held values with the paths that their parameters have at the start of the session. The paths of
/// FollowedSession::values are later ones, after renamings of nodes.
std::vector<SetParameter> values_at_start(const FollowedSession& session) {
  std::vector<SetParameter> values = session.values;
  for (auto entry = session.journal.entries.rbegin(); entry != session.journal.entries.rend(); ++entry) {
    const auto* command = std::get_if<ChangeNodes>(&entry->command);
    if (command == nullptr) continue;
    for (auto change = command->changes.rbegin(); change != command->changes.rend(); ++change) {
      if (change->kind != NodeChange::Kind::rename) continue;
      const auto [before, after] = renamed_paths(*change);
      for (SetParameter& held : values) follow_renaming(held.path, after, before);
    }
  }
  return values;
}

/// Holds the values in a change of nodes. The paths of `values` follow renamings.
void hold_in(ChangeNodes& command, std::vector<SetParameter>& values) {
  for (ChangeNodes::Change& change : command.changes) {
    const std::string start = change.parent.empty() ? std::string() : change.parent + ".";
    for (SetParameter& held : values) {
      if (change.kind == NodeChange::Kind::add && held.path.starts_with(start))
        hold_in(change.node, std::string_view(held.path).substr(start.size()), held.value);
      if (change.kind != NodeChange::Kind::rename) continue;
      const auto [before, after] = renamed_paths(change);
      follow_renaming(held.path, before, after);
    }
  }
  std::erase_if(command.values, [&](const SetParameter& one) { return is_held(values, one.path); });
}

/// Returns the commands of a session except those that set a held value (FollowedSession::values).
std::vector<RepeatedCommand> commands_of(const FollowedSession& session) {
  std::vector<SetParameter> values = values_at_start(session);
  std::vector<RepeatedCommand> commands;
  for (const JournalEntry& entry : session.journal.entries) {
    if (entry.kind != JournalEntry::Kind::command) continue;
    RepeatedCommand one{entry.tick, entry.command, {}};
    if (const auto* set = std::get_if<SetParameter>(&one.command); set != nullptr && is_held(values, set->path))
      continue;
    if (auto* change = std::get_if<ChangeNodes>(&one.command)) hold_in(*change, values);
    one.text = to_json(one.command);
    commands.push_back(std::move(one));
  }
  return commands;
}

/// Applies the held values to the initial scene. A parameter that does not exist yet must belong to a node that a later
/// command adds.
Result<void> hold_at_start(Node& scene, const FollowedSession& session) {
  const bool adds_nodes = std::ranges::any_of(session.journal.entries, [](const JournalEntry& entry) {
    return std::holds_alternative<ChangeNodes>(entry.command);
  });
  for (const SetParameter& held : values_at_start(session)) {
    if (adds_nodes && !find_parameter(scene, held.path)) continue;
    if (auto good = set_parameter(scene, held.path, held.value); !good) return good;
  }
  return {};
}

/// Applies the held values to a world that continues from a checkpoint.
Result<void> hold_from_checkpoint(Session& made, const FollowedSession& session) {
  Node scene = made.world().scene();
  for (const SetParameter& held : values_at_start(session)) {
    const auto found = find_parameter(scene, held.path);
    if (!found) return Unexpected(found.error());
    if (found->spec->live == Live::no)
      return fail(held.path + " takes effect only at a reset, but this session continues a saved state");
    if (auto good = made.apply(held); !good) return good;
  }
  return {};
}

Result<Session> start_of(const FollowedSession& session) {
  auto scene = read_scene_toml(session.journal.scene_text, {});
  if (!scene) return Unexpected(scene.error());
  if (session.start != nullptr) {
    auto made = Session::resume(std::move(scene->root), *session.start);
    if (!made) return made;
    if (auto good = hold_from_checkpoint(*made, session); !good) return Unexpected(good.error());
    return made;
  }
  if (auto good = hold_at_start(scene->root, session); !good) return Unexpected(good.error());
  std::string text = write_scene_toml(scene->root);
  return Session::create(std::move(scene->root), std::move(text));
}

}  // namespace

// One mutex guards the requests of the drawing thread and the progress. All other data are used by the run's own thread
// only.
struct FollowingRun::Impl {
  Exchange<Snapshot>& exchange;
  const HistoryLimits limits;

  // Shared with the drawing thread.
  mutable std::mutex mutex;
  std::condition_variable wake;
  std::atomic<bool> stop{false};
  double asked_s = 0;
  bool is_asked = false;  ///< whether follow() has been called; until then, the run stays at its first moment
  std::optional<FollowedSession> next;
  std::optional<SnapshotRequest> wanted;
  std::optional<std::shared_ptr<SnapshotSink>> new_watcher;
  FollowProgress shown;
  std::shared_ptr<const Node> scene;

  // Only the thread of the run uses the following members.
  FollowedSession session;
  std::vector<RepeatedCommand> commands;
  std::size_t done = 0;  ///< commands that were applied or refused
  std::optional<Session> made;
  std::optional<RunHistory> history;
  FollowProgress progress;
  SnapshotRequest request;
  std::shared_ptr<SnapshotSink> watcher;
  double target_s = 0;
  std::uint64_t sequence = 0, epochs = 0;
  /// The last command that had changed the scene when `scene` was copied. It is empty if `scene` must be copied again.
  std::optional<BranchTree::CommandStamp> scene_stamp;
  bool is_published = false, has_new_watcher = false;
  Wall::time_point last_publish = Wall::now();
  std::thread thread;

  Impl(Exchange<Snapshot>& out, FollowedSession followed, HistoryLimits given)
      : exchange(out), limits(std::move(given)), session(std::move(followed)) {
    thread = std::thread([this] { run(); });
  }
  ~Impl() {
    {
      const std::lock_guard lock(mutex);
      stop = true;
    }
    wake.notify_one();
    thread.join();
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void run();
  void start();
  void take_requests();
  void take_session(FollowedSession other);
  bool go_back_to(std::size_t first, std::vector<RepeatedCommand>& other);
  bool advance();
  void begin_history();
  bool jump();
  bool seek_to_target(double slack);
  void apply_due_commands();
  void note_failure();
  [[nodiscard]] std::uint64_t tick_of(const RepeatedCommand& command) const;
  [[nodiscard]] double slack_s() const { return step_slack * made->world().dt(); }
  void publish();
  void share_scene();
  void show_progress(bool is_behind);
  void wait();
};

void FollowingRun::Impl::run() {
  start();
  while (!stop) {
    take_requests();
    // A new watcher first receives the present state, even if a step is already due.
    if (history && has_new_watcher && !history->is_seeking()) publish();
    if (history && advance()) {
      const bool is_due = watcher != nullptr || seconds_since(last_publish) >= catch_up_interval_s;
      if (is_due && !history->is_seeking()) publish();
      is_published = is_due && !history->is_seeking();
      show_progress(true);
      continue;
    }
    if (history && !is_published) publish();
    is_published = true;
    show_progress(false);
    wait();
  }
}

/// Builds the world at the start of the session.
void FollowingRun::Impl::start() {
  history.reset();
  made.reset();
  progress = {};
  commands = commands_of(session);
  done = 0;
  auto built = start_of(session);
  if (!built) {
    progress.failure = built.error().message();
    return;
  }
  made.emplace(std::move(*built));
  made->world().watch_settling([this](double, double) { return !stop; });
  made->world().subscribe(request);
  begin_history();
  progress.is_built = true;
  is_published = false;
  scene_stamp.reset();
  ++epochs;
}

/// Starts the history of the new world. A shared history starts at the last keyframe before RestoredHistory::present.
void FollowingRun::Impl::begin_history() {
  if (session.history == nullptr) {
    history.emplace(*made, limits);
    return;
  }
  const RunMoment begin = session.history->present;
  history.emplace(*made, limits, *session.history);
  commands.clear();  // the branch contains the commands
  if (auto good = history->seek(begin); !good) progress.failure = good.error().message();
  history->stop_seeking();
  const std::lock_guard lock(mutex);
  if (!is_asked) asked_s = target_s = history->elapsed_s();
}

void FollowingRun::Impl::take_requests() {
  std::optional<FollowedSession> other;
  std::optional<SnapshotRequest> asked;
  {
    const std::lock_guard lock(mutex);
    target_s = asked_s;
    other = std::exchange(next, std::nullopt);
    asked = std::exchange(wanted, std::nullopt);
    if (new_watcher) {
      watcher = std::move(*new_watcher);
      new_watcher.reset();
      has_new_watcher = watcher != nullptr;
      is_published = false;
    }
  }
  if (asked) {
    request = std::move(*asked);
    if (made) made->world().subscribe(request);
    is_published = false;
  }
  if (other) take_session(std::move(*other));
}

void FollowingRun::Impl::take_session(FollowedSession other) {
  std::vector<RepeatedCommand> fresh = commands_of(other);
  const auto is_equal = [](const RepeatedCommand& a, const RepeatedCommand& b) {
    return a.tick == b.tick && a.text == b.text;
  };
  const auto first = static_cast<std::size_t>(std::ranges::mismatch(commands, fresh, is_equal).in1 - commands.begin());
  const bool has_same_start = history && session.history == nullptr && other.history == nullptr &&
                              other.start == session.start && other.dt_s == session.dt_s &&
                              other.journal.scene_text == session.journal.scene_text;
  session = std::move(other);
  if (!has_same_start || !go_back_to(first, fresh)) return start();
  for (std::size_t i = 0; i < std::min(first, fresh.size()); ++i) fresh[i].is_accepted = commands[i].is_accepted;
  commands = std::move(fresh);
  // Refused commands after the first one that differs do not count, because they either no longer belong to the session
  // or are applied again.
  progress.refused = 0;
  for (std::size_t i = 0; i < std::min(done, commands.size()); ++i) progress.refused += commands[i].is_accepted ? 0 : 1;
  if (progress.refused == 0) progress.first_refused.clear();
}

/// Goes back to the first command that differs between the present commands and `other`, whose index is `first`, and
/// applies the command of `other`, which begins a branch. Returns false if this is impossible; the run must then be
/// started again.
bool FollowingRun::Impl::go_back_to(std::size_t first, std::vector<RepeatedCommand>& other) {
  const bool has_new = first < other.size();
  const std::uint64_t end_tick = history->tree().end(history->now().branch).tick;
  if (first >= done && (!has_new || tick_of(other[first]) >= end_tick)) return true;
  if (!has_new || (first < done && tick_of(other[first]) > tick_of(commands[first]))) return false;
  RunMoment moment{history->now().branch, tick_of(other[first]), history->tree().start().commands};
  for (std::size_t i = 0; i < std::min(first, done); ++i) moment.commands += commands[i].is_accepted ? 1 : 0;
  if (!history->seek(moment)) return false;
  while (history->continue_seek())
    if (stop) return true;
  done = first;
  // The command is applied at the past moment, so that it begins a branch.
  RepeatedCommand& command = other[done];
  command.is_accepted = history->apply(command.command).has_value();
  if (!command.is_accepted) return false;
  ++done;
  is_published = false;
  return true;
}

std::uint64_t FollowingRun::Impl::tick_of(const RepeatedCommand& command) const {
  const double dt = made->world().dt();
  if (session.dt_s <= 0 || session.dt_s == dt) return command.tick;
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(command.tick) * session.dt_s / dt));
}

/// Takes one step towards the target. Returns false if nothing remains to be done.
bool FollowingRun::Impl::advance() {
  if (history->is_seeking()) {
    (void)history->continue_seek();
    is_published = false;
    return true;
  }
  const double slack = slack_s(), now_s = history->elapsed_s();
  if (target_s < now_s - slack) {
    if (history->now().tick == history->tree().start().tick) return false;
    return seek_to_target(slack);
  }
  if (target_s - now_s > jump_s && jump()) return true;
  if (history->at_end()) apply_due_commands();
  note_failure();
  if (!progress.failure.empty() || target_s < now_s + made->world().dt() - slack) return false;
  is_published = false;
  const bool is_taken = history->step();
  note_failure();
  if (!is_taken && progress.failure.empty()) progress.failure = "a recorded step cannot be repeated";
  return is_taken;
}

/// Jumps to the target if the target is a recorded moment far ahead and a keyframe lies much nearer to it than the
/// present moment. Returns whether the run jumps.
bool FollowingRun::Impl::jump() {
  const BranchTree& tree = history->tree();
  const BranchNumber branch = history->now().branch;
  const std::uint64_t tick = tree.tick_at(branch, target_s);
  const auto keyframe_s = history->keyframe_before_s({branch, tick, tree.commands_through(branch, tick)});
  if (history->at_end() || !keyframe_s || *keyframe_s - history->elapsed_s() < 0.5 * jump_s) return false;
  return seek_to_target(slack_s());
}

/// Goes to the last recorded step that is not later than the target. Returns whether this is possible.
bool FollowingRun::Impl::seek_to_target(double slack) {
  const BranchTree& tree = history->tree();
  RunMoment moment{history->now().branch, 0, all_commands};
  moment.tick = tree.tick_at(moment.branch, target_s);
  if (moment.tick > tree.start().tick && tree.elapsed_s(moment.branch, moment.tick) > target_s + slack) --moment.tick;
  is_published = false;
  const auto good = history->seek(moment);
  progress.failure = good ? std::string() : good.error().message();
  return good.has_value();
}

void FollowingRun::Impl::apply_due_commands() {
  for (; done < commands.size() && tick_of(commands[done]) <= history->now().tick; ++done) {
    const auto good = history->apply(commands[done].command);
    commands[done].is_accepted = good.has_value();
    is_published = false;
    if (good) continue;
    if (progress.refused++ == 0) progress.first_refused = good.error().message();
  }
}

void FollowingRun::Impl::note_failure() {
  const auto& health = made->world().health();
  progress.failure = health.failed ? health.sentence() : std::string();
}

/// Copies the scene for the drawing thread if it has changed.
void FollowingRun::Impl::share_scene() {
  const BranchTree::CommandStamp stamp = history->tree().scene_stamp(history->now());
  if (scene_stamp == stamp) return;
  scene_stamp = stamp;
  auto copy = std::make_shared<const Node>(made->world().scene());
  const std::lock_guard lock(mutex);
  scene = std::move(copy);
}

void FollowingRun::Impl::publish() {
  share_scene();
  Snapshot& snapshot = exchange.back();
  made->world().write_snapshot(snapshot, true);
  const RunMoment& now = history->now();
  snapshot.sequence = ++sequence;
  snapshot.paused = true;
  snapshot.epoch += epochs << 16U;  // prevents interpolation between a rebuilt world and the old one
  snapshot.asked_speed = made->world().params().speed;
  snapshot.run = epochs << 32U | history->run_number();
  snapshot.tick = now.tick;
  snapshot.commands = now.commands;
  snapshot.place = {.branch = now.branch,
                    .elapsed_s = history->elapsed_s(),
                    .branch_time_s = history->tree().branch(now.branch).fork_time_s,
                    // Plots have not measured the recorded steps of a shared branch, so these steps count as new.
                    .is_past = session.history == nullptr && !history->at_end()};
  exchange.publish();
  last_publish = Wall::now();
  if (watcher != nullptr) watcher->offer(snapshot, stop);
  has_new_watcher = false;
}

void FollowingRun::Impl::show_progress(bool is_behind) {
  if (history) progress.elapsed_s = history->elapsed_s();
  const std::lock_guard lock(mutex);
  progress.is_behind = is_behind || asked_s != target_s || next;
  shown = progress;
}

void FollowingRun::Impl::wait() {
  std::unique_lock lock(mutex);
  wake.wait(lock, [this] { return stop || asked_s != target_s || next || wanted || new_watcher; });
}

FollowingRun::FollowingRun(FollowedSession session, HistoryLimits limits)
    : impl_(std::make_unique<Impl>(exchange_, std::move(session), std::move(limits))) {}
FollowingRun::~FollowingRun() = default;

void FollowingRun::follow(double elapsed_s) {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->is_asked = true;
    if (impl_->asked_s == elapsed_s) return;
    impl_->asked_s = elapsed_s;
    impl_->shown.is_behind = true;
  }
  impl_->wake.notify_one();
}

void FollowingRun::repeat(FollowedSession session) {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->next.emplace(std::move(session));
    impl_->shown.is_behind = true;
  }
  impl_->wake.notify_one();
}

void FollowingRun::subscribe(SnapshotRequest wanted) {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->wanted.emplace(std::move(wanted));
  }
  impl_->wake.notify_one();
}

void FollowingRun::set_watcher(std::shared_ptr<SnapshotSink> watcher) {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->new_watcher.emplace(std::move(watcher));
  }
  impl_->wake.notify_one();
}

FollowProgress FollowingRun::progress() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->shown;
}

std::shared_ptr<const Node> FollowingRun::scene() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->scene;
}

}  // namespace vw::api
