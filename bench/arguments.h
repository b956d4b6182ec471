// Checks behind the registry: what a benchmark may be told.
#pragma once

#include "bench/registry.h"

namespace vw::bench {

/// Its own and "milliseconds".
[[nodiscard]] std::vector<Argument> all_arguments(const Benchmark& benchmark);
/// Every argument, given or by default; an unknown name or a value out of its range is an error.
[[nodiscard]] Result<Arguments> complete_arguments(const Benchmark& benchmark, const Arguments& given);

}  // namespace vw::bench
