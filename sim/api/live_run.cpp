// Only the simulation thread accesses the world. The drawing thread puts requests into an inbox and takes snapshots
// from the exchange. One mutex guards the inbox, the messages and the result of Settle. The mutex is held for the
// length of a push or a swap, never during a step, file access or a callback.
#include "sim/api/live_run.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

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
struct TakeJournal {
  std::function<void(Journal)> done;
};
struct Change {
  ChangeNodes command;
  std::function<void(Result<void>)> done;
};
using Request = std::variant<SetPaused, SingleStep, Command, Change, Subscribe, SetSink, SetWatcher, SaveCheckpoint,
                             SaveJournal, TakeJournal>;

/// Shortest wall time between two published snapshots [s]. It is shorter than a display's frame time. If steps take
/// less time, only some steps publish a snapshot.
constexpr double publish_interval_s = 0.004;
/// Limits for field visualisations, which can cost more than steps: the shortest interval between two of them, and the
/// fraction of the thread's time that they may take while steps are due.
constexpr double air_interval_s = 0.016, air_share = 0.4;
constexpr std::size_t most_messages = 100;

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

  // Used by the simulation thread only.
  std::vector<Request> batch;
  Consumer sink, watcher;
  bool paused = true;
  int steps_asked = 0;
  bool failure_reported = false;
  std::uint64_t sequence = 0;
  Pacer pacer;
  RateMeter meter;
  Clock::time_point start = Clock::now(), last_advance = start, last_publish = start, last_air = start;
  double air_cost_s = 0;
  std::thread thread;

  Impl(Exchange<Snapshot>& out, Session made, Start at_start);
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
  void handle(TakeJournal& request);
  void serve_last_journals();
  [[nodiscard]] bool step_due();
  void take_step();
  void stop_if_failed();
  [[nodiscard]] bool air_due() const;
  void publish();
  void wait();
};

LiveRun::Impl::Impl(Exchange<Snapshot>& out, Session made, Start at_start)
    : exchange(out),
      session(std::move(made)),
      world(session.world()),
      start_state(session.start()),
      paused(at_start == Start::paused) {
  world.watch_settling([this](double share, double residual) {
    settle_share = share;
    settle_residual = residual;
    ++settle_iterations;
    return !stop && !stop_settling;
  });
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
  for (Request& request : batch) std::visit([this](auto& what) { handle(what); }, request);
  const bool changed = !batch.empty();
  batch.clear();
  return changed;
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
  const auto good = session.apply(command);
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
  if (const auto* which = std::get_if<Settle>(&command)) return do_settle(*which);
  if (auto good = session.apply(command); !good) return tell(good.error().message());
  if (!world.health().failed) failure_reported = false;
  if (std::holds_alternative<Reset>(command)) pacer.clear();
}

void LiveRun::Impl::handle(Change& request) {
  auto result = session.apply(std::move(request.command));
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
  auto result = session.save_journal(request.path);
  if (request.done) request.done(std::move(result));
}

void LiveRun::Impl::handle(TakeJournal& request) {
  Journal journal = session.journal();
  journal.entries.push_back({session.tick(), JournalEntry::Kind::hash, {}, world.hash()});
  if (request.done) request.done(std::move(journal));
}

/// Answers the requests for journals that arrived before the end of the run, because a video that is being finished
/// needs its journal.
void LiveRun::Impl::serve_last_journals() {
  {
    const std::lock_guard lock(mutex);
    std::swap(batch, inbox);
  }
  for (Request& request : batch)
    if (auto* wanted = std::get_if<TakeJournal>(&request)) handle(*wanted);
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
  (void)session.step();
  if (paused)
    --steps_asked;
  else
    pacer.stepped(dt);
  stop_if_failed();
  const auto now = Clock::now();
  if (!paused) meter.sample(std::chrono::duration<double>(now - start).count(), session.simulated_s());
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

void LiveRun::Impl::publish() {
  Snapshot& snapshot = exchange.back();
  const bool fresh_air = air_due();
  if (fresh_air) last_air = Clock::now();
  world.write_snapshot(snapshot, fresh_air);
  if (fresh_air) air_cost_s = std::chrono::duration<double>(Clock::now() - last_air).count();
  snapshot.tick = session.tick();
  snapshot.commands = session.commands();
  snapshot.sequence = ++sequence;
  snapshot.realtime_factor = paused ? 0 : meter.rate();
  snapshot.asked_speed = world.params().speed;
  snapshot.paused = paused;
  exchange.publish();
  last_publish = Clock::now();
  // The snapshot's slot is not written until this thread publishes again, so consumers and the drawing thread may read
  // it concurrently.
  watcher.offer(snapshot, session.tick(), stop);
  sink.offer(snapshot, session.tick(), release_sink);
}

void LiveRun::Impl::wait() {
  std::unique_lock lock(mutex);
  const auto called = [this] { return stop || !inbox.empty(); };
  if (paused || world.health().failed) return wake.wait(lock, called);
  wake.wait_for(lock, std::chrono::duration<double>(pacer.wait_s(world.params().speed, world.dt())), called);
}

// ---- On the drawing thread ------------------------------------------------------------------------------------------

LiveRun::LiveRun(Run run, Start start) : impl_(std::make_unique<Impl>(exchange_, std::move(*run.session_), start)) {}
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
void LiveRun::journal(std::function<void(Journal)> done) { impl_->post(TakeJournal{std::move(done)}); }
std::shared_ptr<const Checkpoint> LiveRun::start() const { return impl_->start_state; }

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
