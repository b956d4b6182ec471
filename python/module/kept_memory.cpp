#include "python/module/kept_memory.h"

#include <atomic>
#include <cstdlib>
#include <map>
#include <mutex>
#include <new>

namespace vw::python {
namespace {

/// Allocator of the table below. It must not call `operator delete`, because this file replaces that operator by a
/// function that uses the table.
template <class T>
struct PlainAllocator {
  using value_type = T;
  PlainAllocator() = default;
  template <class U>
  PlainAllocator(const PlainAllocator<U>&) {}
  T* allocate(std::size_t count) {
    void* block = std::malloc(count * sizeof(T));
    if (block == nullptr) throw std::bad_alloc();
    return static_cast<T*>(block);
  }
  void deallocate(T* block, std::size_t) noexcept { std::free(block); }
  friend bool operator==(const PlainAllocator&, const PlainAllocator&) { return true; }
};

struct Keeping {
  std::size_t users = 0;
  bool is_released = false;  ///< whether the owner has deleted the block
};

/// Table of the kept blocks. It is global, because `operator delete` can receive no reference to it.
struct Table {
  std::atomic<std::size_t> count{0};  ///< number of entries; read without the mutex
  std::mutex mutex;
  std::map<const void*, Keeping, std::less<>, PlainAllocator<std::pair<const void* const, Keeping>>> blocks;
};
Table& table() {
  // The table is never destroyed, because blocks are deleted until the process ends.
  static Table* const made = new (std::malloc(sizeof(Table))) Table;
  return *made;
}
std::atomic<bool> has_table{false};

/// Returns whether the block is kept. A kept block is freed when its last KeptBlock is destroyed.
bool takes_over(void* block) noexcept {
  if (!has_table.load(std::memory_order_acquire)) return false;
  Table& all = table();
  if (all.count.load(std::memory_order_relaxed) == 0) return false;
  const std::lock_guard lock(all.mutex);
  const auto found = all.blocks.find(block);
  if (found == all.blocks.end()) return false;
  found->second.is_released = true;
  return true;
}

}  // namespace

KeptBlock::KeptBlock(const void* block) : block_(block) {
  if (block == nullptr) return;
  Table& all = table();
  has_table.store(true, std::memory_order_release);
  const std::lock_guard lock(all.mutex);
  ++all.blocks[block].users;
  all.count.store(all.blocks.size(), std::memory_order_relaxed);
}

KeptBlock::~KeptBlock() {
  if (block_ == nullptr) return;
  Table& all = table();
  bool is_last_reference = false;
  {
    const std::lock_guard lock(all.mutex);
    const auto found = all.blocks.find(block_);
    if (--found->second.users > 0) return;
    is_last_reference = found->second.is_released;
    all.blocks.erase(found);
    all.count.store(all.blocks.size(), std::memory_order_relaxed);
  }
  if (is_last_reference) std::free(const_cast<void*>(block_));
}

std::size_t kept_blocks() { return table().count.load(); }

// The GNU C++ library allocates with malloc() and aligned_alloc(), so free() is correct for every form of delete.
void release_block(void* block) noexcept;
void release_block(void* block) noexcept {
  if (block != nullptr && !takes_over(block)) std::free(block);
}

}  // namespace vw::python

// The linker script of the module keeps these symbols local: only code of the module calls them.
void operator delete(void* block) noexcept { vw::python::release_block(block); }
void operator delete[](void* block) noexcept { vw::python::release_block(block); }
void operator delete(void* block, std::size_t) noexcept { vw::python::release_block(block); }
void operator delete[](void* block, std::size_t) noexcept { vw::python::release_block(block); }
void operator delete(void* block, std::align_val_t) noexcept { vw::python::release_block(block); }
void operator delete[](void* block, std::align_val_t) noexcept { vw::python::release_block(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { vw::python::release_block(block); }
void operator delete[](void* block, std::size_t, std::align_val_t) noexcept { vw::python::release_block(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { vw::python::release_block(block); }
void operator delete[](void* block, const std::nothrow_t&) noexcept { vw::python::release_block(block); }
void operator delete(void* block, std::align_val_t, const std::nothrow_t&) noexcept {
  vw::python::release_block(block);
}
void operator delete[](void* block, std::align_val_t, const std::nothrow_t&) noexcept {
  vw::python::release_block(block);
}
