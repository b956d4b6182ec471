// The chunks of a loop are divided into one range for each member. A range is packed into one atomic word, from which
// any member can take a chunk. A thread that takes a chunk sees all data that were written before the loop began.
#include "sim/base/parallel/loop_team.h"

#include <algorithm>
#include <system_error>

#include "sim/base/parallel/parallel.h"
#include "sim/base/parallel/stall.h"
#include "sim/base/relax.h"

namespace vw {
namespace {

/// Numbers of spin iterations. A waiting thread yields its core after `spins_before_yield` (about 50 us) and sleeps
/// after `spins_before_sleep`. A thread without chunks of its own waits for `spins_before_steal` (about 2 us) before it
/// takes a chunk of another member.
constexpr int spins_before_yield = 4000, spins_before_sleep = 4400, spins_before_steal = 100;
/// Only loops with at least this many chunks update the division of chunks among the members. Shorter loops do not
/// measure the relative speeds of members accurately enough.
constexpr std::size_t least_chunks = 8;
constexpr std::uint32_t half_word = 16;
std::uint32_t packed(std::size_t next, std::size_t end) {
  return static_cast<std::uint32_t>(next) | static_cast<std::uint32_t>(end) << half_word;
}

/// Takes a chunk from the beginning or, if `from_far_end`, from the end of a range. Returns false if no chunk is left.
bool take(std::atomic<std::uint32_t>& open, bool from_far_end, std::size_t& chunk) {
  std::uint32_t seen = open.load(std::memory_order_relaxed);
  for (;;) {
    const std::uint32_t next = seen & LoopTeam::most_chunks, end = seen >> half_word;
    if (next >= end) return false;
    const std::uint32_t left = from_far_end ? packed(next, end - 1) : packed(next + 1, end);
    if (!open.compare_exchange_weak(seen, left, std::memory_order_acq_rel, std::memory_order_relaxed)) continue;
    chunk = from_far_end ? end - 1 : next;
    return true;
  }
}

/// Waits for about 2 us and returns whether the range then still has chunks. Meanwhile, the owner may take them.
/// Waiting is cheaper than taking a chunk at once, because the chunk's rows would have to be fetched from the owner's
/// caches.
bool is_left(const std::atomic<std::uint32_t>& open) {
  for (int looks = 0; looks < spins_before_steal; ++looks) {
    const std::uint32_t seen = open.load(std::memory_order_relaxed);
    if ((seen & LoopTeam::most_chunks) >= seen >> half_word) return false;
    relax();
  }
  return true;
}

/// The process-wide team, used by one thread at a time.
struct Lending {
  std::mutex mutex;
  bool lent = false;
  std::unique_ptr<LoopTeam> team;
};
Lending& lending() {
  static Lending one;
  return one;
}

thread_local LoopTeam* mine = nullptr;

}  // namespace

LoopTeam::LoopTeam(std::size_t members) : parts_(members), share_(members, 1), chosen_(members), active_(members) {
  for (std::size_t m = 0; m < members; ++m) share_[m] = static_cast<double>(m + 1) / static_cast<double>(members);
  try {
    for (std::size_t member = 1; member < members; ++member) threads_.emplace_back([this, member] { serve(member); });
  } catch (const std::system_error&) {
    end_threads();  // the program would end if the object of a running thread were destroyed
    throw;
  }
}

LoopTeam::~LoopTeam() { end_threads(); }

void LoopTeam::end_threads() {
  {
    const std::lock_guard lock(mutex_);
    stop_.store(true);
    runs_.fetch_add(1);
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void LoopTeam::run(std::size_t chunks, ChunkRef body) {
  const auto run_alone = [&] {
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) body.call(body.object, chunk);
  };
  if (running_) return run_alone();
  const Clock::time_point start = Clock::now();
  if (const std::size_t members = chosen_.members_at(start); members != active()) use_members(members);
  if (active() == 1) return run_alone();
  running_ = true;
  body_ = body;
  done_.store(0, std::memory_order_relaxed);
  share_out(chunks);
  runs_.fetch_add(1);
  if (asleep_.load() > 0) {
    { const std::lock_guard lock(mutex_); }
    wake_.notify_all();
  }
  work(0);
  const Clock::duration stalled = wait_for_end(chunks);
  learn(chunks);
  running_ = false;
  chosen_.add_loop(start, Clock::now(), stalled);
}

/// Waits until all chunks are done. Returns the time by which the wait exceeded the spin iterations, or 0 if this time
/// was shorter than `least_stall`.
LoopTeam::Clock::duration LoopTeam::wait_for_end(std::size_t chunks) {
  const auto is_done = [&] { return done_.load(std::memory_order_acquire) >= chunks; };
  for (int looks = 0; looks < spins_before_yield; ++looks) {
    if (is_done()) return {};
    relax();
  }
  const Clock::time_point from = Clock::now();
  while (!is_done()) std::this_thread::yield();
  const Clock::duration waited = Clock::now() - from;
  return waited < least_stall ? Clock::duration{} : waited;
}

/// Changes the number of active members, between two loops, and wakes all members.
void LoopTeam::use_members(std::size_t count) {
  {
    const std::lock_guard lock(mutex_);
    active_.store(count);
  }
  wake_.notify_all();
  for (std::size_t m = 0; m < size(); ++m)
    share_[m] = std::min(1.0, static_cast<double>(m + 1) / static_cast<double>(count));
}

/// Divides the chunks among the members in the proportions measured in an earlier loop (share_). Each member thus gets
/// about the same range of every loop and finds its data in its caches.
void LoopTeam::share_out(std::size_t chunks) {
  for (Part& part : parts_) part.worked = 0;
  // The following release stores make all earlier writes visible to every member that takes a chunk.
  std::size_t first = 0;
  for (std::size_t m = 0; m < size(); ++m) {
    const std::size_t end = std::max(first, static_cast<std::size_t>(share_[m] * static_cast<double>(chunks) + 0.5));
    parts_[m].open.store(packed(first, end), std::memory_order_release);
    first = end;
  }
}
void LoopTeam::learn(std::size_t chunks) {
  if (chunks < least_chunks) return;
  std::size_t sum = 0;
  for (std::size_t m = 0; m + 1 < size(); ++m) {
    sum += parts_[m].worked;
    share_[m] = static_cast<double>(sum) / static_cast<double>(chunks);
  }
}

/// Executes chunks, first from the member's own range, then from the ranges of the other members. An open chunk always
/// belongs to the current loop, because a loop does not end before all its chunks are done.
void LoopTeam::work(std::size_t member) {
  std::size_t count = 0, chunk = 0;
  for (std::size_t k = 0; k < size(); ++k) {
    const std::size_t owner = (member + k) % size();
    std::atomic<std::uint32_t>& open = parts_[owner].open;
    // In each pair of members (0 and 1, 2 and 3, ...), the two members work towards each other. The chunks that a
    // member takes from its partner are then adjacent to its own chunks.
    const bool downward = (owner % 2 != 0) == (k == 0);
    for (; (k == 0 || is_left(open)) && take(open, downward, chunk); ++count) body_.call(body_.object, chunk);
  }
  if (count == 0) return;
  parts_[member].worked += count;
  done_.fetch_add(count, std::memory_order_release);
}

void LoopTeam::serve(std::size_t member) {
  std::uint32_t seen = 0;
  for (;;) {
    seen = wait_for_run(seen, member);
    if (stop_.load()) return;
    if (member < active()) work(member);
  }
}

std::uint32_t LoopTeam::wait_for_run(std::uint32_t seen, std::size_t member) {
  for (int looks = 0; looks < spins_before_sleep; ++looks) {
    const std::uint32_t now = runs_.load(std::memory_order_acquire);
    if (now != seen) return now;
    if (looks < spins_before_yield)
      relax();
    else
      std::this_thread::yield();
  }
  std::unique_lock lock(mutex_);
  // An inactive member sleeps here until it becomes active. Meanwhile, it is not counted in asleep_, so that loops do
  // not wake it.
  wake_.wait(lock, [&] { return active_.load() > member || stop_.load(); });
  asleep_.fetch_add(1);
  wake_.wait(lock, [&] { return runs_.load() != seen; });
  asleep_.fetch_sub(1);
  return runs_.load();
}

TeamedLoops::TeamedLoops() {
  if (mine != nullptr) return;
  const auto threads = static_cast<std::size_t>(thread_count());
  if (threads < 2 || threads > std::thread::hardware_concurrency()) return;
  Lending& all = lending();
  const std::lock_guard lock(all.mutex);
  if (all.lent) return;
  if (!all.team || all.team->size() != threads) {
    all.team.reset();
    try {
      all.team = std::make_unique<LoopTeam>(threads);
    } catch (const std::system_error&) {
      return;
    }
  }
  all.lent = lent_ = true;
  mine = all.team.get();
}

TeamedLoops::~TeamedLoops() {
  if (!lent_) return;
  mine = nullptr;
  Lending& all = lending();
  const std::lock_guard lock(all.mutex);
  all.lent = false;
}

LoopTeam* TeamedLoops::team() { return mine; }

}  // namespace vw
