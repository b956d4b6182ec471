// The rows that SPH's pair sums walk over: fluid particles in the order of their places, single precision about a local origin. The lasting state is
// in double (Elements); these are made anew from it at each substep, so rounding does not add up.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/math.h"

namespace vw {

struct alignas(16) Float4 {
  float x = 0, y = 0, z = 0, w = 0;
  template <class F>
  void each_number(F check) const {
    check(x), check(y), check(z), check(w);
  }
};

/// Rows of one population: fluid, images of fluid across periodic sides, or samples of walls. Sorted by place; see brick_table.h.
using Float4s = std::vector<Float4>;

/// A place where no row is: lists are padded with a row there, whose sums are zero.
inline constexpr float nowhere = 1e15F;

}  // namespace vw
