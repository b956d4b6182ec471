#include "app/cli/export/offscreen_video.h"

#include <chrono>
#include <cstdint>
#include <utility>

namespace vw::cli {

SnapshotSource::SnapshotSource(api::Run& run, double until_s, int frames_per_s,
                               std::function<void(api::Run&)> after_step)
    : run_(run), until_s_(until_s), frames_per_s_(frames_per_s), after_step_(std::move(after_step)), thread_([this] {
        run_thread();
      }) {}

SnapshotSource::~SnapshotSource() {
  stop();
  thread_.join();
}

void SnapshotSource::stop() {
  stop_.store(true);
  queue_.close();
}

void SnapshotSource::run_thread() {
  try {
    step_all();
  } catch (...) {
    thrown_ = std::current_exception();
  }
  done_.store(true);
}

void SnapshotSource::step_all() {
  Snapshot snapshot;
  constexpr double slack = 1e-6;  // tolerance for rounding errors of times, in steps
  const double begin_s = run_.time_s();
  std::int64_t frames = -1;
  const auto publish = [&] {
    const double time_s = run_.time_s();
    const auto reached = static_cast<std::int64_t>((time_s - begin_s) * frames_per_s_ + 1e-6);
    const bool is_last = time_s >= until_s_ - slack * run_.dt_s();
    run_.snapshot(snapshot, reached > frames || is_last);
    frames = reached;
    queue_.offer(snapshot, stop_);
    return !stop_.load();
  };
  if (publish())
    while (run_.time_s() < until_s_ - slack * run_.dt_s()) {
      if (!run_.step()) {
        failed_.store(true);
        break;
      }
      if (after_step_) after_step_(run_);
      if (!publish()) break;
    }
}

bool SnapshotSource::next(Snapshot& out) {
  for (;;) {
    // `done_` is read before the queue. If it is set, no further state is added to the queue afterwards.
    const bool was_done = done_.load();
    if (queue_.take(out)) return true;
    if (was_done && thrown_) std::rethrow_exception(thrown_);
    if (was_done) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

Result<void> play(SnapshotSource& source, int frames_per_s, double end_s,
                  const std::function<Result<void>(const Moment&)>& draw, const std::function<bool(double)>& keep_going,
                  Snapshot& last, const std::function<void(const Snapshot&)>& each_state) {
  Snapshot before;
  if (!source.next(last)) return {};
  if (each_state) each_state(last);
  FrameClock clock(frames_per_s, last.time_s);
  const std::uint64_t wanted = clock.count_until(end_s);
  before = last;
  for (;;) {
    while (clock.taken() < wanted) {
      const auto blend = clock.next();
      if (!blend) break;
      if (auto drawn = draw({before, last, *blend}); !drawn) return drawn;
      if (!keep_going(last.time_s)) return {};
    }
    std::swap(before, last);
    if (!source.next(last)) {
      std::swap(before, last);
      return {};
    }
    if (each_state) each_state(last);
    clock.advance(last.time_s);
    if (!keep_going(last.time_s)) return {};
  }
}

}  // namespace vw::cli
