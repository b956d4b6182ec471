#include "app/cli/export/offscreen_video.h"

#include <chrono>
#include <cstdint>
#include <utility>

namespace vw::cli {

SnapshotSource::SnapshotSource(Session& session, double until_s, std::vector<std::string> channels, int frames_per_s,
                               std::function<void(const World&)> after_step)
    : session_(session),
      until_s_(until_s),
      channels_(std::move(channels)),
      frames_per_s_(frames_per_s),
      after_step_(std::move(after_step)),
      thread_([this] { step_all(); }) {}

SnapshotSource::~SnapshotSource() {
  stop();
  thread_.join();
}

void SnapshotSource::stop() {
  stop_.store(true);
  queue_.close();
}

void SnapshotSource::step_all() {
  Snapshot snapshot;
  constexpr double slack = 1e-6;  // tolerance for rounding errors of times, in steps
  const double begin_s = session_.world().time();
  std::int64_t frames = -1;
  const auto publish = [&](Session& at) {
    const double time_s = at.world().time();
    const auto reached = static_cast<std::int64_t>((time_s - begin_s) * frames_per_s_ + 1e-6);
    const bool is_last = time_s >= until_s_ - slack * at.world().dt();
    at.world().write_snapshot(snapshot, channels_, reached > frames || is_last);
    frames = reached;
    queue_.offer(snapshot, stop_);
    return !stop_.load();
  };
  if (publish(session_))
    while (session_.world().time() < until_s_ - slack * session_.world().dt()) {
      if (!session_.step()) {
        failed_.store(true);
        break;
      }
      if (after_step_) after_step_(session_.world());
      if (!publish(session_)) break;
    }
  done_.store(true);
}

bool SnapshotSource::next(Snapshot& out) {
  for (;;) {
    // read before the queue, so that all states offered before done_ was set are taken
    const bool was_done = done_.load();
    if (queue_.take(out)) return true;
    if (was_done) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

Result<void> play(SnapshotSource& source, int frames_per_s, double end_s,
                  const std::function<Result<void>(const Moment&)>& draw, const std::function<bool(double)>& keep_going,
                  Snapshot& last) {
  Snapshot before;
  if (!source.next(last)) return {};
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
    clock.advance(last.time_s);
    if (!keep_going(last.time_s)) return {};
  }
}

}  // namespace vw::cli
