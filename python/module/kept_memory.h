// Memory blocks that stay allocated while NumPy arrays refer to them. The arrays of a system are vectors, which may
// move to another block when elements are added or the world is reset. A NumPy array without a copy still refers to the
// former block. The module therefore replaces `operator delete`: a block that is kept is not freed before the last
// array that refers to it is gone. While no block is kept, the replacement only tests one number.
#pragma once

#include <cstddef>

namespace vw::python {

/// Keeps the block that begins at an address while the object exists. The block must be allocated at the time of the
/// construction. A null address keeps nothing. Objects may be created and destroyed on any thread.
class KeptBlock {
 public:
  explicit KeptBlock(const void* block);
  ~KeptBlock();
  KeptBlock(const KeptBlock&) = delete;
  KeptBlock& operator=(const KeptBlock&) = delete;

 private:
  const void* block_;
};

/// Returns the number of different blocks that are kept at present, for tests.
[[nodiscard]] std::size_t kept_blocks();

}  // namespace vw::python
