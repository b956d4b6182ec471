// Description of the build: version, commit, compiler, instruction set.
#pragma once

#include <string>

namespace vw {

/// Returns the description of the build for journals, checkpoints and reports, such as "voxwake 1.0.0 (abc1234, gcc
/// 12.2.0, x86-64 avx2)".
[[nodiscard]] std::string build_description();
/// Returns the name of the instruction set that the SIMD code uses on this processor, for example "x86-64 avx2".
[[nodiscard]] std::string instruction_set();

}  // namespace vw
