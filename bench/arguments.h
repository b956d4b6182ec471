// Reading and checking of benchmark arguments, used by the registry.
#pragma once

#include "bench/registry.h"

namespace vw::bench {

/// The benchmark's own arguments and "milliseconds".
[[nodiscard]] std::vector<Argument> all_arguments(const Benchmark& benchmark);
/// Fills in the defaults of missing arguments. An unknown name or a value out of range is an error.
[[nodiscard]] Result<Arguments> complete_arguments(const Benchmark& benchmark, const Arguments& given);

}  // namespace vw::bench
