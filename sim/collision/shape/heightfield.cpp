// Height field as geometry. Queries of the top surface find triangles with the help of a pyramid of heights. The side
// walls and the bottom are flat, so clamping coordinates yields their nearest points.
#include "sim/collision/shape/heightfield.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "sim/collision/mesh/triangle.h"
#include "sim/collision/shape/height_pyramid.h"
#include "sim/collision/shape/thickness.h"

namespace vw {
namespace {

using Block = HeightPyramid::Block;

class Ground final : public Geometry {
 public:
  explicit Ground(HeightGrid grid)
      : grid_(std::move(grid)),
        pyramid_(grid_),
        cell_x_(grid_.size_x_m / static_cast<double>(grid_.columns - 1)),
        cell_z_(grid_.size_z_m / static_cast<double>(grid_.rows - 1)),
        half_x_(0.5 * grid_.size_x_m),
        half_z_(0.5 * grid_.size_z_m) {
    const auto [low, high] = std::minmax_element(grid_.height_m.begin(), grid_.height_m.end());
    base_ = *low - grid_.depth_m;
    bounds_ = Box3(Vec3(-half_x_, base_, -half_z_), Vec3(half_x_, *high, half_z_));
    double sum = 0;
    for (std::size_t cell = 0; cell < cells(); ++cell)
      for (const Triangle& t : triangles(cell % columns(), cell / columns()))
        area_to_.push_back(sum += 0.5 * t.area_vector().norm());
    // measure_thickness() takes samples only on the top surface, so it does not detect the distance between opposite
    // side walls. This distance is the size of the ground along x or z.
    thickness_ = std::min({measure_thickness(*this), grid_.size_x_m, grid_.size_z_m});
  }

  [[nodiscard]] SurfaceQuery query(const Vec3& point, double reach) const override {
    const double side = is_inside(point) ? -1 : 1;
    Found best{reach, {}, {}, false};
    if (side > 0) {
      const double outside = bounds_.exteriorDistance(point);
      if (outside > reach) return {outside * (1 - 1e-12), Vec3(0, 1, 0)};
    }
    see_walls(point, best);
    see_top(point, best);
    if (!best.any) return {side * reach, Vec3(0, 1, 0)};
    if (best.distance <= 1e-9 * bounds_.sizes().maxCoeff())
      return {side * best.distance, best.along_normal.normalized()};
    return {side * best.distance, side / best.distance * (point - best.point)};
  }

  [[nodiscard]] std::optional<SweepHit> sweep(const Vec3& from, const Vec3& to, double radius) const override {
    const BallPath path{from, to - from, radius};
    Touching touching{path, Box3(from.cwiseMin(to).array() - radius, from.cwiseMax(to).array() + radius), 1, {}};
    if (!touching.box.intersects(bounds_)) return std::nullopt;
    sweep_top(touching);
    sweep_walls(touching);
    return touching.hit;
  }

  [[nodiscard]] Box3 bounds() const override { return bounds_; }
  /// Returns the area of the top surface only, because side walls and bottom are not sampled.
  [[nodiscard]] double area() const override { return area_to_.back(); }
  [[nodiscard]] double thickness() const override { return thickness_; }

  [[nodiscard]] SurfacePoint sample(const Draw3& draw) const override {
    const auto found = std::upper_bound(area_to_.begin(), area_to_.end(), draw.u * area());
    const auto i = static_cast<std::size_t>(
        std::min<std::ptrdiff_t>(found - area_to_.begin(), static_cast<std::ptrdiff_t>(area_to_.size()) - 1));
    const Triangle t = triangles(i / 2 % columns(), i / 2 / columns())[i % 2];
    const double root = std::sqrt(draw.v);  // With the root, points are uniform over the triangle (Turk 1990).
    return {(1 - root) * t.a + root * (1 - draw.w) * t.b + root * draw.w * t.c, t.area_vector().normalized()};
  }

  [[nodiscard]] std::shared_ptr<const SurfaceMesh> picture() const override;

