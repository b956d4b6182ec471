// Facts about this build of the library, for messages and reports. This file is part of the library's stable interface.
#pragma once

#include <string>

namespace vw::api {

struct BuildInfo {
  /// Version, commit, compiler and instruction set, such as "voxwake 1.0.0 (abc1234, gcc 12.2.0, x86-64 avx2)". The
  /// text is stored in journals and checkpoints.
  std::string description;
  std::string instruction_set;  ///< instruction set that kernels use on this processor: "x86-64 avx2"
};
[[nodiscard]] BuildInfo build_info();

}  // namespace vw::api
