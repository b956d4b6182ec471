// One block of memory for many arrays, on large pages if the system provides them. On small pages, a body of 100,000
// voxels would occupy more pages than the translation lookaside buffer of a core can hold.
#pragma once

#include <cstddef>
#include <utility>

namespace vw {

class PageMemory {
 public:
  PageMemory() = default;
  ~PageMemory();
  PageMemory(PageMemory&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
  PageMemory& operator=(PageMemory&& other) noexcept {
    std::swap(data_, other.data_);
    return *this;
  }
  /// Frees the old block and allocates `bytes` zero-initialised bytes, aligned to at least 4096 bytes. If `bytes` is 0,
  /// nothing is allocated. Throws std::bad_alloc if there is not enough memory.
  void assign(std::size_t bytes);
  [[nodiscard]] void* data() const { return data_; }

 private:
  void* data_ = nullptr;
};

}  // namespace vw
