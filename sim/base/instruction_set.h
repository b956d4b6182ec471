// The instruction set that vector kernels use. Kernels exist for several instruction sets, and each call uses the
// widest one that the processor has. Results have the same bits with every instruction set.
#pragma once

#include <string_view>

#include "sim/base/error.h"

namespace vw {

/// Excludes instruction sets wider than the named one: "SCALAR", "SSE4", "AVX2" or "AVX3" (AVX-512) on x86 processors,
/// "SCALAR" or "NEON" on ARM processors. Must be called before any kernel has run. Returns an error if the name is
/// unknown or if the processor does not have the instruction set.
[[nodiscard]] Result<void> limit_instruction_set(std::string_view name);

}  // namespace vw