 private:
  struct Found {
    double distance;
    Vec3 point, along_normal;  ///< Nearest point, and normal (not normalised) of the face.
    bool any = false;
    void offer(const Vec3& from, const Vec3& at, const Vec3& outward) {
      const double d_2 = (from - at).squaredNorm();
      if (d_2 > distance * distance || (any && d_2 == distance * distance)) return;
      *this = {std::sqrt(d_2), at, outward, true};
    }
  };
  struct Touching {
    const BallPath& path;
    Box3 box;  ///< Bounding box of the path.
    double latest;
    std::optional<SweepHit> hit;
  };

  [[nodiscard]] std::size_t columns() const { return grid_.columns - 1; }
  [[nodiscard]] std::size_t rows() const { return grid_.rows - 1; }
  [[nodiscard]] std::size_t cells() const { return columns() * rows(); }

  [[nodiscard]] Vec3 node(std::size_t i, std::size_t j) const {
    return {static_cast<double>(i) * cell_x_ - half_x_, grid_.height_m[j * grid_.columns + i],
            static_cast<double>(j) * cell_z_ - half_z_};
  }
  /// Returns the two triangles of a cell, facing up. The diagonal goes from the cell's first corner, (i, j), to (i + 1,
  /// j + 1).
  [[nodiscard]] std::array<Triangle, 2> triangles(std::size_t i, std::size_t j) const {
    const Vec3 first = node(i, j), last = node(i + 1, j + 1);
    return {Triangle{first, node(i, j + 1), last}, Triangle{first, last, node(i + 1, j)}};
  }
  [[nodiscard]] std::size_t column_at(double x) const { return index_at((x + half_x_) / cell_x_, columns()); }
  [[nodiscard]] std::size_t row_at(double z) const { return index_at((z + half_z_) / cell_z_, rows()); }
  [[nodiscard]] static std::size_t index_at(double share, std::size_t count) {
    // NaN becomes index 0.
    return share > 0 ? static_cast<std::size_t>(std::min(std::floor(share), static_cast<double>(count - 1))) : 0;
  }

  [[nodiscard]] double height_at(double x, double z) const {
    const std::size_t i = column_at(x), j = row_at(z);
    const Vec3 first = node(i, j);
    const double u = (x - first.x()) / cell_x_, v = (z - first.z()) / cell_z_;
    const double a = first.y(), d = node(i + 1, j + 1).y();
    if (u < v) {
      const double c = node(i, j + 1).y();
      return a + (c - a) * v + (d - c) * u;
    }
    const double b = node(i + 1, j).y();
    return a + (b - a) * u + (d - b) * v;
  }

  [[nodiscard]] bool is_inside(const Vec3& p) const {
    return std::abs(p.x()) < half_x_ && std::abs(p.z()) < half_z_ && p.y() > base_ && p.y() < height_at(p.x(), p.z());
  }

  /// Returns the projection of p on a side wall that is perpendicular to x or z (axis 0 or 2), on the side of `sign`,
  /// clamped to the wall. If p is below the upper edge of the wall, this is the nearest point of the wall. Otherwise,
  /// it is only an estimate: the nearest point then lies on the upper edge, which also belongs to the top surface, so
  /// the search of the top surface finds it.
  [[nodiscard]] Vec3 on_wall(const Vec3& p, int axis, double sign) const {
    Vec3 at(std::clamp(p.x(), -half_x_, half_x_), 0, std::clamp(p.z(), -half_z_, half_z_));
    at[axis] = sign * (axis == 0 ? half_x_ : half_z_);
    at.y() = std::clamp(p.y(), base_, height_at(at.x(), at.z()));
    return at;
  }

  void see_walls(const Vec3& p, Found& best) const {
    for (const int axis : {0, 2})
      for (const double sign : {-1.0, 1.0})
        if (std::abs(p[axis] - sign * (axis == 0 ? half_x_ : half_z_)) <= best.distance)
          best.offer(p, on_wall(p, axis, sign), sign * Vec3::Unit(axis));
    if (std::abs(p.y() - base_) <= best.distance)
      best.offer(p, Vec3(std::clamp(p.x(), -half_x_, half_x_), base_, std::clamp(p.z(), -half_z_, half_z_)),
                 Vec3(0, -1, 0));
  }

