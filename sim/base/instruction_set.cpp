#include "sim/base/instruction_set.h"

#include <fmt/format.h>
#include <hwy/detect_targets.h>
#include <hwy/targets.h>

#include <string>

namespace vw {

Result<void> limit_instruction_set(std::string_view name) {
  std::string names;
  const std::int64_t existing = hwy::SupportedTargets();
  // The bits of wider instruction sets are lower. The portable code, which always exists, has the highest bits.
  constexpr std::int64_t portable = HWY_EMU128 | HWY_SCALAR;
  for (const std::int64_t set : {HWY_AVX3, HWY_AVX2, HWY_SSE4, HWY_NEON, HWY_SCALAR}) {
    if (((existing | portable) & set) == 0) continue;
    if (name == hwy::TargetName(set)) {
      const std::int64_t wider = set == HWY_SCALAR ? ~portable : set - 1;
      // Unlike DisableTargets(), this stays in force when SupportedTargets() is called again.
      hwy::SetSupportedTargetsForTest((existing | portable) & ~wider);
      return {};
    }
    names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", hwy::TargetName(set));
  }
  return wrong_value(0, "VOXWAKE_INSTRUCTION_SET", fmt::format("\"{}\"", name), "must be one of " + names);
}

}  // namespace vw
