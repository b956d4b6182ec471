// Annotates the fork and join of a parallel loop for ThreadSanitizer. oneTBB passes chunks between threads inside a
// library that is not instrumented, so without these annotations every loop would be reported as a race. Each chunk
// happens after the fork and before the join. Chunks are not ordered among themselves, so a race between two chunks is
// still reported. In other builds these functions are empty.
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
