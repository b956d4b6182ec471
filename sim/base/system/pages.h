// Memory in units of pages. pages_posix.cpp and pages_windows.cpp implement these functions.
#pragma once

#include <cstddef>

namespace vw {

constexpr std::size_t small_page = 4096, large_page = std::size_t{2} << 20;  // [bytes]

/// Allocates `bytes` bytes, which must be a multiple of `page`, aligned to `page` (one of the two sizes above). For
/// large pages, requests the system to back the memory by such pages. The content is undefined. Returns null if there
/// is not enough memory. The memory must be freed with free_pages().
[[nodiscard]] void* allocate_pages(std::size_t bytes, std::size_t page);
void free_pages(void* data);

}  // namespace vw
