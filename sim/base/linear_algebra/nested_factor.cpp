#include "sim/base/linear_algebra/nested_factor.h"

#include <algorithm>
#include <array>
#include <limits>

#include <Eigen/Cholesky>

namespace vw {

using Eigen::Index;
using Eigen::MatrixXd;

namespace {

/// Sets of at most this many rows are not divided further. The number is low enough that their dense factor costs
/// little, and high enough for efficient dense arithmetic.
constexpr std::size_t leaf_rows = 96;

/// Plane perpendicular to an axis. It divides rows into those below the plane and the others.
struct CutPlane {
  int axis = 0;
  double at = 0;
  std::size_t smaller = 0;  ///< number of rows on the side with fewer rows
};

/// Returns the axes, the longest edge of the bounding box of the rows first.
std::array<int, 3> axes_by_length(const std::vector<int>& rows, std::span<const Vec3> place) {
  Vec3 low = place[static_cast<std::size_t>(rows.front())], high = low;
  for (const int r : rows) {
    low = low.cwiseMin(place[static_cast<std::size_t>(r)]);
    high = high.cwiseMax(place[static_cast<std::size_t>(r)]);
  }
  const Vec3 edge = high - low;
  std::array<int, 3> axes{0, 1, 2};
  std::stable_sort(axes.begin(), axes.end(), [&](int a, int b) { return edge[a] > edge[b]; });
  return axes;
}

/// Returns the plane through the median along the longest axis. If many rows have the median coordinate, so that few or
/// no rows lie below this plane, returns the plane through the next larger coordinate, or a plane along another axis.
/// If all rows have the same position, CutPlane::smaller is 0.
CutPlane find_plane(const std::vector<int>& rows, std::span<const Vec3> place) {
  const std::size_t n = rows.size(), enough = n / 8;
  CutPlane best;
  std::vector<double> sorted(n);
  for (const int axis : axes_by_length(rows, place)) {
    std::transform(rows.begin(), rows.end(), sorted.begin(),
                   [&](int r) { return place[static_cast<std::size_t>(r)][axis]; });
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(n / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    const double median = *middle;
    double next = std::numeric_limits<double>::infinity();
    std::size_t below = 0, above = 0;
    for (const double x : sorted) {
      if (x < median) ++below;
      if (x > median) ++above, next = std::min(next, x);
    }
    if (below > best.smaller) best = {axis, median, below};
    if (below < enough && above > best.smaller) best = {axis, next, above};
    if (best.smaller >= enough) break;
  }
  return best;
}

}  // namespace

struct NestedFactor::Cut {
  const Sparse& a;
  std::span<const Vec3> place;
  std::vector<std::uint8_t> side;  ///< scratch: 1 for rows in the current left half
};

std::size_t NestedFactor::add_front(Cut& cut, const std::vector<int>& rows, std::vector<std::size_t> children) {
  Front front;
  front.first = static_cast<Index>(order_.size());
  front.own = static_cast<Index>(rows.size());
  front.children = std::move(children);
  for (const int r : rows) {
    cut.side[static_cast<std::size_t>(r)] = 0;
    position_[static_cast<std::size_t>(r)] = static_cast<Index>(order_.size());
    order_.push_back(r);
  }
  fronts_.push_back(std::move(front));
  return fronts_.size() - 1;
}

/// Splits the rows at a plane. The separator consists of the rows of the right half that are coupled to the left half.
/// The order of elimination is: left half, remaining right half, separator.
std::size_t NestedFactor::dissect(Cut& cut, std::vector<int> rows) {
  if (rows.size() <= leaf_rows) return add_front(cut, rows, {});
  const CutPlane plane = find_plane(rows, cut.place);
  if (plane.smaller == 0) return add_front(cut, rows, {});
  const auto is_left = [&](int r) { return cut.place[static_cast<std::size_t>(r)][plane.axis] < plane.at; };
  std::vector<int> left, right, between;
  for (const int r : rows) (is_left(r) ? left : right).push_back(r);
  for (const int r : left) cut.side[static_cast<std::size_t>(r)] = 1;
  std::vector<int> beyond;
  for (const int r : right) {
    bool touches = false;
    for (Sparse::InnerIterator entry(cut.a, r); entry && !touches; ++entry)
      touches = cut.side[static_cast<std::size_t>(entry.row())] != 0;
    (touches ? between : beyond).push_back(r);
  }
  for (const int r : left) cut.side[static_cast<std::size_t>(r)] = 0;
  std::vector<std::size_t> children{dissect(cut, std::move(left))};
  if (!beyond.empty()) children.push_back(dissect(cut, std::move(beyond)));
  return add_front(cut, between, std::move(children));
}

void NestedFactor::find_borders(const Sparse& a) {
  for (Front& front : fronts_) {
    const Index end = front.first + front.own;
    auto& border = front.border;
    for (Index i = front.first; i < end; ++i)
      for (Sparse::InnerIterator entry(a, order_[static_cast<std::size_t>(i)]); entry; ++entry)
        if (const Index other = position_[static_cast<std::size_t>(entry.row())]; other >= end) border.push_back(other);
    for (const std::size_t child : front.children)
      for (const Index other : fronts_[child].border)
        if (other >= end) border.push_back(other);
    std::sort(border.begin(), border.end());
    border.erase(std::unique(border.begin(), border.end()), border.end());
  }
}

void NestedFactor::analyze(const Sparse& a, std::span<const Vec3> place) {
  fronts_.clear(), order_.clear();
  position_.assign(static_cast<std::size_t>(a.rows()), 0);
  Cut cut{a, place, std::vector<std::uint8_t>(static_cast<std::size_t>(a.rows()), 0)};
  std::vector<int> all;
  for (Index r = 0; r < a.rows(); ++r) all.push_back(static_cast<int>(r));
  if (!all.empty()) (void)dissect(cut, std::move(all));
  find_borders(a);
}

std::size_t NestedFactor::bytes() const {
  std::size_t entries = 0;
  for (const Front& front : fronts_)
    entries += static_cast<std::size_t>(front.own) * (static_cast<std::size_t>(front.own) + front.border.size());
  return entries * sizeof(double);
}

bool NestedFactor::eliminate(const Sparse& a, Front& front) {
  const Index own = front.own, size = own + static_cast<Index>(front.border.size()), end = front.first + own;
  const auto local = [&](Index row) {
    if (row < end) return row - front.first;
    return own + (std::lower_bound(front.border.begin(), front.border.end(), row) - front.border.begin());
  };
  MatrixXd whole = MatrixXd::Zero(size, size);  // only the lower triangle is used
  for (Index c = 0; c < own; ++c)
    for (Sparse::InnerIterator entry(a, order_[static_cast<std::size_t>(front.first + c)]); entry; ++entry)
      if (const Index row = position_[static_cast<std::size_t>(entry.row())]; row >= front.first + c)
        whole(local(row), c) = entry.value();
  for (const std::size_t index : front.children) {
    Front& child = fronts_[index];
    std::vector<Index> to;
    for (const Index row : child.border) to.push_back(local(row));
    for (Index c = 0; c < child.update.cols(); ++c)
      for (Index r = c; r < child.update.rows(); ++r)
        whole(to[static_cast<std::size_t>(r)], to[static_cast<std::size_t>(c)]) += child.update(r, c);
    child.update.resize(0, 0);
  }
  const Index rest = size - own;
  Eigen::Ref<MatrixXd> corner = whole.topLeftCorner(own, own);
  const Eigen::LLT<Eigen::Ref<MatrixXd>> dense(corner);
  if (dense.info() != Eigen::Success) return false;
  auto below = whole.bottomLeftCorner(rest, own);
  if (rest > 0) {
    front.update = whole.bottomRightCorner(rest, rest);
  }
  // If the two halves are not coupled, the separator is empty, and the front has no rows of its own. It then passes the
  // contributions of its children to the parent unchanged.
  if (rest > 0 && own > 0) {
    corner.triangularView<Eigen::Lower>().transpose().solveInPlace<Eigen::OnTheRight>(below);
    front.update.selfadjointView<Eigen::Lower>().rankUpdate(below, -1);
  }
  front.factor = whole.leftCols(own);
  return true;
}

NestedFactor::Outcome NestedFactor::factorize(const Sparse& a, const std::function<bool()>& going) {
  for (Front& front : fronts_) {
    if (going && !going()) return Outcome::stopped;
    if (!eliminate(a, front)) return Outcome::not_definite;
  }
  return Outcome::done;
}

Eigen::VectorXd NestedFactor::solve(const Eigen::VectorXd& b) const {
  Eigen::VectorXd x(b.size());
  for (Index i = 0; i < x.size(); ++i) x[i] = b[order_[static_cast<std::size_t>(i)]];
  Eigen::VectorXd border;
  for (const Front& front : fronts_) {
    const auto rest = static_cast<Index>(front.border.size());
    auto own = x.segment(front.first, front.own);
    front.factor.topRows(front.own).triangularView<Eigen::Lower>().solveInPlace(own);
    border.noalias() = front.factor.bottomRows(rest) * own;
    for (Index i = 0; i < rest; ++i) x[front.border[static_cast<std::size_t>(i)]] -= border[i];
  }
  for (auto front = fronts_.rbegin(); front != fronts_.rend(); ++front) {
    const auto rest = static_cast<Index>(front->border.size());
    border.resize(rest);
    for (Index i = 0; i < rest; ++i) border[i] = x[front->border[static_cast<std::size_t>(i)]];
    auto own = x.segment(front->first, front->own);
    own.noalias() -= front->factor.bottomRows(rest).transpose() * border;
    front->factor.topRows(front->own).triangularView<Eigen::Lower>().transpose().solveInPlace(own);
  }
  Eigen::VectorXd out(b.size());
  for (Index i = 0; i < x.size(); ++i) out[order_[static_cast<std::size_t>(i)]] = x[i];
  return out;
}

}  // namespace vw
