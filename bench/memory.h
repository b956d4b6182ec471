// Memory use of the process, where the system provides it.
#pragma once

#include <optional>

namespace vw::bench {

/// Allocated bytes of the whole heap, including the allocator's headers. Exact to a few hundred bytes, whether resident
/// or not.
[[nodiscard]] std::optional<double> heap_bytes();
/// Resident memory of the process: whole pages, including those that the allocator retains.
[[nodiscard]] std::optional<double> resident_bytes();

}  // namespace vw::bench
