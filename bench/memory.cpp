#include "bench/memory.h"

#include "sim/base/system/process.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

// Sanitizers replace the allocator of glibc, whose statistics are then empty.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define VOXWAKE_FOREIGN_HEAP
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define VOXWAKE_FOREIGN_HEAP
#endif
#endif

namespace vw::bench {

std::optional<double> heap_bytes() {
#if defined(__GLIBC__) && !defined(VOXWAKE_FOREIGN_HEAP)
#if __GLIBC_PREREQ(2, 33)
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd);
#endif
#endif
  return std::nullopt;
}

std::optional<double> resident_bytes() { return resident_memory(); }

}  // namespace vw::bench
