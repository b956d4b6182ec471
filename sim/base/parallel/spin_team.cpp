// Barrier by a phase counter: the last member to arrive increments the phase, and the others poll it.
#include "sim/base/parallel/spin_team.h"

#include <algorithm>
#include <system_error>

#include "sim/base/parallel/stall.h"
#include "sim/base/relax.h"

namespace vw {
namespace {

/// Number of polls after which a waiting thread yields its core. They take about 50 us.
constexpr int patience = 4000;

}  // namespace

SpinTeam::SpinTeam(std::size_t members) : stalled_(members) {
  try {
    for (std::size_t member = 1; member < members; ++member) threads_.emplace_back([this, member] { serve(member); });
  } catch (const std::system_error&) {
    end_threads();  // the program would end if the object of a running thread were destroyed
    throw;
  }
}

SpinTeam::~SpinTeam() { end_threads(); }

void SpinTeam::end_threads() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void SpinTeam::start(WorkRef work) {
  std::fill(stalled_.begin(), stalled_.end(), Stall{});
  // The start time is read before any member can begin. If cores are busy, the caller may be delayed between
  // notify_all() and its own work, while the other members already wait for it.
  const Clock::time_point start = Clock::now();
  {
    const std::lock_guard lock(mutex_);
    work_ = work;
    ++run_;
  }
  wake_.notify_all();
  work.call(work.object, 0);
  // At the end of a run, only the wait of the caller counts, because the others have nothing to do until the next run.
  add_stall(0, wait_for_all(), {});
  Clock::duration longest{};
  for (const Stall& stall : stalled_) longest = std::max(longest, stall.time);
  stalled_fraction_ = std::chrono::duration<double>(longest) / (Clock::now() - start);
}

void SpinTeam::serve(std::size_t member) {
  std::uint64_t seen = 0;
  while (true) {
    WorkRef work;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return stop_ || run_ != seen; });
      if (stop_) return;
      seen = run_;
      work = work_;
    }
    work.call(work.object, member);
    (void)wait_for_all();
  }
}

bool SpinTeam::is_last() {
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 < size()) return false;
  arrived_.store(0, std::memory_order_relaxed);
  return true;
}

void SpinTeam::barrier(std::size_t member) { add_stall(member, wait_for_all(), {}); }

SpinTeam::Clock::duration SpinTeam::wait_for_all() {
  const std::uint64_t phase = phase_.load(std::memory_order_acquire);
  if (!is_last()) return watch(phase);
  phase_.store(phase + 1, std::memory_order_release);
  return {};
}

/// Adds `waited` - `worked` to the member's lost time if the difference is at least `least_stall`. `worked` is the time
/// during which another member ran the work of barrier_with().
void SpinTeam::add_stall(std::size_t member, Clock::duration waited, Clock::duration worked) {
  if (waited - worked >= least_stall) stalled_[member].time += waited - worked;
}

/// Waits for the end of a phase. Returns the time by which the wait exceeded the first `patience` polls (about 50 us),
/// or 0 if the phase ended earlier.
SpinTeam::Clock::duration SpinTeam::watch(std::uint64_t phase) {
  const auto is_over = [&] { return phase_.load(std::memory_order_acquire) != phase; };
  for (int looks = 0; looks < patience; ++looks) {
    if (is_over()) return {};
    relax();
  }
  const Clock::time_point from = Clock::now();
  while (!is_over()) std::this_thread::yield();
  return Clock::now() - from;
}

}  // namespace vw
