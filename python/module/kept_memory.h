// Memory blocks that stay allocated while NumPy arrays refer to them. The arrays of a system are vectors, which may
// move to another block when elements are added or the world is reset. A NumPy array that is not a copy still refers to
// the previous block. The module therefore replaces `operator delete`: a kept block is freed only after the last array
// that refers to it has been destroyed. While no block is kept, the replacement only tests one number.
#pragma once

#include <cstddef>

namespace vw::python {

/// While the object exists, the memory block that begins at the given address is not freed. The block must be allocated
/// when the object is constructed. For a null address, the object does nothing. Thread-safe.
class KeptBlock {
 public:
  explicit KeptBlock(const void* block);
  ~KeptBlock();
  KeptBlock(const KeptBlock&) = delete;
  KeptBlock& operator=(const KeptBlock&) = delete;

 private:
  const void* block_;
};

/// Returns the number of different blocks that are kept now. For tests.
[[nodiscard]] std::size_t kept_blocks();

}  // namespace vw::python
