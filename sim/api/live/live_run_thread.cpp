// The simulation thread of a live run: requests, steps and snapshots.
#include <algorithm>
#include <iterator>

#include "sim/api/live/live_run_impl.h"
#include "sim/system/system.h"
#include "sim/world/step/grab.h"

namespace vw::api {
namespace {

/// Shortest wall time between two published snapshots [s]; it is shorter than a frame of a display. If steps are
/// faster, not every step publishes a snapshot.
constexpr double publish_interval_s = 0.004;
/// Limits on the computation of field visualisations, which can cost more than steps. The first is the shortest wall
/// time between two computations [s]. The second is the largest fraction of the thread's time that the computations may
/// take while steps are due.
constexpr double air_interval_s = 0.016, air_share = 0.4;
constexpr std::size_t most_messages = 100;

/// Returns the history of the session. The keyframes of a restored history refer to the session, so the session must
/// not be moved afterwards.
RunHistory history_of(Session& session, HistoryLimits limits, std::optional<RestoredHistory> restored) {
  if (!restored) return RunHistory(session, std::move(limits));
  return RunHistory(session, std::move(limits), std::move(*restored));
}

/// Sets the row in a command to that of the element with this permanent id. Returns false if the element no longer
/// exists.
bool set_row(World& world, Command& command, std::uint32_t identity) {
  bool exists = true;
  const auto look_up = [&](const std::string& name, std::int64_t& element) {
    const System* system = world.find_system(name);
    if (system == nullptr) return;  // the world reports the error
    const std::int64_t row = row_of(system->elements(), identity);
    exists = row >= 0;
    if (exists) element = row;
  };
  std::visit(
      [&]([[maybe_unused]] auto& what) {
        if constexpr (requires { what.element; }) look_up(what.system, what.element);
      },
      command);
  return exists;
}

}  // namespace

LiveRun::Impl::Impl(Exchange<Snapshot>& out, Session made, Start at_start, HistoryLimits limits,
                    std::optional<RestoredHistory> restored)
    : exchange(out),
      session(std::move(made)),
      world(session.world()),
      start_state(session.start()),
      first_target(restored ? std::optional(restored->present) : std::nullopt),
      history(history_of(session, std::move(limits), std::move(restored))),
      film(film_bytes),
      paused(at_start == Start::paused) {
  world.watch_settling([this](double share, double residual) {
    settle_share = share;
    settle_residual = residual;
    ++settle_iterations;
    return !stop && !(is_settling && stop_settling);
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
  if (saver.joinable()) saver.join();
}

void LiveRun::Impl::post(Request request) {
  {
    const std::lock_guard lock(mutex);
    // The current sink may be blocking the simulation thread. The flag makes the sink return.
    if (std::holds_alternative<SetSink>(request)) release_sink = true;
    if (std::holds_alternative<Submitted>(request) || std::holds_alternative<Change>(request)) ++submitted;
    inbox.push_back(std::move(request));
  }
  wake.notify_one();
}

void LiveRun::Impl::tell(std::string message) {
  const std::lock_guard lock(mutex);
  if (messages.size() < most_messages) messages.push_back(std::move(message));
}

bool LiveRun::Impl::waits_for_arrival(const Request& request) {
  return std::holds_alternative<Submitted>(request) || std::holds_alternative<Change>(request) ||
         std::holds_alternative<SingleStep>(request) || std::holds_alternative<SaveCheckpoint>(request) ||
         std::holds_alternative<SaveJournal>(request) || std::holds_alternative<ReadJournal>(request) ||
         std::holds_alternative<SaveSession>(request) || std::holds_alternative<EditHistory>(request);
}

void LiveRun::Impl::run() {
  if (first_target) {
    known_scene = history.tree().scene_stamp(*first_target);  // the drawing thread has the scene of the file
    go_to(*first_target);
  }
  publish();
  while (!stop) {
    const bool changed = take_requests();
    if (!deferred.empty() && !history.is_seeking()) continue;  // nothing else would wake the thread for these requests
    // A new consumer first receives the present state, even if a step is already due.
    if (sink.is_new || watcher.is_new) publish();
    update_timeline();
    if (std::chrono::duration<double>(Clock::now() - last_recording).count() >= recording_interval_s)
      update_recording();
    if (history.is_seeking()) {
      continue_seek();
      continue;
    }
    if (step_due()) {
      take_step();
      continue;
    }
    if (changed || has_unpublished_step) publish();
    wait();
  }
  serve_last_requests();
  update_recording();
  // The last line of the journal contains the hash of the present moment, so the journal must lead to it.
  if (auto good = history.update_journal(); !good) tell(good.error().message());
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
    // Requests after a waiting request wait too, so that their order is kept. A request of this batch may end the seek
    // for which requests wait.
    if ((history.is_seeking() || !deferred.empty()) && waits_for_arrival(request))
      deferred.push_back(std::move(request));
    else
      std::visit([this](auto& what) { handle(what); }, request);
  }
  batch.clear();
  if (changed) timeline_is_old = true;
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
  is_settling = true;
  const auto good = history.apply(command);
  is_settling = false;
  if (!good && !stop_settling) tell(good.error().message());
  pacer.clear();  // no simulated time is due for the time spent in the search
  last_advance = Clock::now();
  const std::lock_guard lock(mutex);
  if (good)
    settled.emplace(*world.settled());
  else
    settled.emplace(Unexpected(good.error()));
}

void LiveRun::Impl::handle(Submitted& request) {
  ++applied;
  Command& command = request.command;
  // If the element was removed before the command arrived, the command has no effect.
  if (request.identity && !set_row(world, command, *request.identity)) return command_was_handled(command, false);
  if (const auto* which = std::get_if<Settle>(&command)) {
    do_settle(*which);
    return command_was_handled(command, true);
  }
  const Result<void> good = history.apply(command);
  command_was_handled(command, good.has_value());
  if (!good) return tell(good.error().message());
  if (!world.health().failed) failure_reported = false;
  if (restarts_world(command)) pacer.clear();
}

void LiveRun::Impl::handle(Change& request) {
  ++applied;
  Command command = std::move(request.command);
  auto result = history.apply(command);
  ChangeOutcome outcome;
  if (!result && request.may_restart) {
    outcome = {.restarted = true, .reason = result.error().message()};
    std::get<ChangeNodes>(command).resets = true;
    result = history.apply(command);
  }
  command_was_handled(command, result.has_value());
  pacer.clear();  // no simulated time is due for the time in which new parts are built
  last_advance = Clock::now();
  if (result) failure_reported = false;
  if (request.done) request.done(result ? Result<ChangeOutcome>(outcome) : Unexpected(result.error()));
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

void LiveRun::Impl::handle(SaveSession& request) {
  if (saver.joinable()) saver.join();
  saver = std::thread([write = history.saver(request.path, request.limit_bytes), done = std::move(request.done)] {
    auto result = write();
    if (done) done(std::move(result));
  });
}

void LiveRun::Impl::update_recording() {
  history.update_recording();
  last_recording = Clock::now();
  take_history_messages();
}

void LiveRun::Impl::handle(ReadJournal& request) {
  (void)history.update_journal();
  Journal journal = session.journal();
  if (request.branch) {
    const bool is_known = history.tree().has(*request.branch);
    journal.entries = history.journal_entries(is_known ? *request.branch : history.now().branch);
    if (request.done) request.done(std::move(journal));
    return;
  }
  journal.entries.push_back({session.tick(), JournalEntry::Kind::hash, {}, world.hash()});
  if (request.done) request.done(std::move(journal));
}

/// Serves requests for files and journals that are pending when the run ends. For example, a video that is being
/// finished needs its journal. Requests that precede a file are served too, because they change its contents.
void LiveRun::Impl::serve_last_requests() {
  {
    const std::lock_guard lock(mutex);
    deferred.insert(deferred.end(), std::make_move_iterator(inbox.begin()), std::make_move_iterator(inbox.end()));
    inbox.clear();
  }
  const auto is_save = [](const Request& request) {
    return std::holds_alternative<SaveCheckpoint>(request) || std::holds_alternative<SaveJournal>(request) ||
           std::holds_alternative<SaveSession>(request);
  };
  const auto after_saves = std::find_if(deferred.rbegin(), deferred.rend(), is_save).base();
  for (auto request = deferred.begin(); request != deferred.end(); ++request) {
    if (request >= after_saves && !std::holds_alternative<ReadJournal>(*request)) continue;
    while (request < after_saves && waits_for_arrival(*request) && history.continue_seek()) {
    }
    std::visit([this](auto& what) { handle(what); }, *request);
  }
}

bool LiveRun::Impl::step_due() {
  if (world.health().failed) return false;
  if (paused) return steps_asked > 0;
  const auto now = Clock::now();
  if (history.elapsed_s() >= hold_s) {
    pacer.clear();  // no simulated time is due for the time spent waiting
    last_advance = now;
    meter.sample(std::chrono::duration<double>(now - start).count(), played_s);
    return false;
  }
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
  has_unpublished_step = true;
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

/// Publishes a snapshot. If `for_all` is false, only the drawing thread receives it.
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
  const BranchNumber owner = history.tree().owner(now.branch, now.tick);
  if (film.is_due(owner, snapshot.place.elapsed_s)) film.add(snapshot, owner);
  exchange.publish();
  has_unpublished_step = false;
  last_publish = Clock::now();
  if (!for_all) return;
  // This thread does not write to the snapshot again before the next publish(), so consumers and the drawing thread may
  // read it at the same time.
  watcher.offer(snapshot, now.tick, stop);
  sink.offer(snapshot, now.tick, release_sink);
}

void LiveRun::Impl::wait() {
  if (paused || world.health().failed) update_recording();
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

}  // namespace vw::api
