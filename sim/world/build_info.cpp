// The description of this build. VOXWAKE_VERSION comes from CMake, VOXWAKE_COMMIT from a header that every build looks up anew, both for this file
// alone.
#include "sim/world/build_info.h"

#include <fmt/format.h>

#include <voxwake_commit.h>

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

const char* instruction_set() {
#if defined(__AVX512F__)
  return "x86-64 avx512";
#elif defined(__AVX2__)
  return "x86-64 avx2";
#elif defined(__x86_64__)
  return "x86-64";
#elif defined(__aarch64__)
  return "arm64";
#else
  return "other cpu";
#endif
}

}  // namespace

std::string build_description() { return fmt::format("voxwake {} ({}, {}, {})", VOXWAKE_VERSION, VOXWAKE_COMMIT, compiler(), instruction_set()); }

}  // namespace vw
