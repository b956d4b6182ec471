// The faces are processed from upwind to downwind. For each face, the area that earlier faces cover is measured. Then
// the face itself is added to the coverage. A grid cell stores only the covered fraction of its area, not the covered
// region. Within a cell, a face is therefore assumed to lie beside the earlier faces as long as there is free area.
// With this assumption, the faces of a convex body never cover each other.
#include "sim/field/drag/shade.h"

#include <algorithm>
#include <limits>

#include "sim/base/parallel/parallel.h"

namespace vw {
namespace {

constexpr std::size_t band_rows = 48;
constexpr std::size_t most_cells = std::size_t{1} << 21;
constexpr std::size_t face_grain = 1024;

using Vec2 = Eigen::Vector2d;

/// Returns two unit vectors perpendicular to `along`, one of them parallel to the projection of an edge of `face`. For
/// a lattice of cubes and a wind along a lattice axis, the grid is thus aligned with the lattice.
std::array<Vec3, 2> axes_across(const ShadeFace& face, const Vec3& along) {
  const auto across = [&](const Vec3& v) { return Vec3(v - v.dot(along) * along); };
  const Vec3 u = across(face.half_u), v = across(face.half_v);
  Vec3 first = u.squaredNorm() >= v.squaredNorm() ? u : v;
  if (!(first.squaredNorm() > 0)) first = along.unitOrthogonal();
  first.normalize();
  return {first, along.cross(first)};
}

/// Computes the area of each grid cell that a quadrilateral covers. Within each row, an edge adds its rise to all cells
/// to its right (signed-area accumulation).
class Outline {
 public:
  /// Computes the coverage of the grid rows [first_row, end_row). `scratch` is reused between calls.
  Outline(const std::array<Vec2, 4>& corners, std::size_t first_row, std::size_t end_row, std::vector<double>& scratch)
      : sums_(scratch) {
    Vec2 low = corners[0], high = corners[0];
    for (const Vec2& corner : corners) low = low.cwiseMin(corner), high = high.cwiseMax(corner);
    column_ = static_cast<std::ptrdiff_t>(std::floor(low.x()));
    row_ = std::max(static_cast<std::ptrdiff_t>(std::floor(low.y())), static_cast<std::ptrdiff_t>(first_row));
    end_row_ = std::min(static_cast<std::ptrdiff_t>(std::floor(high.y())) + 1, static_cast<std::ptrdiff_t>(end_row));
    width_ = static_cast<std::ptrdiff_t>(std::floor(high.x())) - column_ + 1;
    if (end_row_ <= row_) return;
    sums_.assign(static_cast<std::size_t>((end_row_ - row_) * (width_ + 1)), 0.0);
    double area = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const Vec2 &a = corners[k], &b = corners[(k + 1) % 4];
      area += a.x() * b.y() - b.x() * a.y();
      add_edge(a, b);
    }
    sign_ = area > 0 ? -1 : 1;  // Makes covered areas positive for either orientation.
  }

  /// Calls f(row, column, covered fraction of the cell) for each cell that the quadrilateral touches.
  template <class F>
  void each(const F& f) const {
    for (std::ptrdiff_t row = row_; row < end_row_; ++row) {
      double covered = 0;
      const double* sums = &sums_[static_cast<std::size_t>((row - row_) * (width_ + 1))];
      for (std::ptrdiff_t k = 0; k < width_; ++k) {
        covered += sign_ * sums[k];
        if (covered > 1e-12)
          f(static_cast<std::size_t>(row), static_cast<std::size_t>(column_ + k), std::min(covered, 1.0));
      }
    }
  }

 private:
  void add_edge(const Vec2& a, const Vec2& b) {
    if (a.y() == b.y()) return;
    const double sign = b.y() > a.y() ? 1 : -1;
    const Vec2 &low = sign > 0 ? a : b, &high = sign > 0 ? b : a;
    const double slope = (high.x() - low.x()) / (high.y() - low.y());
    const std::ptrdiff_t first = std::max(row_, static_cast<std::ptrdiff_t>(std::floor(low.y())));
    const std::ptrdiff_t end = std::min(end_row_, static_cast<std::ptrdiff_t>(std::floor(high.y())) + 1);
    for (std::ptrdiff_t row = first; row < end; ++row) {
      const double y0 = std::max(low.y(), static_cast<double>(row)),
                   y1 = std::min(high.y(), static_cast<double>(row + 1));
      if (!(y1 > y0)) continue;
      add_in_row(row, low.x() + (y0 - low.y()) * slope, low.x() + (y1 - low.y()) * slope, sign * (y1 - y0));
    }
  }
  /// Adds the segment of an edge that lies in one row. The segment goes from x0 to x1 and rises by `rise`.
  void add_in_row(std::ptrdiff_t row, double x0, double x1, double rise) {
    double* sums = &sums_[static_cast<std::size_t>((row - row_) * (width_ + 1))];
    // Rounding may move an interpolated point beyond the ends of the edge.
    const double least = static_cast<double>(column_), most = static_cast<double>(column_ + width_);
    const double low = std::clamp(std::min(x0, x1), least, most), high = std::clamp(std::max(x0, x1), least, most);
    const auto last = std::min(static_cast<std::ptrdiff_t>(std::floor(high)) - column_, width_ - 1);
    const auto first = std::clamp(static_cast<std::ptrdiff_t>(std::floor(low)) - column_, std::ptrdiff_t{0}, last);
    for (std::ptrdiff_t k = first; k <= last; ++k) {
      const double left = static_cast<double>(column_ + k);
      const double from = k == first ? low : left, to = k == last ? high : left + 1;
      const double part = first == last ? rise : rise * (to - from) / (high - low),
                   inside = left + 1 - 0.5 * (from + to);
      sums[k] += part * inside;
      sums[k + 1] += part * (1 - inside);
    }
  }

