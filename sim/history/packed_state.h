// States compressed in memory. The first bytes of all numbers of an array are stored first, then all second bytes, and
// so on (byte planes). Signs, exponents and leading digits of neighbours are similar, so zstd compresses the planes
// well.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "sim/base/data/state.h"
#include "sim/base/error.h"

namespace vw {

/// Compresses and restores states. An object keeps its buffers from one call to the next. It may be used by only one
/// thread at a time.
class StatePacker {
 public:
  StatePacker();
  ~StatePacker();
  StatePacker(const StatePacker&) = delete;
  StatePacker& operator=(const StatePacker&) = delete;

  /// Replaces the content of `out` by the packed state.
  void pack(const StateBlock& state, std::vector<std::byte>& out);
  /// Replaces the content of `out` by the unpacked state. Returns an error if the data are damaged or the state has
  /// more than `limit_bytes`; the content of `out` is then unspecified.
  [[nodiscard]] Result<void> unpack(std::span<const std::byte> packed, StateBlock& out,
                                    std::uint64_t limit_bytes = std::uint64_t{1} << 36);

 private:
  struct Contexts;
  std::unique_ptr<Contexts> contexts_;
  std::vector<std::byte> plain_;  ///< table of arrays and sorted bytes, before compression
};

}  // namespace vw
