#include "app/window/voxel_edit/cells/cell_set.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <tuple>

namespace vw {
namespace {

std::tuple<int, int, int> span_order(const CellSpan& span) { return {span.y, span.z, span.begin}; }
std::pair<int, int> row_of(const CellSpan& span) { return {span.y, span.z}; }

/// Appends a span that does not precede the last one. Spans that overlap or touch are joined.
void append_span(std::vector<CellSpan>& spans, const CellSpan& span) {
  if (span.begin >= span.end) return;
  if (!spans.empty() && row_of(spans.back()) == row_of(span) && spans.back().end >= span.begin)
    spans.back().end = std::max(spans.back().end, span.end);
  else
    spans.push_back(span);
}

/// Walks through two sets row by row. The result has the cells for which keep(is in a, is in b) is true.
template <class Keep>
std::vector<CellSpan> combined(std::span<const CellSpan> a, std::span<const CellSpan> b, Keep keep) {
  constexpr int none = std::numeric_limits<int>::max();
  std::vector<CellSpan> out;
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    const auto row = j == b.size() || (i < a.size() && row_of(a[i]) <= row_of(b[j])) ? row_of(a[i]) : row_of(b[j]);
    bool is_in_a = false, is_in_b = false;
    int from = none;
    while (true) {
      const bool has_a = i < a.size() && row_of(a[i]) == row, has_b = j < b.size() && row_of(b[j]) == row;
      if (!has_a && !has_b) break;
      const int next_a = !has_a ? none : is_in_a ? a[i].end : a[i].begin;
      const int next_b = !has_b ? none : is_in_b ? b[j].end : b[j].begin;
      const int x = std::min(next_a, next_b);
      if (next_a == x) {
        i += is_in_a ? 1 : 0;
        is_in_a = !is_in_a;
      }
      if (next_b == x) {
        j += is_in_b ? 1 : 0;
        is_in_b = !is_in_b;
      }
      const bool is_kept = keep(is_in_a, is_in_b);
      if (is_kept && from == none) from = x;
      if (!is_kept && from != none) {
        append_span(out, {from, x, row.first, row.second});
        from = none;
      }
    }
  }
  return out;
}

/// Sets each of `count` entries to 1 if an entry within n places is 1.
void dilate_row(std::uint8_t* first, std::size_t count, std::size_t n, std::vector<std::uint8_t>& copy) {
  copy.assign(first, first + count);
  std::size_t distance = n + 1;  // distance to the last entry that is 1; n + 1 stands for all larger distances
  for (std::size_t i = 0; i < count; ++i) {
    distance = copy[i] != 0 ? 0 : std::min(distance + 1, n + 1);
    if (distance <= n) first[i] = 1;
  }
  distance = n + 1;
  for (std::size_t i = count; i-- > 0;) {
    distance = copy[i] != 0 ? 0 : std::min(distance + 1, n + 1);
    if (distance <= n) first[i] = 1;
  }
}

/// The array has `count` blocks of `block` entries. Sets an entry to 1 if the same entry is 1 in a block at most n
/// away.
void dilate_blocks(std::uint8_t* first, std::size_t block, std::size_t count, int n, std::vector<std::uint8_t>& copy) {
  for (int pass = 0; pass < n; ++pass) {
    copy.assign(first, first + block * count);
    for (std::size_t b = 0; b + 1 < count; ++b) {
      std::uint8_t* low = first + b * block;
      const std::uint8_t* high_copy = copy.data() + (b + 1) * block;
      const std::uint8_t* low_copy = copy.data() + b * block;
      for (std::size_t k = 0; k < block; ++k) low[k] |= high_copy[k];
      for (std::size_t k = 0; k < block; ++k) low[block + k] |= low_copy[k];
    }
  }
}

}  // namespace

CellSet CellSet::of_spans(std::vector<CellSpan> spans) {
  const auto precedes = [](const CellSpan& a, const CellSpan& b) { return span_order(a) < span_order(b); };
  if (!std::ranges::is_sorted(spans, precedes)) std::ranges::sort(spans, precedes);
  CellSet set;
  set.spans_.reserve(spans.size());
  constexpr int limit = 4 * max_cell_coordinate;
  for (const CellSpan& span : spans) {
    const auto [low, high] = std::minmax({span.begin, span.end, span.y, span.z});
    if (low >= -limit && high <= limit) append_span(set.spans_, span);
  }
  return set;
}

CellSet CellSet::of_box(const VoxelBox& box) {
  CellSet set;
  if (box.is_empty()) return set;
  set.spans_.reserve(static_cast<std::size_t>(box.size.y()) * static_cast<std::size_t>(box.size.z()));
  for (int y = box.lower.y(); y < box.upper().y(); ++y)
    for (int z = box.lower.z(); z < box.upper().z(); ++z) set.spans_.push_back({box.lower.x(), box.upper().x(), y, z});
  return set;
}

CellSet CellSet::of_mask(const VoxelBox& box, std::span<const std::uint8_t> is_member) {
  assert(is_member.size() == box.cells());
  CellSet set;
  const std::uint8_t* row = is_member.data();
  for (int y = box.lower.y(); y < box.upper().y(); ++y)
    for (int z = box.lower.z(); z < box.upper().z(); ++z, row += box.size.x())
      for (int x = 0; x < box.size.x();) {
        if (row[x] == 0) {
          ++x;
          continue;
        }
        const int begin = x;
        while (x < box.size.x() && row[x] != 0) ++x;
        set.spans_.push_back({box.lower.x() + begin, box.lower.x() + x, y, z});
      }
  return set;
}

