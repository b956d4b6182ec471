#include "sim/base/system/pages.h"

#include <malloc.h>

namespace vw {

// Large pages of Windows require a right that users do not have by default, so all memory consists of small pages.
void* allocate_pages(std::size_t bytes, std::size_t page) { return ::_aligned_malloc(bytes, page); }

void free_pages(void* data) { ::_aligned_free(data); }

}  // namespace vw
