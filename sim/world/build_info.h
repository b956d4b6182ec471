// Description of the build: version, commit, compiler, instruction set.
#pragma once

#include <string>

namespace vw {

/// "voxwake 0.1.0 (abc1234, gcc 12.2.0, x86-64 avx2)": written to journals, checkpoints and reports.
[[nodiscard]] std::string build_description();
/// The instruction set that kernels are dispatched to on this processor, as named by Highway: "x86-64 avx2".
[[nodiscard]] std::string instruction_set();

}  // namespace vw
