// Coarse cells about a mesh, each with a bound on how far its surface is at least, and on which side: what is far is answered without a walk.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "sim/collision/shape.h"

namespace vw {

class FarField {
 public:
  /// A distance at a point, not more than what `hint` says: signed by side, and whether that sign holds for all points up to `radius` around it that
  /// the surface does not come between.
  struct Sample {
    double distance = 0;
    bool sign_holds = true;
  };
  using SampleAt = std::function<Sample(const Vec3& point, double hint, double radius)>;

  FarField() = default;
  /// About `cells` cells over the box, filled in parallel.
  FarField(const Box3& box, std::size_t cells, const SampleAt& sample);

  /// Signed: the surface is at least so far from the point, and that is its side. 0: too near to say. Outside the box: the distance to it.
  [[nodiscard]] double bound(const Vec3& point) const;

 private:
  Box3 box_;
  Vec3 cells_per_m_ = Vec3::Zero();
  std::array<std::size_t, 3> count_{};
  std::vector<float> bound_;
};

}  // namespace vw
