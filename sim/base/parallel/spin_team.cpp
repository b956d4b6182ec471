// Barrier by a phase counter: the last member to arrive increments the phase, and the others poll it.
#include "sim/base/parallel/spin_team.h"

#include "sim/base/relax.h"

namespace vw {
namespace {

/// Number of polls before a waiting thread yields its core. The polls take about 50 us.
constexpr int patience = 4000;

}  // namespace

SpinTeam::SpinTeam(std::size_t members) {
  for (std::size_t member = 1; member < members; ++member) threads_.emplace_back([this, member] { serve(member); });
}

SpinTeam::~SpinTeam() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void SpinTeam::start(WorkRef work) {
  {
    const std::lock_guard lock(mutex_);
    work_ = work;
    ++run_;
  }
  wake_.notify_all();
  crowded_ = barriers_ = 0;
  work.call(work.object, 0);
  barrier(0);
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
    barrier(member);
  }
}

bool SpinTeam::is_last() {
  if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 < size()) return false;
  arrived_.store(0, std::memory_order_relaxed);
  return true;
}

void SpinTeam::barrier(std::size_t member) {
  bool crowded = false;
  const std::uint64_t phase = phase_.load(std::memory_order_acquire);
  if (is_last())
    phase_.store(phase + 1, std::memory_order_release);
  else
    crowded = watch(phase);
  if (member != 0) return;
  ++barriers_;
  if (crowded) ++crowded_;
}

bool SpinTeam::watch(std::uint64_t phase) {
  int looks = 0;
  for (; phase_.load(std::memory_order_acquire) == phase; ++looks) {
    if (looks < patience)
      relax();
    else
      std::this_thread::yield();
  }
  return looks > patience;
}

}  // namespace vw