  [[nodiscard]] Box3 box_of(const Block& block) const {
    const HeightPyramid::Span span = pyramid_.span(block);
    const std::size_t i0 = block.column << block.level, j0 = block.row << block.level;
    const std::size_t i1 = std::min(i0 + (std::size_t{1} << block.level), columns()),
                      j1 = std::min(j0 + (std::size_t{1} << block.level), rows());
    return {Vec3(static_cast<double>(i0) * cell_x_ - half_x_, static_cast<double>(span.low),
                 static_cast<double>(j0) * cell_z_ - half_z_),
            Vec3(static_cast<double>(i1) * cell_x_ - half_x_, static_cast<double>(span.high),
                 static_cast<double>(j1) * cell_z_ - half_z_)};
  }

  /// Blocks that remain to be visited. Among the blocks pushed last, the block with the smallest key is on top. The
  /// capacity suffices for four initial blocks and for 24 levels that leave three blocks each.
  class Stack {
   public:
    struct Entry {
      double key;
      Block block;
    };
    [[nodiscard]] bool empty() const { return size_ == 0; }
    Entry pop() { return entry_[--size_]; }
    void push(const Entry& entry, std::size_t sorted_from) {
      std::size_t at = size_++;
      for (; at > sorted_from && entry_[at - 1].key < entry.key; --at) entry_[at] = entry_[at - 1];
      entry_[at] = entry;
    }
    [[nodiscard]] std::size_t size() const { return size_; }

   private:
    std::array<Entry, 100> entry_;
    std::size_t size_ = 0;
  };

  template <class KeyOf>
  void push_children(Stack& stack, const Block& block, double limit, const KeyOf& key_of) const {
    const std::size_t level = block.level - 1, first = stack.size();
    for (std::size_t j = 2 * block.row; j < std::min(2 * block.row + 2, pyramid_.rows(level)); ++j)
      for (std::size_t i = 2 * block.column; i < std::min(2 * block.column + 2, pyramid_.columns(level)); ++i) {
        const Block child{level, i, j};
        const double key = key_of(child);
        if (key <= limit) stack.push({key, child}, first);
      }
  }

  /// Pushes the blocks that cover a rectangle, on the finest level on which at most two by two blocks cover it.
  template <class KeyOf>
  void push_over(Stack& stack, const Vec3& low, const Vec3& high, const KeyOf& key_of) const {
    const double span_x = (high.x() - low.x()) / cell_x_, span_z = (high.z() - low.z()) / cell_z_;
    std::size_t level = 0;
    const auto covers = [&] {
      const auto width = static_cast<double>(std::size_t{1} << level);
      return width >= span_x && width >= span_z;
    };
    // If a span is not a number, which is the case for a point that is not finite, the search starts with one block.
    while (level + 1 < pyramid_.levels() && !covers()) ++level;
    const std::size_t i0 = column_at(low.x()) >> level, i1 = column_at(high.x()) >> level,
                      j0 = row_at(low.z()) >> level, j1 = row_at(high.z()) >> level;
    for (std::size_t j = j0; j <= j1; ++j)
      for (std::size_t i = i0; i <= i1; ++i) stack.push({key_of(Block{level, i, j}), Block{level, i, j}}, 0);
  }

  void see_top(const Vec3& p, Found& best) const {
    Stack stack;
    const auto key_of = [&](const Block& block) { return box_of(block).squaredExteriorDistance(p); };
    const Vec3 reach = Vec3::Constant(std::min(best.distance, 4 * (grid_.size_x_m + grid_.size_z_m)));
    push_over(stack, p - reach, p + reach, key_of);
    while (!stack.empty()) {
      const auto [key, block] = stack.pop();
      if (!(key <= best.distance * best.distance * (1 + 1e-12))) continue;
      if (block.level > 0) {
        push_children(stack, block, best.distance * best.distance * (1 + 1e-12), key_of);
        continue;
      }
      for (const Triangle& t : triangles(block.column, block.row))
        best.offer(p, nearest_on_triangle(t, p).point, t.area_vector());
    }
  }

