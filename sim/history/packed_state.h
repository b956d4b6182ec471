// States compressed in memory. The bytes of the numbers of an array are sorted by their place in the number (byte
// planes), because signs, exponents and leading digits of neighbours are alike, and then compressed with zstd.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sim/base/data/state.h"
#include "sim/base/error.h"

namespace vw {

/// Compresses and restores states. An object keeps its buffers from one call to the next; use it on one thread at a
/// time.
class StatePacker {
 public:
  StatePacker();
  ~StatePacker();
  StatePacker(const StatePacker&) = delete;
  StatePacker& operator=(const StatePacker&) = delete;

  /// Replaces the content of `out` by the packed state.
  void pack(const StateBlock& state, std::vector<std::byte>& out);
  /// Replaces the content of `out` by the state. Damaged data and states of more than `limit_bytes` are an error; `out`
  /// is unspecified then.
  [[nodiscard]] Result<void> unpack(std::span<const std::byte> packed, StateBlock& out,
                                    std::uint64_t limit_bytes = std::uint64_t{1} << 36);

 private:
  struct Contexts;
  std::unique_ptr<Contexts> contexts_;
  std::vector<std::byte> plain_;  ///< table of arrays and sorted bytes, before compression
};

}  // namespace vw
