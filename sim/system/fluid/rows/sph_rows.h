// Row format of the SPH pair sums: fluid particles sorted by position, in single precision relative to a local origin.
// The persistent state is in double (Elements). Rows are rebuilt from this state in each substep, so rounding errors do
// not accumulate.
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
  template <class F>
  void each_member(F take) const {
    take("x", x), take("y", y), take("z", z), take("w", w);
  }
};

/// Returns the first three components of a row.
[[nodiscard]] inline Vec3f xyzf(const Float4& row) { return {row.x, row.y, row.z}; }
[[nodiscard]] inline Vec3 xyz(const Float4& row) { return xyzf(row).cast<double>(); }

/// One Float4 per row. In a workspace, the rows are sorted by position (brick_table.h).
using Float4s = std::vector<Float4>;

/// Coordinate of the padding row, far from everything. Lists are padded with this row because its contributions are
/// zero.
inline constexpr float padding_coordinate = 1e15F;

}  // namespace vw
