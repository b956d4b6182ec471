// Coarse grid of cells around a mesh, which speeds up distance queries. Each cell stores a signed lower bound of the
// distance to the surface, so that queries of distant points need no search of the tree. Each cell also stores the
// triangle nearest to its centre, with which searches for near points begin.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "sim/collision/shape/shape.h"

namespace vw {

class FarField {
 public:
  /// Result of SampleAt. `distance` is the signed distance at a point [m]. `sign_holds` is used only if the surface is
  /// farther from the point than `radius`. It is then true if all points within `radius` have a distance of the same
  /// sign. (Near a hole, it may be false, because the surface does not separate inside and outside there.)
  struct Sample {
    double distance = 0;
    bool sign_holds = true;
    std::uint32_t nearest = 0;  ///< Index of the nearest triangle.
  };
  /// Function that computes the signed distance at a point. `hint` is an upper bound of the absolute distance [m],
  /// possibly infinity. `guess` is the index of a triangle that is probably near, or `none`.
  using SampleAt = std::function<Sample(const Vec3& point, double hint, double radius, std::uint32_t guess)>;
  static constexpr std::uint32_t none = 0xffffffffU;

  FarField() = default;
  /// Divides the box into about `cells` cells and fills them in parallel.
  FarField(const Box3& box, std::size_t cells, const SampleAt& sample);

  struct Answer {
    /// Signed lower bound of the distance to the surface [m]. Outside the box, it is the distance to the box. 0 means
    /// that the surface is near, so the tree must be searched.
    double bound = 0;
    std::uint32_t nearest = none;  ///< Index of a triangle near the point, or `none` outside the box.
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
