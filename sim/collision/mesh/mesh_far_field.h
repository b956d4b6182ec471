// Coarse cells around a mesh. Each cell stores a lower bound of the distance to the surface, with its sign, so that
// distant points need no tree search. Each cell also stores the triangle nearest to its centre, with which a search for
// near points begins.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "sim/collision/shape/shape.h"

namespace vw {

class FarField {
 public:
  /// Signed distance at a point. `hint` is an upper bound of its absolute value; `guess` is a triangle that may be the
  /// nearest. `sign_holds`: the sign holds for all points up to `radius` away that the surface does not separate from
  /// the point.
  struct Sample {
    double distance = 0;
    bool sign_holds = true;
    std::uint32_t nearest = 0;  ///< Nearest triangle.
  };
  using SampleAt = std::function<Sample(const Vec3& point, double hint, double radius, std::uint32_t guess)>;
  static constexpr std::uint32_t none = 0xffffffffU;

  FarField() = default;
  /// Divides the box into about `cells` cells, filled in parallel.
  FarField(const Box3& box, std::size_t cells, const SampleAt& sample);

  struct Answer {
    /// Signed lower bound of the distance to the surface. 0: too near to the surface for a bound. Outside the box:
    /// distance to the box.
    double bound = 0;
    std::uint32_t nearest = none;  ///< A triangle near the point.
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
