// One piece of memory for many columns, on large pages where the system has them: a body of 100,000 voxels walks over more small pages than a core's
// table of addresses holds.
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
  /// Gives up what was there and takes `bytes`, all zero, aligned to 4096. Throws std::bad_alloc.
  void assign(std::size_t bytes);
  [[nodiscard]] void* data() const { return data_; }

 private:
  void* data_ = nullptr;
};

}  // namespace vw
