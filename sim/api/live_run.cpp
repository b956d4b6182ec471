// Only the simulation thread accesses the world. The drawing thread puts requests into an inbox and takes snapshots
// from the exchange. One mutex guards the inbox, the messages and the result of Settle. The mutex is held for the
// length of a push or a swap, never during a step, file access or a callback.
#include "sim/api/live_run.h"

#include <chrono>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <thread>
#include <utility>

#include "sim/history/run_history.h"
#include "sim/history/timeline_builder.h"
#include "sim/world/session.h"
#include "sim/world/step/pacing.h"

namespace vw::api {
namespace {

using Clock = std::chrono::steady_clock;

struct SetPaused {
  bool paused = false;
};
struct SingleStep {
  int steps = 1;
};
struct Subscribe {
  SnapshotRequest wanted;
};
struct SetSink {
  std::shared_ptr<SnapshotSink> sink;
};
struct SetWatcher {
  std::shared_ptr<SnapshotSink> watcher;
};
struct SaveCheckpoint {
  std::string path;
  std::function<void(Result<void>)> done;
};
struct SaveJournal {
  std::string path;
  std::function<void(Result<void>)> done;
};
struct Change {
  ChangeNodes command;
  std::function<void(Result<void>)> done;
};
struct ReadJournal {
  std::function<void(Journal)> done;
};
struct Seek {
  std::uint32_t branch = 0;
  std::uint64_t tick = 0;
};
struct SeekTime {
  std::uint32_t branch = 0;
  double elapsed_s = 0;
};
struct StepBack {
  int steps = 1;
};
struct StopSeeking {};
/// A change of the tree of branches.
struct EditHistory {
  std::function<Result<void>(RunHistory&)> edit;
};
using Request = std::variant<SetPaused, SingleStep, Command, Change, Subscribe, SetSink, SetWatcher, SaveCheckpoint,
                             SaveJournal, ReadJournal, Seek, SeekTime, StepBack, StopSeeking, EditHistory>;

/// Whether a request waits until the run has arrived at the moment that it is going to.
bool waits_for_arrival(const Request& request) {
  return std::holds_alternative<Command>(request) || std::holds_alternative<Change>(request) ||
         std::holds_alternative<SingleStep>(request) || std::holds_alternative<SaveCheckpoint>(request) ||
         std::holds_alternative<SaveJournal>(request) || std::holds_alternative<ReadJournal>(request) ||
         std::holds_alternative<EditHistory>(request);
}

/// Shortest wall time between two published snapshots [s]. It is shorter than a display's frame time. If steps take
/// less time, only some steps publish a snapshot.
constexpr double publish_interval_s = 0.004;
/// Limits for field visualisations, which can cost more than steps: the shortest interval between two of them, and the
/// fraction of the thread's time that they may take while steps are due.
constexpr double air_interval_s = 0.016, air_share = 0.4;
constexpr std::size_t most_messages = 100;
/// Wall time between two updates of the timeline [s].
constexpr double timeline_interval_s = 0.2;
/// Wall time between two snapshots on the way to another moment [s], which show how far the run has come.
constexpr double seek_publish_interval_s = 0.1;
/// Length of a search without a look at the requests [s].
constexpr double seek_slice_s = 0.004;

/// A consumer of snapshots, with the last tick and parts that it was offered, so that no snapshot is offered twice.
struct Consumer {
  std::shared_ptr<SnapshotSink> sink;
  bool is_new = false;
  std::uint64_t tick = 0, parts_number = 0;

  void set(std::shared_ptr<SnapshotSink> other) {
    sink = std::move(other);
    is_new = sink != nullptr;
  }
  void offer(const Snapshot& snapshot, std::uint64_t now, const std::atomic<bool>& stop_requested) {
    if (!sink || (!is_new && now == tick && snapshot.parts_number() == parts_number)) return;
    is_new = false;
    tick = now;
    parts_number = snapshot.parts_number();
    sink->offer(snapshot, stop_requested);
  }
};

}  // namespace

struct LiveRun::Impl {
  Exchange<Snapshot>& exchange;
  Session session;
  World& world;
  const std::shared_ptr<const Checkpoint> start_state;
  RunHistory history;

