// Watch list: the pairs of a body's surface voxels that can touch before some voxel has moved by a margin. A list is
// made in parts from one capture of the positions, by a grid of cells, in time linear in the surface. Geometry only;
// self_contact.h decides when a list is made.
#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "sim/system/voxel/topology.h"
#include "sim/system/voxel/voxel_arrays.h"

namespace vw {

/// Position in units of a grid whose cells are 2^16 units wide. Coordinates wrap: neighbouring cells are neighbours
/// everywhere, however far from the origin, and a displacement is known up to whole rounds of 2^16 cells.
using GridPoint = std::array<std::uint32_t, 3>;

struct WatchList {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;  ///< voxel indices, ascending
  std::vector<GridPoint> position;                             ///< captured positions of the surface voxels
  Vec3 origin = Vec3::Zero();
  double units_per_m = 1;
  double margin = 0;      ///< distance that a voxel may move from there [m]
  double widest = 0;      ///< half edge of the widest voxel at the capture [m]
  double widest_now = 0;  ///< the same at the last call of left()

  /// Margin that is left [m], i.e. how much further each voxel may move; not positive if the list is invalid. A common
  /// translation of the surface does not count; growth of the widest voxel does.
  [[nodiscard]] double left(std::span<const std::uint32_t> surface, const VoxelArrays& state,
                            std::span<const double> half_edge);
};

class WatchListMaker {
 public:
  /// Captures the positions of the surface voxels, from which the whole list is made. Drops the previous list.
  void capture(std::span<const std::uint32_t> surface, const VoxelArrays& state, std::span<const double> half_edge,
               double margin_m);
  /// Does at least the fraction `share` of the whole work. `surface` and `topology` must be those of the capture.
  void go_on(double share, std::span<const std::uint32_t> surface, const LatticeTopology& topology);
  void finish(std::span<const std::uint32_t> surface, const LatticeTopology& topology) { go_on(2, surface, topology); }
  /// Finished fraction of the work, 0 to 1.
  [[nodiscard]] double done() const;
  /// Exchanges the finished list with `other`, whose memory serves the next list.
  void exchange(WatchList& other) { std::swap(list_, other); }
  /// Number of pairs examined for this list so far. It grows with the surface, not with its square.
  [[nodiscard]] std::size_t examined() const { return examined_; }

 private:
  /// Cells of unbounded space, folded onto a box whose sides are powers of two cells. The memory does not grow with the
  /// distance between pieces.
  struct Grid {
    std::array<std::uint32_t, 3> bits{};  ///< log2 of the number of cells along each axis
    std::vector<std::uint32_t> start;     ///< first entry of each cell in `order`, and two more
    std::vector<std::uint32_t> order;     ///< surface rows, cell by cell, and padding
  };
  enum class Stage { counting, sorting, pairing, done };

  void lay_grid(const std::array<double, 3>& extent);
  [[nodiscard]] std::size_t find_near(const GridPoint& here);
  void add_pairs(std::uint32_t row, std::span<const std::uint32_t> surface, const LatticeTopology& topology);

  WatchList list_;
  Grid grid_;
  std::vector<std::uint32_t> near_;  ///< scratch: rows in the cells around one row
  Stage stage_ = Stage::done;
  std::size_t row_ = 0;  ///< next row of this stage
  std::size_t examined_ = 0;
};

}  // namespace vw
