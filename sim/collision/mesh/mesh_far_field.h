// Coarse cells about a mesh, each with a bound on how far its surface is at least, and on which side: what is far is answered without a walk. And
// each with the triangle nearest to its middle, from which a walk for what is near begins.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "sim/collision/shape/shape.h"

namespace vw {

class FarField {
 public:
  /// A distance at a point, not more than what `hint` says and perhaps that to the triangle `guess`: signed by side, and whether that sign holds for
  /// all points up to `radius` around it that the surface does not come between.
  struct Sample {
    double distance = 0;
    bool sign_holds = true;
    std::uint32_t nearest = 0;  ///< triangle
  };
  using SampleAt = std::function<Sample(const Vec3& point, double hint, double radius, std::uint32_t guess)>;
  static constexpr std::uint32_t none = 0xffffffffU;

  FarField() = default;
  /// About `cells` cells over the box, filled in parallel.
  FarField(const Box3& box, std::size_t cells, const SampleAt& sample);

  struct Answer {
    /// Signed: the surface is at least so far from the point, and that is its side. 0: too near to say. Outside the box: the distance to it.
    double bound = 0;
    std::uint32_t nearest = none;  ///< a triangle near to the point
  };
  [[nodiscard]] Answer at(const Vec3& point) const;
  [[nodiscard]] double bound(const Vec3& point) const { return at(point).bound; }

 private:
  Box3 box_;
  Vec3 cells_per_m_ = Vec3::Zero();
  std::array<std::size_t, 3> count_{};
  struct Cell {
    float bound = 0;
    std::uint32_t nearest = none;
  };
  std::vector<Cell> cell_;
};

}  // namespace vw
