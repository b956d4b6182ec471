// How much memory the process holds, where the system tells.
#pragma once

#include <optional>

namespace vw::bench {

/// Bytes that are allocated and not freed (with the allocator's own headers), in all of the heap: exact to a few hundred bytes, whatever is resident.
[[nodiscard]] std::optional<double> heap_bytes();
/// Bytes of the process that lie in physical memory: whole pages, and what the allocator keeps for later.
[[nodiscard]] std::optional<double> resident_bytes();

}  // namespace vw::bench
