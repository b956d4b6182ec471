// Images of fluid across periodic sides: rows that repeat others one period away, as far as the kernel reaches. They are the rows of the workspace
// after the one that is nowhere, sorted by place.
#pragma once

#include <span>
#include <vector>

#include "sim/system/fluid/domain.h"
#include "sim/system/fluid/sph_workspace.h"

namespace vw {

class Images {
 public:
  /// Appends them to space.rows and space.motion, and says in space.image_of whom they repeat. `positions` are those of the rows [m].
  void place(const FluidDomain& domain, std::span<const Vec3> positions, SphWorkspace& space);
  [[nodiscard]] const BrickTable& table() const { return table_; }

 private:
  struct Image {
    std::uint32_t row = 0;
    Vec3 position = Vec3::Zero();
  };
  void repeat_along(int axis, const FluidDomain& domain, double reach, std::span<const Vec3> positions);

  std::vector<Image> images_;
  KeySort sort_;
  BrickTable table_;
};

}  // namespace vw
