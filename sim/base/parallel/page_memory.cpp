#include "sim/base/parallel/page_memory.h"

#include <cstdlib>
#include <cstring>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace vw {
namespace {

constexpr std::size_t small_page = 4096, large_page = std::size_t{2} << 20;

}  // namespace

PageMemory::~PageMemory() { std::free(data_); }

void PageMemory::assign(std::size_t bytes) {
  std::free(data_);
  data_ = nullptr;
  if (bytes == 0) return;
  const std::size_t page = bytes >= 2 * large_page ? large_page : small_page;
  data_ = std::aligned_alloc(page, (bytes + page - 1) / page * page);
  if (data_ == nullptr) throw std::bad_alloc();
#if defined(__linux__)
  if (page == large_page) madvise(data_, bytes / large_page * large_page, MADV_HUGEPAGE);
#endif
  std::memset(data_, 0, bytes);
}

}  // namespace vw