  std::vector<double>& sums_;
  std::ptrdiff_t column_ = 0, row_ = 0, end_row_ = 0, width_ = 0;
  double sign_ = 1;
};

double smooth(double t) {
  t = std::clamp(t, 0.0, 1.0);
  return t * t * (3 - 2 * t);
}

}  // namespace

ShadeFace shade_square(const Vec3& center, const Vec3& normal, double area) {
  const Vec3 u = normal.unitOrthogonal();
  const double half = 0.5 * std::sqrt(area);
  return {center, half * u, half * normal.cross(u)};
}

bool Shade::Turn::operator<(const Turn& other) const {
  if (depth != other.depth) return depth < other.depth;
  return act != other.act ? act < other.act : face < other.face;
}

/// Projects all faces and determines the size of the grid. Returns false if any value is not finite.
bool Shade::project(std::span<const ShadeFace> faces, const Vec3& along, double cell_m, double near_m) {
  const auto axes = axes_across(faces[0], along);
  const Vec3 corner = faces[0].center - faces[0].half_u - faces[0].half_v;
  faces_.resize(faces.size());
  double cell = cell_m;
  const auto flat = [&](const Vec3& v) { return Vec2(Vec2(axes[0].dot(v), axes[1].dot(v)) / cell); };
  Vec2 low = Vec2::Zero(), high = Vec2::Zero();
  const auto span = [&] {
    low.setConstant(std::numeric_limits<double>::infinity()), high = -low;
    const double reach = 0.5 * near_m;
    double total = 0;
    for (std::size_t i = 0; i < faces.size(); ++i) {
      const ShadeFace& face = faces[i];
      Projection& p = faces_[i];
      const Vec3 normal = face.half_u.cross(face.half_v).normalized(), before = face.center + reach * normal;
      p.center = flat(face.center - corner), p.half_u = flat(face.half_u), p.half_v = flat(face.half_v);
      p.before = flat(before - corner);
      p.depth = face.center.dot(along), p.before_depth = before.dot(along), p.facing = -normal.dot(along);
      const Vec2 extent = p.half_u.cwiseAbs() + p.half_v.cwiseAbs(), margin = Vec2::Constant(reach / cell);
      low = low.cwiseMin(p.center - extent).cwiseMin(p.before - margin);
      high = high.cwiseMax(p.center + extent).cwiseMax(p.before + margin);
      total += p.center.sum() + p.before.sum() + p.depth + p.facing + extent.sum();
    }
    return std::isfinite(total) && low.allFinite() && high.allFinite();
  };
  if (!span()) return false;
  const auto cells = [&] { return (high.x() - low.x() + 3) * (high.y() - low.y() + 3); };
  if (cells() > static_cast<double>(most_cells)) {
    cell *= std::sqrt(cells() / static_cast<double>(most_cells));
    if (!span()) return false;
  }
  // If a side has only a few cells, the margin dominates, and a single step does not reduce the grid enough.
  while (cells() > 2 * static_cast<double>(most_cells)) {
    cell *= std::sqrt(cells() / static_cast<double>(most_cells));
    if (!span()) return false;
  }
  // A shift by an integer number of cells keeps faces aligned with the grid. The margin of one cell absorbs rounding.
  const Vec2 shift(1 - std::floor(low.x()), 1 - std::floor(low.y()));
  for (Projection& p : faces_) p.center += shift, p.before += shift;
  half_before_ = 0.5 * near_m / cell;
  columns_ = static_cast<std::size_t>(high.x() + shift.x()) + 2;
  rows_ = static_cast<std::size_t>(high.y() + shift.y()) + 2;
  return true;
}

void Shade::order(double near_m) {
  turns_.clear();
  // The number of operations changes as the body turns. Reserving memory for the largest possible number avoids later
  // allocations.
  turns_.reserve(3 * faces_.size());
  for (std::uint32_t i = 0; i < faces_.size(); ++i) {
    const Projection& p = faces_[i];
    turns_.push_back({p.before_depth - near_m, i, Act::rub});
    if (!(p.facing > 0)) continue;
    turns_.push_back({p.depth - 0.5 * near_m, i, Act::strike});
    turns_.push_back({p.depth, i, Act::cover});
  }
  std::sort(turns_.begin(), turns_.end());
}

