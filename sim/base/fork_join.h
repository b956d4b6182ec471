// A parallel loop's fork and join as ThreadSanitizer must see them. oneTBB hands chunks over inside a library that is not instrumented, so
// without this every loop looks like a race. Each chunk follows the fork and precedes the join; no chunk follows another, so a race between
// two chunks is still reported. Nothing at all in other builds.
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
  long long fork_ = 0, join_ = 0;  // their addresses are what counts
#else
  void fork() {}
  void begin_chunk() {}
  void end_chunk() {}
  void join() {}
#endif
};

}  // namespace vw::detail
