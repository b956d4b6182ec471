// Periodic images: copies of fluid particles, shifted by a period along one or more axes, that lie within the support
// radius of the domain. In the workspace they are the rows after the padding row, sorted by position.
#pragma once

#include <span>
#include <vector>

#include "sim/system/fluid/rows/domain.h"
#include "sim/system/fluid/rows/sph_workspace.h"

namespace vw {

class Images {
 public:
  /// Appends the images to space.rows and space.motion and sets space.image_of. `positions`: positions of the particles
  /// in the order of the rows [m].
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