  // Shared with the drawing thread.
  std::mutex mutex;
  std::condition_variable wake;
  std::vector<Request> inbox;
  std::vector<std::string> messages;
  std::atomic<bool> stop{false};
  std::atomic<bool> release_sink{false};
  std::atomic<bool> stop_settling{false};
  std::atomic<double> settle_share{0}, settle_residual{0};
  std::atomic<int> settle_iterations{0};
  std::optional<Result<Equilibrium>> settled;
  std::shared_ptr<const Timeline> timeline;  ///< never null
  bool timeline_wanted = true;
  /// Scene of a moment that the run went to, and the number of commands that had been applied then.
  std::optional<SceneOfMoment> told_scene;
  std::uint64_t told_commands = 0;
  std::uint64_t submitted = 0;  ///< commands that the drawing thread has submitted

  // Used by the simulation thread only.
  std::vector<Request> batch, deferred;
  TimelineBuilder timeline_builder;
  /// Last command that changed the scene, as far as the drawing thread knows the scene.
  BranchTree::CommandStamp known_scene;
  std::uint64_t applied = 0;  ///< commands of the drawing thread that were applied or refused
  double played_s = 0;        ///< simulated time of all steps, recorded ones included [s]
  Consumer sink, watcher;
  bool paused = true;
  int steps_asked = 0;
  bool failure_reported = false;
  std::uint64_t sequence = 0, seek_steps = 1;
  Pacer pacer;
  RateMeter meter;
  Clock::time_point start = Clock::now(), last_advance = start, last_publish = start, last_air = start;
  Clock::time_point last_timeline = start;
  bool timeline_is_old = true;
  double air_cost_s = 0;
  std::thread thread;

  Impl(Exchange<Snapshot>& out, Session made, Start at_start, HistoryLimits limits);
  ~Impl();
  void post(Request request);
  void tell(std::string message);