std::size_t CellSet::count() const {
  std::size_t cells = 0;
  for (const CellSpan& span : spans_) cells += static_cast<std::size_t>(span.end - span.begin);
  return cells;
}

VoxelBox CellSet::bounds() const {
  if (spans_.empty()) return {};
  VoxelCell lower(spans_.front().begin, spans_.front().y, spans_.front().z), upper = lower;
  for (const CellSpan& span : spans_) {
    lower = lower.cwiseMin(VoxelCell(span.begin, span.y, span.z));
    upper = upper.cwiseMax(VoxelCell(span.end, span.y + 1, span.z + 1));
  }
  return {lower, upper - lower};
}

bool CellSet::contains(const VoxelCell& cell) const {
  const auto next = std::ranges::upper_bound(spans_, std::tuple(cell.y(), cell.z(), cell.x()), {}, span_order);
  if (next == spans_.begin()) return false;
  const CellSpan& span = *std::prev(next);
  return span.y == cell.y() && span.z == cell.z() && cell.x() < span.end;
}

CellSet CellSet::united(const CellSet& other) const {
  CellSet set;
  set.spans_ = combined(spans_, other.spans_, [](bool a, bool b) { return a || b; });
  return set;
}

CellSet CellSet::common(const CellSet& other) const {
  CellSet set;
  set.spans_ = combined(spans_, other.spans_, [](bool a, bool b) { return a && b; });
  return set;
}

CellSet CellSet::without(const CellSet& other) const {
  CellSet set;
  set.spans_ = combined(spans_, other.spans_, [](bool a, bool b) { return a && !b; });
  return set;
}

CellSet CellSet::moved(const VoxelCell& step) const {
  CellSet set(*this);
  for (CellSpan& span : set.spans_) {
    span.begin += step.x();
    span.end += step.x();
    span.y += step.y();
    span.z += step.z();
  }
  return set;
}

CellSet CellSet::mirrored(int axis, int twice_plane) const {
  std::vector<CellSpan> spans = spans_;
  for (CellSpan& span : spans) {
    if (axis == 0) {
      const int begin = twice_plane - span.end;
      span.end = twice_plane - span.begin;
      span.begin = begin;
    } else {
      int& at = axis == 1 ? span.y : span.z;
      at = twice_plane - 1 - at;
    }
  }
  return of_spans(std::move(spans));
}

CellSet CellSet::grown(int n, const VoxelBox& within) const {
  assert(check_grid_box(within));
  const VoxelBox source = vw::common(bounds(), within);
  if (source.is_empty()) return {};
  const int steps = std::clamp(n, 0, within.size.maxCoeff());
  const VoxelBox box = vw::common(extended(source, steps), within);
  std::vector<std::uint8_t> cells = mask(box);
  dilate(cells, box, steps);
  return of_mask(box, cells);
}

CellSet CellSet::shrunk(int n) const {
  if (spans_.empty() || n <= 0) return *this;
  const VoxelBox inner = bounds();
  const int steps = std::min(n, inner.size.maxCoeff());
  const VoxelBox box = extended(inner, 1);
  std::vector<std::uint8_t> outside = mask(box);
  for (std::uint8_t& is_member : outside) is_member ^= 1;
  dilate(outside, box, steps);
  for (std::uint8_t& is_member : outside) is_member ^= 1;
  return of_mask(box, outside);
}

std::vector<std::uint8_t> CellSet::mask(const VoxelBox& box) const {
  std::vector<std::uint8_t> cells(box.cells());
  for (const CellSpan& span : spans_) {
    const int begin = std::max(span.begin, box.lower.x()), end = std::min(span.end, box.upper().x());
    if (begin >= end || !box.contains({begin, span.y, span.z})) continue;
    const std::ptrdiff_t row = (span.z - box.lower.z()) + std::ptrdiff_t{box.size.z()} * (span.y - box.lower.y());
    std::fill_n(cells.begin() + row * box.size.x() + (begin - box.lower.x()), end - begin, std::uint8_t{1});
  }
  return cells;
}

void dilate(std::vector<std::uint8_t>& mask, const VoxelBox& box, int n) {
  if (n <= 0 || box.is_empty()) return;
  const auto nx = static_cast<std::size_t>(box.size.x()), ny = static_cast<std::size_t>(box.size.y()),
             nz = static_cast<std::size_t>(box.size.z());
  std::vector<std::uint8_t> copy;
  for (std::size_t row = 0; row < ny * nz; ++row)
    dilate_row(mask.data() + row * nx, nx, static_cast<std::size_t>(n), copy);
  for (std::size_t y = 0; y < ny; ++y)
    dilate_blocks(mask.data() + y * nz * nx, nx, nz, std::min(n, box.size.z()), copy);
  dilate_blocks(mask.data(), nx * nz, ny, std::min(n, box.size.y()), copy);
}

CellSet cells_with_code(const VoxelGrid& grid, std::uint16_t code) {
  std::vector<std::uint8_t> mask(grid.cell_count());
  const auto codes = grid.codes();
  if (code == any_material)
    for (std::size_t i = 0; i < mask.size(); ++i) mask[i] = codes[i] != 0 ? 1 : 0;
  else
    for (std::size_t i = 0; i < mask.size(); ++i) mask[i] = codes[i] == code ? 1 : 0;
  return CellSet::of_mask(grid.box(), mask);
}

}  // namespace vw
