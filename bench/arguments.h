// Parses and checks benchmark arguments for the registry.
#pragma once

#include "bench/registry.h"

namespace vw::bench {

/// Returns the arguments that the benchmark declares, followed by "milliseconds" and "beside", which every benchmark
/// takes.
[[nodiscard]] std::vector<Argument> all_arguments(const Benchmark& benchmark);
/// Returns `given` with the default values of the missing arguments added. An unknown name or a value out of range is
/// an error.
[[nodiscard]] Result<Arguments> complete_arguments(const Benchmark& benchmark, const Arguments& given);

}  // namespace vw::bench
