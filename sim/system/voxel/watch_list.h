// Pairs of a body's surface voxels that can touch before some voxel has moved by a margin, and how such a list is made piece by piece: from one
// capture of the positions, by a grid of cells, in time linear in the surface. Pure geometry: who looks when is up to self_contact.h.
#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "sim/system/voxel/topology.h"
#include "sim/system/voxel/voxel_arrays.h"

namespace vw {

/// Where voxels are, in whole units of a grid whose cells have 2^16 of them. Numbers wrap: a cell's neighbours are its neighbours everywhere, however
/// far from the origin, and of a way all is known but whole rounds of 2^16 cells.
using GridPoint = std::array<std::uint32_t, 3>;

struct WatchList {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;  ///< voxels, ascending
  std::vector<GridPoint> position;                             ///< of the surface's voxels when they were captured
  Vec3 origin = Vec3::Zero();
  double units_per_m = 1;
  double margin = 0;      ///< how far a voxel may be from there [m]
  double widest = 0;      ///< half edge of the widest voxel [m]
  double widest_now = 0;  ///< when left() was asked

  /// How much further each voxel may move: two come no nearer than both move against a common shift, and reach no further than they have grown. Not
  /// positive when the list does not hold.
  [[nodiscard]] double left(std::span<const std::uint32_t> surface, const VoxelArrays& state, std::span<const double> half_edge);
};

class WatchListMaker {
 public:
  /// Takes down where the surface's voxels are now; all the rest works on that. The list that came before is dropped.
  void capture(std::span<const std::uint32_t> surface, const VoxelArrays& state, std::span<const double> half_edge, double margin_m);
  /// Goes on by `share` of the whole work at least. The structure is that of the capture.
  void go_on(double share, std::span<const std::uint32_t> surface, const LatticeTopology& topology);
  void finish(std::span<const std::uint32_t> surface, const LatticeTopology& topology) { go_on(2, surface, topology); }
  /// Between 0 and 1.
  [[nodiscard]] double done() const;
  /// Which is done, against `other`, whose memory is used for the next.
  void exchange(WatchList& other) { std::swap(list_, other); }
  /// Pairs looked at for this list so far: grows with the surface, not with its square.
  [[nodiscard]] std::size_t examined() const { return examined_; }

 private:
  /// The cells of all space, folded onto a box of powers of two: its memory does not grow with the way between pieces.
  struct Grid {
    std::array<std::uint32_t, 3> bits{};  ///< cells along each axis as powers of two
    std::vector<std::uint32_t> start;     ///< of each cell in `order`, and two more
    std::vector<std::uint32_t> order;     ///< rows, cell by cell, and some more
  };
  enum class Stage { counting, sorting, pairing, done };

  void lay_grid(const std::array<double, 3>& extent);
  [[nodiscard]] std::size_t find_near(const GridPoint& here);
  void add_pairs(std::uint32_t row, std::span<const std::uint32_t> surface, const LatticeTopology& topology);

  WatchList list_;
  Grid grid_;
  std::vector<std::uint32_t> near_;  ///< scratch: rows about one
  Stage stage_ = Stage::done;
  std::size_t row_ = 0;  ///< next of this stage
  std::size_t examined_ = 0;
};

}  // namespace vw
