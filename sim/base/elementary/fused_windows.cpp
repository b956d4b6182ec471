// Replaces fma() and fmaf() of mingw-w64, which round twice. The linker redirects their calls to this file (--wrap=fma,
// --wrap=fmaf, sim/CMakeLists.txt).
#include "sim/base/elementary/fused_software.h"

namespace {

// The attribute lets the compiler use the FMA instruction in this function.
__attribute__((target("fma"))) double fused_by_instruction(double a, double b, double c) {
  return __builtin_fma(a, b, c);
}

__attribute__((target("fma"))) float fused_by_instruction(float a, float b, float c) { return __builtin_fmaf(a, b, c); }

bool has_instruction() { return __builtin_cpu_supports("fma"); }

}  // namespace

extern "C" double __wrap_fma(double a, double b, double c) {
  return has_instruction() ? fused_by_instruction(a, b, c) : vw::fused_in_software(a, b, c);
}

extern "C" float __wrap_fmaf(float a, float b, float c) {
  return has_instruction() ? fused_by_instruction(a, b, c) : vw::fused_in_software(a, b, c);
}
