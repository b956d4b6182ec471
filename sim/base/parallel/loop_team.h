// A thread pool for many short parallel loops in succession. Its threads spin for a moment after each loop, so that
// starting the next loop costs less than a microsecond. Waking a thread would cost many microseconds. Each thread
// starts with the same part of every loop, so its data stay in its own caches. A thread that finishes early takes
// chunks from the far end of the other threads' parts. Results do not depend on which thread executes a chunk.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

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

  /// Starts members - 1 threads. The calling thread is member 0.
  explicit LoopTeam(std::size_t members);
  ~LoopTeam();
  LoopTeam(const LoopTeam&) = delete;
  LoopTeam& operator=(const LoopTeam&) = delete;
  [[nodiscard]] std::size_t size() const { return parts_.size(); }

  /// Calls body(chunk) exactly once for every chunk, on any member, and returns when all chunks are done. A call from
  /// within a body runs its chunks serially on the calling thread.
  void run(std::size_t chunks, ChunkRef body);

 private:
  /// Range [next, end) of a member's chunks that no thread has taken yet, packed into one word: next in the low half,
  /// end in the high half.
  struct alignas(64) Part {
    std::atomic<std::uint32_t> open{0};
    /// Number of chunks that this member has executed in the current loop, from its own part or from others.
    std::size_t worked = 0;
  };
  void serve(std::size_t member);
  void share_out(std::size_t chunks);
  void learn(std::size_t chunks);
  [[nodiscard]] std::uint32_t wait_for_run(std::uint32_t seen);
  void work(std::size_t member);

  std::vector<Part> parts_;
  ChunkRef body_;  ///< body of the current loop
  /// share_[m] is the fraction of the chunks that members 0 to m executed together, measured in the last loop of at
  /// least `least_chunks` chunks.
  std::vector<double> share_;
  bool running_ = false;
  alignas(64) std::atomic<std::uint32_t> runs_{0};
  alignas(64) std::atomic<std::size_t> done_{0};  ///< chunks of the current loop that are done
  alignas(64) std::atomic<std::uint32_t> asleep_{0};
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<std::thread> threads_;
};

/// While an object of this class lives, the parallel_for() loops of its thread run on a shared LoopTeam. The team is
/// used only if the machine has a core for each of thread_count() threads and no other thread is using the team;
/// otherwise loops run on oneTBB. The class is intended for many short loops in succession over the same rows. Objects
/// may be nested.
class TeamedLoops {
 public:
  TeamedLoops();
  ~TeamedLoops();
  TeamedLoops(const TeamedLoops&) = delete;
  TeamedLoops& operator=(const TeamedLoops&) = delete;
  /// The team of the calling thread, or null if it has none.
  [[nodiscard]] static LoopTeam* team();

 private:
  bool lent_ = false;
};

}  // namespace vw
