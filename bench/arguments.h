// Parses and checks benchmark arguments for the registry.
#pragma once

#include "bench/registry.h"

namespace vw::bench {

/// The arguments that the benchmark declares, and "milliseconds".
[[nodiscard]] std::vector<Argument> all_arguments(const Benchmark& benchmark);
/// Adds the default values of missing arguments. An unknown name or a value out of range is an error.
[[nodiscard]] Result<Arguments> complete_arguments(const Benchmark& benchmark, const Arguments& given);

}  // namespace vw::bench
