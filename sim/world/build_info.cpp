// Composes the description of this build. CMake defines VOXWAKE_VERSION. VOXWAKE_COMMIT is defined in a header that
// every build regenerates. Only this file uses the two macros, so a new commit recompiles no other file.
#include "sim/world/build_info.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <hwy/targets.h>

#include <voxwake_commit.h>

#include "sim/base/text.h"

namespace vw {
namespace {

std::string compiler() {
#if defined(__clang__)
  return fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#elif defined(__GNUC__)
  return fmt::format("gcc {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#else
  return "unknown compiler";
#endif
}

const char* processor() {
#if defined(__x86_64__)
  return "x86-64";
#elif defined(__aarch64__)
  return "arm64";
#else
  return "other cpu";
#endif
}

}  // namespace

std::string instruction_set() {
  const std::int64_t targets = hwy::SupportedTargets() & HWY_TARGETS;
  const std::string name =
      lowercase(hwy::TargetName(targets & -targets));  // the lowest bit is the best instruction set
  return fmt::format("{} {}", processor(), name);
}

std::string build_description() {
  return fmt::format("voxwake {} ({}, {}, {})", VOXWAKE_VERSION, VOXWAKE_COMMIT, compiler(), instruction_set());
}

}  // namespace vw
