// Watch list: the pairs of a body's surface voxels that can touch before some voxel has moved by a margin. The list is
// built in parts from positions that are captured at one time. A grid of cells makes the cost linear in the number of
// surface voxels. self_contact.h decides when a list is built.
#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "sim/system/voxel/lattice/topology.h"
#include "sim/system/voxel/voxel_arrays.h"

namespace vw {

/// Position in grid units. A cell is 2^16 units wide. Coordinates wrap modulo 2^32, so neighbouring cells are found at
/// any distance from the origin, and displacements are known modulo 2^16 cells.
using GridPoint = std::array<std::uint32_t, 3>;

struct WatchList {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;  ///< pairs of voxel indices, ascending
  std::vector<GridPoint> position;                             ///< captured positions of the surface voxels
  Vec3 origin = Vec3::Zero();
  double units_per_m = 1;
  double margin = 0;      ///< distance that a voxel may move from the captured position [m]
  double widest = 0;      ///< largest half edge at the capture [m]
  double widest_now = 0;  ///< largest half edge at the last call of left() [m]

  /// Returns the remaining margin [m], which is the distance by which each voxel may still move. The result is not
  /// positive if the list is invalid. A common translation of all surface voxels does not reduce the margin, but growth
  /// of the largest voxel does.
  [[nodiscard]] double left(std::span<const std::uint32_t> surface, const VoxelArrays& state,
                            std::span<const double> half_edge);
};

class WatchListMaker {
 public:
  /// Captures the positions of the surface voxels, from which the whole list is built. Discards the previous list.
  void capture(std::span<const std::uint32_t> surface, const VoxelArrays& state, std::span<const double> half_edge,
               double margin_m);
  /// Does at least the fraction `share` of the work for a whole list. `surface` and `topology` must be the same as at
  /// the capture.
  void go_on(double share, std::span<const std::uint32_t> surface, const LatticeTopology& topology);
  void finish(std::span<const std::uint32_t> surface, const LatticeTopology& topology) { go_on(2, surface, topology); }
  /// Returns the finished fraction of the work, 0 to 1.
  [[nodiscard]] double done() const;
  /// Exchanges the finished list with `other`, and reuses the memory of `other` for the next list.
  void exchange(WatchList& other) { std::swap(list_, other); }
  /// Returns the number of pairs examined for this list so far. For a whole list, this number grows linearly with the
  /// number of surface voxels.
  [[nodiscard]] std::size_t examined() const { return examined_; }

 private:
  /// Grid of cells that covers unbounded space by wrapping around at the sides of a box. The number of cells along each
  /// side of the box is a power of two. The memory does not grow with the distance between pieces of the body.
  struct Grid {
    std::array<std::uint32_t, 3> bits{};  ///< log2 of the number of cells along each axis
    /// Index in `order` of the first entry of each cell, and two more entries for the counting sort.
    std::vector<std::uint32_t> start;
    std::vector<std::uint32_t> order;  ///< rows of surface voxels, sorted by cell, followed by padding
  };
  enum class Stage { counting, sorting, pairing, done };

  void lay_grid(const std::array<double, 3>& extent);
  [[nodiscard]] std::size_t find_near(const GridPoint& here);
  void add_pairs(std::uint32_t row, std::span<const std::uint32_t> surface, const LatticeTopology& topology);

  WatchList list_;
  Grid grid_;
  std::vector<std::uint32_t> near_;  ///< scratch memory for the rows in the 27 cells around a point
  Stage stage_ = Stage::done;
  std::size_t row_ = 0;  ///< next row of the current stage
  std::size_t examined_ = 0;
};

}  // namespace vw