std::array<Vec2, 4> Shade::outline(const Turn& turn) const {
  const Projection& p = faces_[turn.face];
  const bool square = turn.act == Act::rub;
  const Vec2 center = square ? p.before : p.center;
  const Vec2 u = square ? Vec2(half_before_, 0) : p.half_u, v = square ? Vec2(0, half_before_) : p.half_v;
  return {center - u - v, center + u - v, center + u + v, center - u + v};
}

/// Assigns each operation to the bands of grid rows that are crossed by the outline of its face or test square.
void Shade::share_out() {
  const std::size_t bands = (rows_ + band_rows - 1) / band_rows;
  const auto reach = [&](const Turn& turn) {
    const auto corners = outline(turn);
    double low = corners[0].y(), high = low;
    for (const Vec2& c : corners) low = std::min(low, c.y()), high = std::max(high, c.y());
    const auto band = [&](double y) {
      return std::min(static_cast<std::size_t>(std::max(y, 0.0)) / band_rows, bands - 1);
    };
    return Range{band(low), band(high) + 1};
  };
  band_begin_.assign(bands + 2, 0);
  for (const Turn& turn : turns_) {
    const Range range = reach(turn);
    for (std::size_t b = range.begin; b < range.end; ++b) ++band_begin_[b + 2];
  }
  for (std::size_t b = 2; b < band_begin_.size(); ++b) band_begin_[b] += band_begin_[b - 1];
  entries_.reserve(6 * faces_.size());
  entries_.resize(band_begin_.back());
  for (std::uint32_t t = 0; t < turns_.size(); ++t) {
    const Range range = reach(turns_[t]);
    for (std::size_t b = range.begin; b < range.end; ++b) entries_[band_begin_[b + 1]++] = {t, 0.0};
  }
  constexpr std::size_t usual_cells = 256;
  while (edge_.size() < bands) edge_.emplace_back().reserve(usual_cells);
}

void Shade::walk(std::size_t band) {
  constexpr double rounding = 1e-9;
  const std::size_t first_row = band * band_rows, end_row = std::min(first_row + band_rows, rows_);
  std::fill(&cover_[first_row * columns_], &cover_[0] + end_row * columns_, 0.0);
  for (std::size_t e = band_begin_[band]; e < band_begin_[band + 1]; ++e) {
    const Turn& turn = turns_[entries_[e].turn];
    const Outline cells(outline(turn), first_row, end_row, edge_[band]);
    double hidden = 0;
    cells.each([&](std::size_t row, std::size_t column, double share) {
      double& cover = cover_[row * columns_ + column];
      if (turn.act == Act::cover) cover = std::min(1.0, cover + share);
      if (turn.act == Act::strike && share + cover > 1 + rounding) hidden += share + cover - 1;
      if (turn.act == Act::rub) hidden += share * cover;
    });
    entries_[e].hidden = hidden;
  }
}

void Shade::evaluate(std::span<const ShadeFace> faces, const Vec3& along, double cell_m, double near_m,
                     std::span<FaceShade> out) {
  std::fill(out.begin(), out.end(), FaceShade{});
  if (faces.empty() || !project(faces, along, cell_m, near_m)) return;
  order(near_m);
  share_out();
  cover_.resize(std::max(cover_.size(), rows_ * columns_));
  const std::size_t bands = band_begin_.size() - 2;
  parallel_for(bands, 1, [&](Range range, std::size_t) {
    for (std::size_t b = range.begin; b < range.end; ++b) walk(b);
  });
  struck_.assign(faces.size(), 0.0), rubbed_.assign(faces.size(), 0.0);
  for (const Entry& entry : entries_) {  // The entries are ordered by bands, so the order of summation is fixed.
    const Turn& turn = turns_[entry.turn];
    if (turn.act == Act::strike) struck_[turn.face] += entry.hidden;
    if (turn.act == Act::rub) rubbed_[turn.face] += entry.hidden;
  }
  const double square = 4 * half_before_ * half_before_;
  parallel_for(faces.size(), face_grain, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const Projection& p = faces_[i];
      const double before = square > 0 ? std::clamp(1 - rubbed_[i] / square, 0.0, 1.0) : 1, area = p.area();
      const double seen = area > 0 ? std::clamp(1 - struck_[i] / area, 0.0, 1.0) : before;
      // The projection of a face that is nearly parallel to the wind is too small for a reliable measurement. If
      // `facing` is below this value, the exposed fraction of the test square is therefore blended in. Above this
      // value, only the projection counts.
      constexpr double clearly = 0.2;
      out[i] = {before + smooth(p.facing / clearly) * (seen - before), before};
    }
  });
}

}  // namespace vw
