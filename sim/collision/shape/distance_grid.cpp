#include "sim/collision/shape/distance_grid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "sim/base/parallel/parallel.h"
#include "sim/collision/shape/thickness.h"

namespace vw {
namespace {

constexpr double everywhere = std::numeric_limits<double>::infinity();
// Number of cells by which the grid extends beyond each face of the bounding box of the shape. The outermost cells
// serve only as neighbours for the interpolation.
constexpr int padding = 3;

/// Catmull-Rom weights of four adjacent grid nodes for the value and the derivative at the fraction t between the
/// middle two nodes.
struct Cubic {
  std::array<double, 4> value, slope;
  explicit Cubic(double t)
      : value{0.5 * t * (t * (2 - t) - 1), 0.5 * (t * t * (3 * t - 5) + 2), 0.5 * t * (t * (4 - 3 * t) + 1),
              0.5 * t * t * (t - 1)},
        slope{0.5 * (t * (4 - 3 * t) - 1), 0.5 * t * (9 * t - 10), 0.5 * (t * (8 - 9 * t) + 1), 0.5 * t * (3 * t - 2)} {
  }
};

class DistanceGrid final : public Geometry {
 public:
  DistanceGrid(const Shape& shape, double cell_m) : shape_(shape), cell_(cell_m), shape_box_(vw::bounds(shape)) {
    for (int k = 0; k < 3; ++k)
      count_[static_cast<std::size_t>(k)] =
          static_cast<std::size_t>(std::ceil(shape_box_.sizes()[k] / cell_m)) + 2 * padding + 1;
    origin_ = shape_box_.center();
    for (int k = 0; k < 3; ++k)
      origin_[k] -= 0.5 * cell_m * static_cast<double>(count_[static_cast<std::size_t>(k)] - 1);
    value_.resize(count_[0] * count_[1] * count_[2]);
    parallel_for(count_[1] * count_[2], 4, [&](Range range, std::size_t) {
      for (std::size_t row = range.begin; row < range.end; ++row) fill_row(row);
    });
  }

  [[nodiscard]] bool has_inside() const {
    return std::any_of(value_.begin(), value_.end(), [](float v) { return v < 0; });
  }

  [[nodiscard]] SurfaceQuery query(const Vec3& point, double reach) const override {
    const Vec3 at = (point - origin_) / cell_;
    std::array<std::size_t, 3> node{};
    for (int k = 0; k < 3; ++k) {
      // The interpolation needs a neighbour on each side of the cell.
      if (!(at[k] >= 1 && at[k] <= static_cast<double>(count_[static_cast<std::size_t>(k)] - 2)))
        return off_grid(point, reach);
      node[static_cast<std::size_t>(k)] =
          std::min(static_cast<std::size_t>(at[k]), count_[static_cast<std::size_t>(k)] - 3);
    }
    const double corner = static_cast<double>(value_[place(node)]);
    const Vec3 share(at.x() - static_cast<double>(node[0]), at.y() - static_cast<double>(node[1]),
                     at.z() - static_cast<double>(node[2]));
    // Lower bound of the distance at the point: the distance at the grid node, minus the distance from node to point,
    // minus half a cell, because the interpolation has errors of up to half a cell at rounded edges.
    const double least = std::abs(corner) - cell_ * (share.norm() + 0.5);
    if (least >= reach) return {std::copysign(least, corner), Vec3(0, 1, 0)};
    return interpolate(node, share);
  }

  /// Advances along the path by steps not longer than the distance to the surface. If a step nevertheless passes the
  /// surface, because interpolated distances are inexact, the contact is found within that step.
  [[nodiscard]] std::optional<SweepHit> sweep(const Vec3& from, const Vec3& to, double radius) const override {
    const Vec3 along = to - from;
    const double length = along.norm();
    if (!(length > 0)) return std::nullopt;
    // Side of the surface on which the path begins.
    const double side = query(from, radius + cell_).distance < 0 ? -1 : 1;
    const auto height_at = [&](double share) {
      return side * query(from + share * along, 1.25 * (1 - share) * length + radius + cell_).distance - radius;
    };
    double share = 0, height = height_at(0);
    while (height <= 0) {  // A ball in contact at the start has a hit only when it moves deeper.
      const Vec3 normal = side * query(from + share * along, everywhere).normal;
      if (normal.dot(along) < -1e-6 * length) return SweepHit{share, normal};
      if (share >= 1) return std::nullopt;
      share = std::min(1.0, share + 0.1 * cell_ / length);
      height = height_at(share);
    }
    while (share < 1) {
      // Interpolated distances may change by up to 1.25 per unit of path, hence the factor. A grazing ball that
      // penetrates by less than a hundredth of a cell has no hit.
      const double next = std::min(1.0, share + std::max(height / 1.25, 0.01 * cell_) / length),
                   next_height = height_at(next);
      if (next_height <= 0) return refine(from, along, share, next, height_at, side);
      share = next;
      height = next_height;
    }
    return std::nullopt;
  }