  void run();
  bool take_requests();
  void handle(SetPaused& request);
  void handle(SingleStep& request) { steps_asked += std::max(0, request.steps); }
  void handle(Command& command);
  void do_settle(const Settle& command);
  void handle(Subscribe& request) { world.subscribe(std::move(request.wanted)); }
  void handle(SetSink& request) { sink.set(std::move(request.sink)); }
  void handle(SetWatcher& request) { watcher.set(std::move(request.watcher)); }
  void handle(Change& request);
  void handle(SaveCheckpoint& request);
  void handle(SaveJournal& request);
  void serve_last_journals();
  void handle(ReadJournal& request);
  void handle(Seek& request) { go_to({request.branch, request.tick, any_command}); }
  void handle(SeekTime& request);
  void handle(StepBack& request);
  void handle(StopSeeking& request);
  void handle(EditHistory& request);
  void go_to(const RunMoment& target);
  void continue_seek();
  void arrive();
  /// Tells the drawing thread the scene, if the run went to a moment with another scene.
  void tell_scene();
  [[nodiscard]] SceneOfMoment scene_of_moment() const;
  /// Notes a command of the drawing thread that was applied.
  void scene_was_changed(const Command& command);
  void update_timeline();
  void take_history_messages();
  [[nodiscard]] bool step_due();
  void take_step();
  void stop_if_failed();
  [[nodiscard]] bool air_due() const;
  void publish(bool for_all = true);
  void wait();
  /// Number of commands of a moment after all commands of its tick.
  static constexpr std::uint64_t any_command = std::numeric_limits<std::uint64_t>::max();
};

LiveRun::Impl::Impl(Exchange<Snapshot>& out, Session made, Start at_start, HistoryLimits limits)
    : exchange(out),
      session(std::move(made)),
      world(session.world()),
      start_state(session.start()),
      history(session, std::move(limits)),
      paused(at_start == Start::paused) {
  world.watch_settling([this](double share, double residual) {
    settle_share = share;
    settle_residual = residual;
    ++settle_iterations;
    return !stop && !stop_settling;
  });
  timeline = std::make_shared<const Timeline>(timeline_builder.build(history));
  thread = std::thread([this] { run(); });
}

LiveRun::Impl::~Impl() {
  {
    const std::lock_guard lock(mutex);
    stop = true;
    release_sink = true;
  }
  wake.notify_one();
  thread.join();
}

void LiveRun::Impl::post(Request request) {
  {
    const std::lock_guard lock(mutex);
    // The current sink may be blocking the simulation thread. Setting the flag makes the sink return.
    if (std::holds_alternative<SetSink>(request)) release_sink = true;
    if (std::holds_alternative<Command>(request) || std::holds_alternative<Change>(request)) ++submitted;
    inbox.push_back(std::move(request));
  }
  wake.notify_one();
}

void LiveRun::Impl::tell(std::string message) {
  const std::lock_guard lock(mutex);
  if (messages.size() < most_messages) messages.push_back(std::move(message));
}

// ---- On the simulation thread ---------------------------------------------------------------------------------------

void LiveRun::Impl::run() {
  publish();
  while (!stop) {
    const bool changed = take_requests();
    // A new consumer first receives the present state, even if a step is due already.
    if (sink.is_new || watcher.is_new) publish();
    update_timeline();
    if (history.is_seeking()) {
      continue_seek();
      continue;
    }
    if (step_due()) {
      take_step();
      continue;
    }
    if (changed) publish();
    wait();
  }
  serve_last_journals();
  if (auto good = session.finish(); !good) tell(good.error().message());
}

bool LiveRun::Impl::take_requests() {
  {
    const std::lock_guard lock(mutex);
    std::swap(batch, inbox);
    if (!stop) release_sink = false;  // this batch contains all sink changes so far
  }
  const bool changed = !batch.empty() || (!deferred.empty() && !history.is_seeking());
  if (!history.is_seeking() && !deferred.empty()) {
    batch.insert(batch.begin(), std::make_move_iterator(deferred.begin()), std::make_move_iterator(deferred.end()));
    deferred.clear();
  }
  for (Request& request : batch) {
    // Once a request waits, later ones of its kind wait too, so that they stay in their order.
    if (history.is_seeking() && waits_for_arrival(request))
      deferred.push_back(std::move(request));
    else
      std::visit([this](auto& what) { handle(what); }, request);
  }
  batch.clear();
  if (changed) timeline_is_old = true;
  return changed;
}

void LiveRun::Impl::handle(SeekTime& request) {
  const bool is_known = history.tree().has(request.branch);  // go_to() tells that an unknown branch is an error
  go_to({request.branch, is_known ? history.tree().tick_at(request.branch, request.elapsed_s) : 0, any_command});
}

void LiveRun::Impl::handle(StepBack& request) {
  const RunMoment& from = history.now();
  const std::uint64_t tick = history.is_seeking() ? from.tick + history.remaining_steps() : from.tick;
  const auto steps = static_cast<std::uint64_t>(std::max(0, request.steps));
  go_to({from.branch, tick - std::min(tick, steps), any_command});
}

void LiveRun::Impl::handle(StopSeeking&) {
  if (!history.is_seeking()) return;
  history.stop_seeking();
  arrive();
}

void LiveRun::Impl::handle(EditHistory& request) {
  if (auto good = request.edit(history); !good) tell(good.error().message());
  if (!history.is_seeking()) tell_scene();
}

void LiveRun::Impl::go_to(const RunMoment& target) {
  if (auto good = history.seek(target); !good) {
    tell(good.error().message());
    return arrive();
  }
  failure_reported = false;
  seek_steps = std::max<std::uint64_t>(1, history.remaining_steps());
  // The picture of the nearest keyframe is shown while the exact moment is computed.
  if (history.remaining_steps() > 1) publish(false);
}

void LiveRun::Impl::continue_seek() {
  const auto begun = Clock::now();
  const auto seconds_since_begin = [&] { return std::chrono::duration<double>(Clock::now() - begun).count(); };
  do {
    if (!history.continue_seek()) return arrive();
  } while (seconds_since_begin() < seek_slice_s);
  if (std::chrono::duration<double>(Clock::now() - last_publish).count() >= seek_publish_interval_s) publish(false);
}

void LiveRun::Impl::arrive() {
  take_history_messages();
  tell_scene();
  pacer.clear();
  meter.clear();
  last_advance = Clock::now();
  publish();
}

void LiveRun::Impl::take_history_messages() {
  for (std::string& message : history.take_messages()) tell(std::move(message));
}

void LiveRun::Impl::tell_scene() {
  const BranchTree::CommandStamp stamp = history.tree().scene_stamp(history.now());
  if (stamp == known_scene) return;
  known_scene = stamp;
  const std::lock_guard lock(mutex);
  told_scene = scene_of_moment();
  told_commands = applied;
}

SceneOfMoment LiveRun::Impl::scene_of_moment() const {
  SceneOfMoment moment{world.scene(), {}};
  Node scene = moment.scene;
  for (const SetParameter& old : world.in_force())
    if (const auto ref = find_parameter(scene, old.path); ref && ref->spec->live == Live::no)
      moment.waiting.push_back(old.path);
  return moment;
}

void LiveRun::Impl::scene_was_changed(const Command& command) {
  if (!changes_scene(command)) return;
  const std::lock_guard lock(mutex);
  known_scene = history.tree().scene_stamp(history.now());
  if (!told_scene) return;
  // The drawing thread has not taken the scene yet, because it had already submitted this command.
  told_scene = scene_of_moment();
  told_commands = applied;
}

void LiveRun::Impl::update_timeline() {
  if (!timeline_is_old || std::chrono::duration<double>(Clock::now() - last_timeline).count() < timeline_interval_s)
    return;
  {
    const std::lock_guard lock(mutex);
    if (!timeline_wanted) return;
    timeline_wanted = false;
  }
  auto made = std::make_shared<const Timeline>(timeline_builder.build(history));
  timeline_is_old = false;
  last_timeline = Clock::now();
  const std::lock_guard lock(mutex);
  timeline = std::move(made);
}

void LiveRun::Impl::handle(SetPaused& request) {
  paused = request.paused;
  steps_asked = 0;
  pacer.clear();
  meter.clear();
  last_advance = Clock::now();
}

void LiveRun::Impl::do_settle(const Settle& command) {
  settle_share = settle_residual = 0;
  settle_iterations = 0;
  const auto good = history.apply(command);
  if (!good && !stop_settling) tell(good.error().message());
  pacer.clear();  // no simulated time is due for the time spent in the search
  last_advance = Clock::now();
  const std::lock_guard lock(mutex);
  if (good)
    settled.emplace(*world.settled());
  else
    settled.emplace(Unexpected(good.error()));
}

void LiveRun::Impl::handle(Command& command) {
  ++applied;
  if (const auto* which = std::get_if<Settle>(&command)) return do_settle(*which);
  if (auto good = history.apply(command); !good) return tell(good.error().message());
  scene_was_changed(command);
  if (!world.health().failed) failure_reported = false;
  if (std::holds_alternative<Reset>(command)) pacer.clear();
}

void LiveRun::Impl::handle(Change& request) {
  ++applied;
  const Command command = std::move(request.command);
  auto result = history.apply(command);
  if (result) scene_was_changed(command);
  pacer.clear();  // no simulated time is due for the time that new parts take to build
  last_advance = Clock::now();
  if (result) failure_reported = false;
  if (request.done) request.done(std::move(result));
}

void LiveRun::Impl::handle(SaveCheckpoint& request) {
  auto result = session.save_checkpoint(request.path);
  if (request.done) request.done(std::move(result));
}

void LiveRun::Impl::handle(SaveJournal& request) {
  auto result = history.update_journal();
  if (result) result = session.save_journal(request.path);
  if (request.done) request.done(std::move(result));
}

void LiveRun::Impl::handle(ReadJournal& request) {
  (void)history.update_journal();
  Journal journal = session.journal();
  journal.entries.push_back({session.tick(), JournalEntry::Kind::hash, {}, world.hash()});
  if (request.done) request.done(std::move(journal));
}

/// Answers the requests for journals that arrived before the end of the run, because a video that is being finished
/// needs its journal.
void LiveRun::Impl::serve_last_journals() {
  {
    const std::lock_guard lock(mutex);
    deferred.insert(deferred.end(), std::make_move_iterator(inbox.begin()), std::make_move_iterator(inbox.end()));
    inbox.clear();
  }
  for (Request& request : deferred)
    if (auto* wanted = std::get_if<ReadJournal>(&request)) handle(*wanted);
}

bool LiveRun::Impl::step_due() {
  if (world.health().failed) return false;
  if (paused) return steps_asked > 0;
  const auto now = Clock::now();
  pacer.advance(std::chrono::duration<double>(now - last_advance).count(), world.params().speed, world.dt());
  last_advance = now;
  return pacer.step_due(world.dt());
}

void LiveRun::Impl::take_step() {
  const double dt = world.dt();
  const bool is_recorded = !history.at_end();
  const bool is_taken = history.step();
  if (is_taken) played_s += dt;
  if (!is_taken && !world.health().failed) paused = true;  // a recorded step cannot be repeated
  timeline_is_old = true;
  take_history_messages();
  if (is_recorded) tell_scene();
  if (paused)
    steps_asked = is_taken ? steps_asked - 1 : 0;
  else
    pacer.stepped(dt);
  stop_if_failed();
  const auto now = Clock::now();
  if (!paused) meter.sample(std::chrono::duration<double>(now - start).count(), played_s);
  const bool more_due = paused ? steps_asked > 0 : pacer.step_due(dt);
  const bool stale = std::chrono::duration<double>(now - last_publish).count() >= publish_interval_s;
  if (sink.sink || watcher.sink || !more_due || stale) publish();
}

void LiveRun::Impl::stop_if_failed() {
  if (!world.health().failed) return;
  paused = true;
  steps_asked = 0;
  if (!failure_reported) tell(world.health().sentence());
  failure_reported = true;
}

/// Returns whether the next snapshot should recompute the field visualisation.
bool LiveRun::Impl::air_due() const {
  return paused || sink.sink ||
         std::chrono::duration<double>(Clock::now() - last_air).count() >=
             std::max(air_interval_s, air_cost_s / air_share);
}

/// Publishes a snapshot. Unless `for_all` is set, only the drawing thread receives it.
void LiveRun::Impl::publish(bool for_all) {
  Snapshot& snapshot = exchange.back();
  const bool fresh_air = air_due();
  if (fresh_air) last_air = Clock::now();
  world.write_snapshot(snapshot, fresh_air);
  if (fresh_air) air_cost_s = std::chrono::duration<double>(Clock::now() - last_air).count();
  snapshot.sequence = ++sequence;
  snapshot.realtime_factor = paused ? 0 : meter.rate();
  snapshot.asked_speed = world.params().speed;
  snapshot.paused = paused;
  const RunMoment& now = history.now();
  snapshot.run = history.run_number();
  snapshot.tick = now.tick;
  snapshot.commands = now.commands;
  snapshot.place = {.branch = now.branch,
                    .elapsed_s = history.elapsed_s(),
                    .branch_time_s = history.tree().branch(now.branch).fork_time_s,
                    .is_past = !history.at_end(),
                    .is_seeking = history.is_seeking(),
                    .seek_remaining = static_cast<double>(history.remaining_steps()) / static_cast<double>(seek_steps)};
  exchange.publish();
  last_publish = Clock::now();
  if (!for_all) return;
  // The snapshot's slot is not written until this thread publishes again, so consumers and the drawing thread may read
  // it concurrently.
  watcher.offer(snapshot, now.tick, stop);
  sink.offer(snapshot, now.tick, release_sink);
}

void LiveRun::Impl::wait() {
  std::unique_lock lock(mutex);
  const auto called = [this] { return stop || !inbox.empty(); };
  if (paused || world.health().failed) {
    wake.wait(lock, [&] { return called() || (timeline_wanted && timeline_is_old); });
    if (called()) return;
    const double since = std::chrono::duration<double>(Clock::now() - last_timeline).count();
    wake.wait_for(lock, std::chrono::duration<double>(timeline_interval_s - since), called);
    return;
  }
  wake.wait_for(lock, std::chrono::duration<double>(pacer.wait_s(world.params().speed, world.dt())), called);
}

// ---- On the drawing thread ------------------------------------------------------------------------------------------

LiveRun::LiveRun(Run run, Start start, HistoryLimits limits)
    : impl_(std::make_unique<Impl>(exchange_, std::move(*run.session_), start, std::move(limits))) {}
LiveRun::~LiveRun() = default;

void LiveRun::set_paused(bool paused) { impl_->post(SetPaused{paused}); }
void LiveRun::single_step(int steps) { impl_->post(SingleStep{steps}); }
void LiveRun::set_speed(double factor) { submit(SetParameter{"world.speed", factor}); }
void LiveRun::submit(Command command) {
  if (std::holds_alternative<Settle>(command)) impl_->stop_settling = false;
  impl_->post(std::move(command));
}
void LiveRun::change(ChangeNodes command, std::function<void(Result<void>)> done) {
  impl_->post(Change{std::move(command), std::move(done)});
}
void LiveRun::subscribe(SnapshotRequest wanted) { impl_->post(Subscribe{std::move(wanted)}); }
void LiveRun::set_sink(std::shared_ptr<SnapshotSink> sink) { impl_->post(SetSink{std::move(sink)}); }
void LiveRun::set_watcher(std::shared_ptr<SnapshotSink> watcher) { impl_->post(SetWatcher{std::move(watcher)}); }
void LiveRun::save_checkpoint(std::string path, std::function<void(Result<void>)> done) {
  impl_->post(SaveCheckpoint{std::move(path), std::move(done)});
}
void LiveRun::save_journal(std::string path, std::function<void(Result<void>)> done) {
  impl_->post(SaveJournal{std::move(path), std::move(done)});
}
std::shared_ptr<const Checkpoint> LiveRun::start() const { return impl_->start_state; }

void LiveRun::journal(std::function<void(Journal)> done) { impl_->post(ReadJournal{std::move(done)}); }

void LiveRun::seek(std::uint32_t branch, std::uint64_t tick) { impl_->post(Seek{branch, tick}); }
void LiveRun::seek_time(std::uint32_t branch, double elapsed_s) { impl_->post(SeekTime{branch, elapsed_s}); }
void LiveRun::step_back(int steps) { impl_->post(StepBack{steps}); }
void LiveRun::stop_seeking() { impl_->post(StopSeeking{}); }
void LiveRun::rename_branch(std::uint32_t branch, std::string name) {
  impl_->post(
      EditHistory{[branch, name = std::move(name)](RunHistory& history) { return history.rename(branch, name); }});
}
void LiveRun::promote_branch(std::uint32_t branch) {
  impl_->post(EditHistory{[branch](RunHistory& history) { return history.promote(branch); }});
}
void LiveRun::remove_branch(std::uint32_t branch) {
  impl_->post(EditHistory{[branch](RunHistory& history) { return history.remove(branch); }});
}
void LiveRun::add_bookmark(std::string name) {
  impl_->post(EditHistory{[name = std::move(name)](RunHistory& history) {
    return history.add_bookmark({history.now().tick, name});
  }});
}
void LiveRun::remove_bookmark(std::uint32_t branch, std::uint64_t tick) {
  impl_->post(EditHistory{[branch, tick](RunHistory& history) { return history.remove_bookmark(branch, tick); }});
}

std::shared_ptr<const Timeline> LiveRun::timeline() {
  bool is_first = false;
  std::shared_ptr<const Timeline> newest;
  {
    const std::lock_guard lock(impl_->mutex);
    is_first = !std::exchange(impl_->timeline_wanted, true);
    newest = impl_->timeline;
  }
  if (is_first) impl_->wake.notify_one();
  return newest;
}

std::optional<SceneOfMoment> LiveRun::take_scene() {
  const std::lock_guard lock(impl_->mutex);
  if (impl_->told_commands != impl_->submitted) return {};
  return std::exchange(impl_->told_scene, std::nullopt);
}

SettleProgress LiveRun::settle_progress() const {
  return {impl_->settle_share, impl_->settle_residual, impl_->settle_iterations};
}
void LiveRun::stop_settling() { impl_->stop_settling = true; }

std::optional<Result<Equilibrium>> LiveRun::take_settled() {
  const std::lock_guard lock(impl_->mutex);
  return std::exchange(impl_->settled, std::nullopt);
}

std::vector<std::string> LiveRun::take_messages() {
  const std::lock_guard lock(impl_->mutex);
  return std::exchange(impl_->messages, {});
}

std::vector<std::string> LiveRun::take_warnings() {
  std::vector<std::string> taken;
  if (warnings_.is_new_slow(newest().slow)) taken.push_back(newest().slow);
  for (const SystemSnapshot& system : newest().systems)
    for (std::string& warning : warnings_.note(system.name, system.totals)) taken.push_back(std::move(warning));
  return taken;
}

}  // namespace vw::api