  /// Returns the fraction of the path at which the centre of the ball enters the box enlarged by the radius of the
  /// ball. The result exceeds 1 if the centre does not enter the box.
  [[nodiscard]] static double enters(const Box3& box, const BallPath& path) {
    double enter = 0, leave = 1;
    for (int k = 0; k < 3; ++k) {
      const double margin = path.radius + 1e-9 * (std::abs(path.from[k]) + std::abs(path.along[k]) + path.radius);
      const double low = box.min()[k] - margin - path.from[k], high = box.max()[k] + margin - path.from[k];
      if (path.along[k] == 0) {
        if (low > 0 || high < 0) return 2;
        continue;
      }
      const double a = low / path.along[k], b = high / path.along[k];
      enter = std::max(enter, std::min(a, b));
      leave = std::min(leave, std::max(a, b));
    }
    return enter <= leave ? enter : 2;
  }

  void sweep_top(Touching& touching) const {
    Stack stack;
    const auto key_of = [&](const Block& block) { return enters(box_of(block), touching.path); };
    push_over(stack, touching.box.min(), touching.box.max(), key_of);
    while (!stack.empty()) {
      const Stack::Entry entry = stack.pop();
      if (!(entry.key <= touching.latest)) continue;
      const Block& block = entry.block;
      if (block.level > 0) {
        push_children(stack, block, touching.latest, key_of);
        continue;
      }
      for (const Triangle& t : triangles(block.column, block.row))
        see_touch(touching, t, [&](const Vec3& centre, const Vec3& at, double distance) {
          return top_nearer(block, centre, at, distance);
        });
    }
  }

  /// Records the contact with triangle `t` if it is the earliest so far. Another triangle at the touched edge or corner
  /// may be nearer to the ball. In this case, the normal of the face of `t` is used, and there is a hit only if the
  /// ball moves against this normal. A ball that rolls over flat ground therefore does not hit edges.
  template <class Nearer>
  void see_touch(Touching& touching, const Triangle& t, const Nearer& nearer) const {
    const BallPath& path = touching.path;
    const auto touch = first_touch(t, path, touching.latest);
    if (!touch || (touching.hit && touch->share >= touching.latest)) return;
    Vec3 normal = touch->normal;
    if (touch->at.part != TrianglePart::face && path.radius > 0) {
      const Vec3 centre = path.from + touch->share * path.along;
      if (normal.dot(path.along) > -1e-5 * path.along.norm()) return;
      if (nearer(centre, touch->at.point, (centre - touch->at.point).norm() * (1 - 1e-11))) {
        normal = t.area_vector().normalized();
        if (normal.dot(touch->normal) < 0) normal = -normal;
        if (normal.dot(path.along) >= -1e-9 * path.along.norm()) return;
      }
    }
    touching.hit = SweepHit{touch->share, normal};
    touching.latest = touch->share;
  }

  [[nodiscard]] bool top_nearer(const Block& cell, const Vec3& centre, const Vec3& at, double distance) const {
    const double touching = 1e-12 * (at.cwiseAbs().maxCoeff() + grid_.size_x_m + grid_.size_z_m);
    for (std::size_t j = cell.row == 0 ? 0 : cell.row - 1; j <= std::min(cell.row + 1, rows() - 1); ++j)
      for (std::size_t i = cell.column == 0 ? 0 : cell.column - 1; i <= std::min(cell.column + 1, columns() - 1); ++i)
        for (const Triangle& t : triangles(i, j))
          if ((nearest_on_triangle(t, at).point - at).norm() <= touching &&
              (nearest_on_triangle(t, centre).point - centre).norm() < distance)
            return true;
    return false;
  }

