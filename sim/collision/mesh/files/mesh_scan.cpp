#include "sim/collision/mesh/files/mesh_scan.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "sim/base/parallel/parallel.h"

namespace vw {
namespace {

/// Positions of the cell centres along one axis.
struct ScanScale {
  double lower, pitch;
  std::int32_t count;

  /// Returns the number of cell centres below x. Whether a triangle crosses a slice or a row depends only on these
  /// integers, so the two triangles at an edge always agree.
  [[nodiscard]] std::int32_t below(double x) const {
    return static_cast<std::int32_t>(std::clamp(std::ceil((x - lower) / pitch - 0.5), 0.0, static_cast<double>(count)));
  }
  [[nodiscard]] double middle(std::int32_t i) const { return lower + (i + 0.5) * pitch; }
};

/// Order of the axes for a scan: first the axis across the slices, then the axis across the rows of a slice, then the
/// axis along a row.
using Course = std::array<std::size_t, 3>;

/// Position within the plane of a slice.
struct InSlice {
  double row, along;
};

/// Triangles grouped by the slabs (ranges of slices) that they cross. Within a group, the triangles are in their
/// original order.
struct Slabs {
  std::int32_t slices = 1;  ///< Number of slices per slab.
  std::vector<std::size_t> first;
  std::vector<std::uint32_t> triangle;
};

class Scan {
 public:
  Scan(const TriangleList& list, const CellLattice& lattice, const Course& course)
      : list_(list),
        axis_(course),
        slice_(scale(lattice, course[0])),
        row_(scale(lattice, course[1])),
        along_(scale(lattice, course[2])),
        inward_(course[1] == (course[2] + 1) % 3 ? 1 : -1),
        level_(list.position.size()) {
    parallel_for(level_.size(), 4096, [&](Range range, std::size_t) {
      for (std::size_t i = range.begin; i < range.end; ++i)
        level_[i] = slice_.below(coordinate(list_.position[i], axis_[0]));
    });
    sort_into_slabs();
  }

  /// Calls on_row(slice, row, count) for each row that the mesh crosses. count[i] sums the crossings between the
  /// centres of the cells i - 1 and i: +1 for each entry into the mesh, -1 for each exit.
  template <class OnRow>
  void run(const OnRow& on_row) const {
    parallel_for(slabs_.first.size() - 1, 1, [&](Range range, std::size_t) {
      for (std::size_t slab = range.begin; slab < range.end; ++slab) run_slab(slab, on_row);
    });
  }

 private:
  static ScanScale scale(const CellLattice& lattice, std::size_t axis) {
    const auto a = static_cast<Eigen::Index>(axis);
    return {lattice.lower[a], lattice.pitch[a], static_cast<std::int32_t>(lattice.cells[axis])};
  }
  static double coordinate(const Vec3& p, std::size_t axis) { return p[static_cast<Eigen::Index>(axis)]; }

  /// Returns the slices that a triangle crosses, as a range [first, second).
  [[nodiscard]] std::pair<std::int32_t, std::int32_t> crossed(std::size_t triangle) const {
    const auto& t = list_.triangle[triangle];
    return std::minmax({level_[t[0]], level_[t[1]], level_[t[2]]});
  }

  /// Groups the triangles by slabs. Usually, a slab is one slice. If the triangles together cross very many slices, a
  /// slab consists of several slices, so that the lists do not become much larger than the mesh.
  void sort_into_slabs() {
    const std::size_t most = 4 * list_.triangle.size() + 1'000'000;
    for (slabs_.slices = 1;; slabs_.slices *= 2) {
      slabs_.first.assign(static_cast<std::size_t>((slice_.count - 1) / slabs_.slices) + 2, 0);
      for (std::size_t i = 0; i < list_.triangle.size(); ++i)
        visit_slabs(i, [&](std::size_t slab) { ++slabs_.first[slab + 1]; });
      for (std::size_t slab = 1; slab < slabs_.first.size(); ++slab) slabs_.first[slab] += slabs_.first[slab - 1];
      if (slabs_.first.back() <= most) break;
    }
    slabs_.triangle.resize(slabs_.first.back());
    std::vector<std::size_t> next(slabs_.first.begin(), slabs_.first.end() - 1);
    for (std::uint32_t i = 0; i < list_.triangle.size(); ++i)
      visit_slabs(i, [&](std::size_t slab) { slabs_.triangle[next[slab]++] = i; });
  }
  template <class Visit>
  void visit_slabs(std::size_t triangle, const Visit& visit) const {
    const auto [low, high] = crossed(triangle);
    if (low == high) return;
    for (std::int32_t slab = low / slabs_.slices; slab <= (high - 1) / slabs_.slices; ++slab)
      visit(static_cast<std::size_t>(slab));
  }

  template <class OnRow>
  void run_slab(std::size_t slab, const OnRow& on_row) const {
    if (slabs_.first[slab] == slabs_.first[slab + 1]) return;
    const auto width = static_cast<std::size_t>(along_.count) + 1, rows = static_cast<std::size_t>(row_.count);
    std::vector<std::int32_t> count(rows * width, 0);
    std::vector<std::uint8_t> met(rows, 0);
    const std::int32_t begin = static_cast<std::int32_t>(slab) * slabs_.slices,
                       end = std::min(slice_.count, begin + slabs_.slices);
    for (std::int32_t slice = begin; slice < end; ++slice) {
      for (std::size_t i = slabs_.first[slab]; i < slabs_.first[slab + 1]; ++i)
        cut(slabs_.triangle[i], slice, count, met);
      for (std::size_t row = 0; row < rows; ++row) {
        if (met[row] == 0) continue;
        const std::span<std::int32_t> of_row = std::span(count).subspan(row * width, width);
        on_row(static_cast<std::size_t>(slice), row, std::span<const std::int32_t>(of_row));
        std::fill(of_row.begin(), of_row.end(), 0);
        met[row] = 0;
      }
    }
  }

