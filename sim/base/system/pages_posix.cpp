#include "sim/base/system/pages.h"

#include <cstdlib>

#include <sys/mman.h>

namespace vw {

void* allocate_pages(std::size_t bytes, std::size_t page) {
  void* data = std::aligned_alloc(page, bytes);
#ifdef MADV_HUGEPAGE  // an extension of Linux
  if (data != nullptr && page == large_page) (void)::madvise(data, bytes, MADV_HUGEPAGE);
#endif
  return data;
}

void free_pages(void* data) { std::free(data); }

}  // namespace vw