  void sweep_walls(Touching& touching) const {
    for (const int axis : {0, 2})
      for (const double sign : {-1.0, 1.0}) {
        const double wall = sign * (axis == 0 ? half_x_ : half_z_);
        if (touching.box.min()[axis] <= wall && touching.box.max()[axis] >= wall) sweep_wall(touching, axis, sign);
      }
    if (touching.box.min().y() > base_ || touching.box.max().y() < base_) return;
    const Vec3 a(-half_x_, base_, -half_z_), b(half_x_, base_, -half_z_), c(half_x_, base_, half_z_),
        d(-half_x_, base_, half_z_);
    const auto nearer = [&](const Vec3& centre, const Vec3&, double distance) {
      return (Vec3(std::clamp(centre.x(), -half_x_, half_x_), base_, std::clamp(centre.z(), -half_z_, half_z_)) -
              centre)
                 .norm() < distance;
    };
    see_touch(touching, {a, b, c}, nearer);
    see_touch(touching, {a, c, d}, nearer);
  }

  /// Tests the panels of a side wall along the path. A panel extends from the bottom to the line between two adjacent
  /// heights of the border.
  void sweep_wall(Touching& touching, int axis, double sign) const {
    const int along = 2 - axis;
    const std::size_t first = axis == 0 ? row_at(touching.box.min().z()) : column_at(touching.box.min().x());
    const std::size_t last = axis == 0 ? row_at(touching.box.max().z()) : column_at(touching.box.max().x());
    const std::size_t edge = sign < 0 ? 0 : axis == 0 ? columns() : rows();
    const auto nearer = [&](const Vec3& centre, const Vec3&, double distance) {
      return (on_wall(centre, axis, sign) - centre).norm() < distance;
    };
    for (std::size_t k = first; k <= last; ++k) {
      Vec3 top_0 = axis == 0 ? node(edge, k) : node(k, edge), top_1 = axis == 0 ? node(edge, k + 1) : node(k + 1, edge);
      top_0[axis] = top_1[axis] = sign * (axis == 0 ? half_x_ : half_z_);
      Vec3 low_0 = top_0, low_1 = top_1;
      low_0.y() = low_1.y() = base_;
      if ((sign > 0) == (along == 2)) {  // Turns the normal of the panel outwards (right-hand rule).
        std::swap(top_0, top_1);
        std::swap(low_0, low_1);
      }
      see_touch(touching, {low_0, low_1, top_1}, nearer);
      see_touch(touching, {low_0, top_1, top_0}, nearer);
    }
  }

  void picture_wall(SurfaceMesh& mesh, int axis, double sign) const;
  void picture_bottom(SurfaceMesh& mesh) const;

