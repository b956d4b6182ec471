// Threads that share loops and stay awake for a moment after each: handing over a loop costs them less than a microsecond, where waking costs many.
// Each begins with the same part of every loop, so that what it wrote in one it finds in its own caches in the next; who is done helps the others,
// from the far end of their parts. Which thread does what, no result depends on.
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
  /// What is called with each chunk's number; must not throw.
  struct ChunkRef {
    const void* object = nullptr;
    void (*call)(const void* object, std::size_t chunk) = nullptr;
  };
  /// Loops of more chunks are not for a team.
  static constexpr std::size_t most_chunks = 0xffff;

  /// Starts members - 1 threads. The caller is member 0.
  explicit LoopTeam(std::size_t members);
  ~LoopTeam();
  LoopTeam(const LoopTeam&) = delete;
  LoopTeam& operator=(const LoopTeam&) = delete;
  [[nodiscard]] std::size_t size() const { return parts_.size(); }

  /// Calls body(chunk) for every chunk once, on any members, and returns when all are done. From within a body: on the spot.
  void run(std::size_t chunks, ChunkRef body);

 private:
  /// The chunks [next, end) of a member that nobody has taken yet, in one word: next below, end above.
  struct alignas(64) Part {
    std::atomic<std::uint32_t> open{0};
    std::size_t worked = 0;  ///< chunks that its owner did of the run under way, its own or others'
  };
  void serve(std::size_t member);
  void share_out(std::size_t chunks);
  void learn(std::size_t chunks);
  [[nodiscard]] std::uint32_t wait_for_run(std::uint32_t seen);
  void work(std::size_t member);

  std::vector<Part> parts_;
  ChunkRef body_;              ///< of the run under way
  std::vector<double> share_;  ///< of each member in the last loops, up to it
  bool running_ = false;
  alignas(64) std::atomic<std::uint32_t> runs_{0};
  alignas(64) std::atomic<std::size_t> done_{0};  ///< chunks of the run under way
  alignas(64) std::atomic<std::uint32_t> asleep_{0};
  std::atomic<bool> stop_{false};
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<std::thread> threads_;
};

/// While one lives, the loops that its thread begins with parallel_for() are a team's, where there is a core for each of thread_count() threads and
/// nobody else has it. For many short loops over the same rows in a row. May be nested.
class TeamedLoops {
 public:
  TeamedLoops();
  ~TeamedLoops();
  TeamedLoops(const TeamedLoops&) = delete;
  TeamedLoops& operator=(const TeamedLoops&) = delete;
  /// That of this thread's loops; null: none.
  [[nodiscard]] static LoopTeam* team();

 private:
  bool lent_ = false;
};

}  // namespace vw
