#include "sim/base/parallel/page_memory.h"

#include <cstring>
#include <new>

#include "sim/base/system/pages.h"

namespace vw {

PageMemory::~PageMemory() { free_pages(data_); }

void PageMemory::assign(std::size_t bytes) {
  free_pages(data_);
  data_ = nullptr;
  if (bytes == 0) return;
  const std::size_t page = bytes >= 2 * large_page ? large_page : small_page;
  data_ = allocate_pages((bytes + page - 1) / page * page, page);
  if (data_ == nullptr) throw std::bad_alloc();
  std::memset(data_, 0, bytes);
}

}  // namespace vw