  [[nodiscard]] Box3 bounds() const override { return shape_box_; }
  [[nodiscard]] double area() const override { return vw::area(shape_); }
  [[nodiscard]] double thickness() const override { return vw::thickness(shape_); }
  [[nodiscard]] SurfacePoint sample(const Draw3& draw) const override { return sample_surface(shape_, draw); }
  [[nodiscard]] std::shared_ptr<const SurfaceMesh> picture() const override { return picture_of(shape_); }

 private:
  [[nodiscard]] std::size_t place(const std::array<std::size_t, 3>& node) const {
    return (node[2] * count_[1] + node[1]) * count_[0] + node[0];
  }

  void fill_row(std::size_t row) {
    const Vec3 start =
        origin_ + cell_ * Vec3(0, static_cast<double>(row % count_[1]), static_cast<double>(row / count_[1]));
    double reach = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < count_[0]; ++i) {
      const double distance = vw::query(shape_, start + Vec3(static_cast<double>(i) * cell_, 0, 0), reach).distance;
      value_[row * count_[0] + i] = static_cast<float>(distance);
      reach = (std::abs(distance) + cell_) * (1 + 1e-6);  // Upper bound of the distance at the next grid node.
    }
  }

  [[nodiscard]] SurfaceQuery off_grid(const Vec3& point, double reach) const {
    const double outside = shape_box_.exteriorDistance(point);
    if (outside >= reach) return {outside * (1 - 1e-12), Vec3(0, 1, 0)};
    return vw::query(shape_, point, reach);
  }

  [[nodiscard]] SurfaceQuery interpolate(const std::array<std::size_t, 3>& node, const Vec3& share) const {
    const Cubic x(share.x()), y(share.y()), z(share.z());
    const float* corner = value_.data() + place({node[0] - 1, node[1] - 1, node[2] - 1});
    double value = 0;
    Vec3 slope = Vec3::Zero();
    for (std::size_t k = 0; k < 4; ++k) {
      double row_value = 0, row_x = 0, row_y = 0;
      for (std::size_t j = 0; j < 4; ++j) {
        const float* row = corner + (k * count_[1] + j) * count_[0];
        double v = 0, vx = 0;
        for (std::size_t i = 0; i < 4; ++i) {
          v += x.value[i] * static_cast<double>(row[i]);
          vx += x.slope[i] * static_cast<double>(row[i]);
        }
        row_value += y.value[j] * v;
        row_x += y.value[j] * vx;
        row_y += y.slope[j] * v;
      }
      value += z.value[k] * row_value;
      slope += Vec3(z.value[k] * row_x, z.value[k] * row_y, z.slope[k] * row_value);
    }
    const double steep = slope.norm();
    return {value, steep > 0 ? Vec3(slope / steep) : Vec3(0, 1, 0)};
  }

  /// Finds the contact, which lies between the fractions `before` and `past` of the path, by regula falsi with halved
  /// weights (Illinois method).
  template <class HeightAt>
  [[nodiscard]] SweepHit refine(const Vec3& from, const Vec3& along, double before, double past,
                                const HeightAt& height_at, double side) const {
    double above = height_at(before), below = height_at(past), found = before;
    int kept = 0;
    for (int pass = 0; pass < 60; ++pass) {
      const double share = before + (past - before) * above / (above - below), height = height_at(share);
      found = share;
      if (std::abs(height) <= 1e-9 * cell_ || past - before < 1e-15) break;
      if (height > 0) {
        before = share;
        above = height;
        if (kept == 1) below *= 0.5;
        kept = 1;
      } else {
        past = share;
        below = height;
        if (kept == -1) above *= 0.5;
        kept = -1;
      }
    }
    return {found, side * query(from + found * along, everywhere).normal};
  }

  Shape shape_;
  double cell_;
  Box3 shape_box_;
  Vec3 origin_;
  std::array<std::size_t, 3> count_{};
  std::vector<float> value_;  ///< Distances at the nodes, x fastest [m].
};

}  // namespace

Result<std::shared_ptr<const Geometry>> make_distance_grid(const Shape& shape, double cell_m) {
  const Vec3 size = bounds(shape).sizes();
  if (!size.allFinite()) return fail("a distance grid can be made only of a shape of finite size");
  if (!(cell_m > 0))
    return fail(fmt::format("the cell size of a distance grid is {} m: must be greater than 0", cell_m));
  double nodes = 1;
  for (int k = 0; k < 3; ++k) nodes *= std::ceil(size[k] / cell_m) + 2 * padding + 1;
  if (!(nodes <= static_cast<double>(max_grid_nodes)))
    return fail(fmt::format("a distance grid with cells of {} m has {:.3g} nodes; the limit is {}", cell_m, nodes,
                            max_grid_nodes));
  auto grid = std::make_shared<DistanceGrid>(shape, cell_m);
  if (!grid->has_inside())
    return fail(
        fmt::format("no node of a distance grid with cells of {} m lies inside the mesh: the mesh must be closed, "
                    "and the cells must be smaller than its thickness",
                    cell_m));
  return std::shared_ptr<const Geometry>(std::move(grid));
}

}  // namespace vw
