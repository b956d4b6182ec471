// Spatial hash of axis-aligned boxes, which finds the boxes that contain a point. The search time hardly depends on the
// number of boxes, unless many boxes are much larger than the median.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/collision/shape/shape.h"

namespace vw {

/// The width of a cell is the width of the median box. Boxes that would cover more than 64 cells are kept in a separate
/// list, which every search scans completely.
class BoxBins {
 public:
  /// Replaces the stored boxes and reuses the memory. Empty and non-finite boxes are never found.
  void build(std::span<const Box3> boxes);
  [[nodiscard]] double cell_m() const { return cell_m_; }

  /// Calls visit(index) once for every box that contains p, in no particular order.
  template <class F>
  void at(const Vec3& p, F visit) const {
    if (!p.allFinite()) return;
    for (const std::uint32_t i : large_)
      if (boxes_[i].contains(p)) visit(i);
    if (start_.empty()) return;
    const Cell cell = cell_of(p);
    const std::size_t bin = bin_of(cell);
    for (std::uint32_t k = start_[bin]; k < start_[bin + 1]; ++k)
      if (entries_[k].cell == cell && boxes_[entries_[k].box].contains(p)) visit(entries_[k].box);
  }

 private:
  struct Cell {
    std::int64_t x = 0, y = 0, z = 0;
    bool operator==(const Cell&) const = default;
  };
  struct Entry {
    Cell cell;
    std::uint32_t box = 0;
  };
  [[nodiscard]] Cell cell_of(const Vec3& p) const;
  [[nodiscard]] std::size_t bin_of(const Cell& cell) const;
  void list(std::uint32_t box);

  double cell_m_ = 1;
  std::vector<Box3> boxes_;
  std::vector<std::uint32_t> large_;
  std::vector<Entry> listed_, entries_;  ///< Entries in the order of listing, and entries sorted by bin.
  /// First entry of each bin, followed by the number of entries. The number of bins is a power of two.
  std::vector<std::uint32_t> start_;
  std::vector<double> extent_;  ///< Scratch memory.
};

}  // namespace vw