  HeightGrid grid_;
  HeightPyramid pyramid_;
  double cell_x_, cell_z_, half_x_, half_z_;
  double base_ = 0;
  Box3 bounds_;
  double thickness_ = 0;
  std::vector<double> area_to_;  ///< Cumulative area of the triangles of the top surface, two per cell.
};

void Ground::picture_wall(SurfaceMesh& mesh, int axis, double sign) const {
  const std::size_t count = axis == 0 ? grid_.rows : grid_.columns, edge = sign < 0    ? 0
                                                                           : axis == 0 ? columns()
                                                                                       : rows();
  const auto first = static_cast<std::uint32_t>(mesh.position.size());
  for (std::size_t k = 0; k < count; ++k) {
    const Vec3 top = axis == 0 ? node(edge, k) : node(k, edge);
    for (const Vec3& at : {top, Vec3(top.x(), base_, top.z())}) {
      mesh.position.push_back(at.cast<float>());
      mesh.normal.push_back((sign * Vec3::Unit(axis)).cast<float>());
    }
    if (k == 0) continue;
    const auto top_1 = first + static_cast<std::uint32_t>(2 * k), low_1 = top_1 + 1, top_0 = top_1 - 2,
               low_0 = top_1 - 1;
    if ((sign > 0) == (axis == 2)) {
      mesh.triangle.push_back({top_0, low_0, low_1});
      mesh.triangle.push_back({top_0, low_1, top_1});
    } else {
      mesh.triangle.push_back({top_0, low_1, low_0});
      mesh.triangle.push_back({top_0, top_1, low_1});
    }
  }
}

/// Draws the bottom as a triangle fan from its centre to every point of the border, so that no gap opens at a side
/// wall.
void Ground::picture_bottom(SurfaceMesh& mesh) const {
  std::vector<Vec3> ring;
  for (std::size_t i = 0; i < columns(); ++i) ring.push_back(node(i, 0));
  for (std::size_t j = 0; j < rows(); ++j) ring.push_back(node(columns(), j));
  for (std::size_t i = columns(); i > 0; --i) ring.push_back(node(i, rows()));
  for (std::size_t j = rows(); j > 0; --j) ring.push_back(node(0, j));
  ring.push_back(Vec3::Zero());
  const auto first = static_cast<std::uint32_t>(mesh.position.size()),
             count = static_cast<std::uint32_t>(ring.size() - 1);
  for (const Vec3& at : ring) {
    mesh.position.push_back(Vec3(at.x(), base_, at.z()).cast<float>());
    mesh.normal.emplace_back(0.0F, -1.0F, 0.0F);
  }
  for (std::uint32_t k = 0; k < count; ++k)
    mesh.triangle.push_back({first + count, first + k, first + (k + 1) % count});
}

std::shared_ptr<const SurfaceMesh> Ground::picture() const {
  auto mesh = std::make_shared<SurfaceMesh>();
  const auto slope = [](double before, double after, std::size_t steps, double cell) {
    return (after - before) / (static_cast<double>(steps) * cell);
  };
  for (std::size_t j = 0; j < grid_.rows; ++j)
    for (std::size_t i = 0; i < grid_.columns; ++i) {
      const std::size_t i0 = i == 0 ? 0 : i - 1, i1 = std::min(i + 1, columns()), j0 = j == 0 ? 0 : j - 1,
                        j1 = std::min(j + 1, rows());
      mesh->position.push_back(node(i, j).cast<float>());
      mesh->normal.push_back(Vec3(-slope(node(i0, j).y(), node(i1, j).y(), i1 - i0, cell_x_), 1,
                                  -slope(node(i, j0).y(), node(i, j1).y(), j1 - j0, cell_z_))
                                 .normalized()
                                 .cast<float>());
    }
  const auto at = [&](std::size_t i, std::size_t j) { return static_cast<std::uint32_t>(j * grid_.columns + i); };
  for (std::size_t j = 0; j < rows(); ++j)
    for (std::size_t i = 0; i < columns(); ++i) {
      mesh->triangle.push_back({at(i, j), at(i, j + 1), at(i + 1, j + 1)});
      mesh->triangle.push_back({at(i, j), at(i + 1, j + 1), at(i + 1, j)});
    }
  for (const int axis : {0, 2})
    for (const double sign : {-1.0, 1.0}) picture_wall(*mesh, axis, sign);
  picture_bottom(*mesh);
  return mesh;
}

}  // namespace

Result<std::shared_ptr<const Geometry>> make_heightfield(HeightGrid grid) {
  if (grid.columns < 2 || grid.rows < 2)
    return fail(fmt::format("has {} x {} heights: must have at least 2 x 2", grid.columns, grid.rows));
  if (grid.height_m.size() != grid.columns * grid.rows || grid.height_m.size() > max_heights)
    return fail(
        fmt::format("has {} heights for {} x {} points: must have one height for each point, and at most {} heights",
                    grid.height_m.size(), grid.columns, grid.rows, max_heights));
  if (!(grid.size_x_m > 0 && grid.size_z_m > 0 && grid.size_x_m <= 1e6 && grid.size_z_m <= 1e6 && grid.depth_m > 0 &&
        grid.depth_m <= 1e6))
    return fail(fmt::format("is {} x {} m large and {} m deep: each must lie in (0, 1e6] m", grid.size_x_m,
                            grid.size_z_m, grid.depth_m));
  for (std::size_t i = 0; i < grid.height_m.size(); ++i)
    if (!std::isfinite(grid.height_m[i]) || std::abs(grid.height_m[i]) > 1e6)
      return fail(fmt::format("height {} is {} m: must lie in [-1e6, 1e6] m", i, grid.height_m[i]));
  return std::shared_ptr<const Geometry>(std::make_shared<Ground>(std::move(grid)));
}

}  // namespace vw