  /// Returns the intersection of an edge with the plane of a slice. The computation starts at the vertex with the lower
  /// index, so that both triangles at the edge get the same bits.
  [[nodiscard]] InSlice pass(std::uint32_t a, std::uint32_t b, double at) const {
    if (a > b) std::swap(a, b);
    const Vec3 &p = list_.position[a], &q = list_.position[b];
    const double from = coordinate(p, axis_[0]), to = coordinate(q, axis_[0]);
    const double share = std::clamp((at - from) / (to - from), 0.0, 1.0);
    return {coordinate(p, axis_[1]) + share * (coordinate(q, axis_[1]) - coordinate(p, axis_[1])),
            coordinate(p, axis_[2]) + share * (coordinate(q, axis_[2]) - coordinate(p, axis_[2]))};
  }

  /// Adds the crossings of a triangle with the rows of a slice. One edge of the triangle crosses the plane of the slice
  /// upwards and another edge crosses it downwards. The triangle crosses the rows between these two points. Both
  /// triangles at an edge find the same rows below such a point, with opposite signs. The counts of a closed mesh
  /// therefore always balance.
  void cut(std::uint32_t triangle, std::int32_t slice, std::vector<std::int32_t>& count,
           std::vector<std::uint8_t>& met) const {
    const auto [low, high] = crossed(triangle);
    if (slice < low || slice >= high) return;
    const auto& t = list_.triangle[triangle];
    const double at = slice_.middle(slice);
    InSlice up{}, down{};
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = t[k], b = t[(k + 1) % 3];
      if (level_[a] <= slice && slice < level_[b]) up = pass(a, b, at);
      if (level_[b] <= slice && slice < level_[a]) down = pass(a, b, at);
    }
    const std::int32_t from = row_.below(up.row), to = row_.below(down.row);
    const std::int32_t sign = to > from ? inward_ : -inward_;
    for (std::int32_t row = std::min(from, to); row < std::max(from, to); ++row) {
      const double share = std::clamp((row_.middle(row) - up.row) / (down.row - up.row), 0.0, 1.0);
      const auto cell = static_cast<std::size_t>(along_.below(up.along + share * (down.along - up.along)));
      count[static_cast<std::size_t>(row) * (static_cast<std::size_t>(along_.count) + 1) + cell] += sign;
      met[static_cast<std::size_t>(row)] = 1;
    }
  }

  const TriangleList& list_;
  Course axis_;
  ScanScale slice_, row_, along_;
  /// Sign of the crossings of a triangle for which the row index increases from the edge that crosses the slice upwards
  /// to the edge that crosses it downwards.
  std::int32_t inward_;
  std::vector<std::int32_t> level_;  ///< Number of slices below each vertex.
  Slabs slabs_;
};

/// Adds two votes for each cell from the scan along one axis: one counts the crossings from the start of the row, the
/// other from its end. The two votes differ if the row passes through a hole.
void vote(const TriangleList& list, const CellLattice& lattice, const Course& course,
          std::vector<std::uint8_t>& votes) {
  const auto stride = lattice.strides();
  Scan(list, lattice, course).run([&](std::size_t slice, std::size_t row, std::span<const std::int32_t> count) {
    std::int32_t whole = 0, passed = 0;
    for (const std::int32_t one : count) whole += one;
    std::size_t place = slice * stride[course[0]] + row * stride[course[1]];
    for (std::size_t i = 0; i + 1 < count.size(); ++i, place += stride[course[2]]) {
      passed += count[i];
      votes[place] = static_cast<std::uint8_t>(votes[place] + (passed > 0 ? 1 : 0) + (passed > whole ? 1 : 0));
    }
  });
}

void scan_open(const TriangleMesh& mesh, const CellLattice& lattice, std::vector<std::uint8_t>& inside) {
  const auto& axis = lattice.axis;
  for (const Course& course :
       {Course{axis[0], axis[1], axis[2]}, Course{axis[0], axis[2], axis[1]}, Course{axis[1], axis[2], axis[0]}})
    vote(mesh.triangles(), lattice, course, inside);
  parallel_for(inside.size(), 4096, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const bool by_winding = inside[i] == 3 && mesh.query(lattice.middle(i), lattice.pitch.minCoeff()).distance < 0;
      inside[i] = inside[i] > 3 || by_winding ? 1 : 0;
    }
  });
}

}  // namespace

std::vector<std::uint8_t> scan_mesh(const TriangleMesh& mesh, const CellLattice& lattice) {
  std::vector<std::uint8_t> inside(lattice.size(), 0);
  if (inside.empty() || mesh.report().inside == MeshInside::nowhere) return inside;
  if (mesh.report().inside == MeshInside::by_winding) {
    scan_open(mesh, lattice, inside);
    return inside;
  }
  const auto stride = lattice.strides();
  Scan(mesh.triangles(), lattice, lattice.axis)
      .run([&](std::size_t slice, std::size_t row, std::span<const std::int32_t> count) {
        std::uint8_t* cell = inside.data() + slice * stride[lattice.axis[0]] + row * stride[lattice.axis[1]];
        std::int32_t passed = 0;
        for (std::size_t i = 0; i + 1 < count.size(); ++i) {
          passed += count[i];
          cell[i] = passed > 0 ? 1 : 0;
        }
      });
  return inside;
}

}  // namespace vw
