// Informs ThreadSanitizer about the fork and join of a parallel loop. The library oneTBB is not instrumented, so
// ThreadSanitizer does not see how chunks pass between threads and would report every loop as a race. The annotations
// state that each chunk runs after the fork and before the join. They do not order chunks among each other, so a race
// between two chunks is still reported. In other builds, these functions are empty.
#pragma once

#ifdef VOXWAKE_THREAD_SANITIZER
extern "C" void __tsan_acquire(void* address);
extern "C" void __tsan_release(void* address);
#endif

namespace vw::detail {

class ForkJoin {
 public:
#ifdef VOXWAKE_THREAD_SANITIZER
  void fork() { __tsan_release(&fork_); }
  void begin_chunk() { __tsan_acquire(&fork_); }
  void end_chunk() { __tsan_release(&join_); }
  void join() { __tsan_acquire(&join_); }

 private:
  long long fork_ = 0, join_ = 0;  // used as addresses for ThreadSanitizer; the values are never read
#else
  void fork() {}
  void begin_chunk() {}
  void end_chunk() {}
  void join() {}
#endif
};

}  // namespace vw::detail
