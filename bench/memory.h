// Memory use of the process [bytes]. The functions return nullopt if the operating system does not provide the value.
#pragma once

#include <optional>

namespace vw::bench {

/// Returns the allocated bytes of the whole heap, resident or not, including the headers of the allocator. The error is
/// a few hundred bytes.
[[nodiscard]] std::optional<double> heap_bytes();
/// Returns the resident memory of the process: whole pages, including pages that the allocator retains.
[[nodiscard]] std::optional<double> resident_bytes();

}  // namespace vw::bench
