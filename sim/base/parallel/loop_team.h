// A thread pool for many short parallel loops in succession. After each loop, its threads spin for a moment. Starting
// the next loop then costs less than a microsecond, whereas waking a thread costs many microseconds. In every loop, a
// thread starts with the same range of chunks, so its data stay in its own caches. A thread that finishes early takes
// chunks from the far end of the other threads' ranges. Results do not depend on the thread that executes a chunk.
//
// If another program occupies a core, the thread on that core is interrupted for milliseconds at a time, often in the
// middle of a chunk, and all other threads of the team wait for it. The team measures how much time its calling thread
// loses in this way. If the loss is a large fraction of the time, the team uses one thread less. From time to time, it
// tries one thread more.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "sim/base/parallel/team_size.h"

namespace vw {

class LoopTeam {
 public:
  /// Reference to the loop body, called with each chunk's index. The body must not throw.
  struct ChunkRef {
    const void* object = nullptr;
    void (*call)(const void* object, std::size_t chunk) = nullptr;
  };
  /// Largest number of chunks of one loop.
  static constexpr std::size_t most_chunks = 0xffff;

  /// Starts members - 1 threads. The calling thread is member 0. Throws std::system_error if the system provides no
  /// more threads.
  explicit LoopTeam(std::size_t members);
  ~LoopTeam();
  LoopTeam(const LoopTeam&) = delete;
  LoopTeam& operator=(const LoopTeam&) = delete;
  [[nodiscard]] std::size_t size() const { return parts_.size(); }
  /// Returns the number of members that execute chunks at present, between 1 and size().
  [[nodiscard]] std::size_t active() const { return active_.load(std::memory_order_relaxed); }

  /// Calls body(chunk) exactly once for every chunk, on any member, and returns when all chunks are done. If called
  /// from within a body, executes all chunks serially on the calling thread.
  void run(std::size_t chunks, ChunkRef body);

 private:
  using Clock = std::chrono::steady_clock;
  /// Chunks of one member. `open` is the range [next, end) of chunks that have not been taken yet. It is packed into
  /// one word, with `next` in the low half and `end` in the high half.
  struct alignas(64) Part {
    std::atomic<std::uint32_t> open{0};
    /// Number of chunks that this member has executed in the current loop, from its own range or from others.
    std::size_t worked = 0;
  };
  void serve(std::size_t member);
  void end_threads();
  void share_out(std::size_t chunks);
  void learn(std::size_t chunks);
  Clock::duration wait_for_end(std::size_t chunks);
  void use_members(std::size_t count);
  [[nodiscard]] std::uint32_t wait_for_run(std::uint32_t seen, std::size_t member);
  void work(std::size_t member);

  std::vector<Part> parts_;
  ChunkRef body_;  ///< body of the current loop
  /// share_[m] is the fraction of the chunks that members 0 to m executed together in the last loop with at least
  /// `least_chunks` chunks. If the number of active members changes, all active members get equal fractions.
  std::vector<double> share_;
  bool running_ = false;

  TeamSize chosen_;                  ///< used by the calling thread alone
  std::atomic<std::size_t> active_;  ///< number of members that `chosen_` has chosen
  alignas(64) std::atomic<std::uint32_t> runs_{0};
  alignas(64) std::atomic<std::size_t> done_{0};  ///< chunks of the current loop that are done
  alignas(64) std::atomic<std::uint32_t> asleep_{0};
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<std::thread> threads_;
};

/// While an object of this class exists, the parallel_for() loops of its thread run on a shared LoopTeam if the machine
/// has a core for each of thread_count() threads, no other thread uses the team, and the system provides the threads.
/// Otherwise, loops run on oneTBB. The class is intended for many short loops in succession over the same rows. Objects
/// may be nested; nested objects use the same team.
class TeamedLoops {
 public:
  TeamedLoops();
  ~TeamedLoops();
  TeamedLoops(const TeamedLoops&) = delete;
  TeamedLoops& operator=(const TeamedLoops&) = delete;
  /// Returns the team of the calling thread, or null if it has none.
  [[nodiscard]] static LoopTeam* team();

 private:
  bool lent_ = false;
};

}  // namespace vw
