// Periodic grids of vectors, asked at many places: linear or cubic B-spline, values and gradients, several grids turned against each other in one go.
// In: nodes, places. Out: sums, added. Any thread.
#pragma once

#include <cstdint>
#include <span>

#include "sim/base/math.h"
#include "sim/base/page_memory.h"

namespace vw {

enum class GridSpline { linear, cubic };

/// A periodic grid of n^3 nodes, four floats each (the fourth is 0), x fastest. One layer of nodes below and two above stand twice, so that a place
/// finds all of its nodes without looking where the grid ends. A million scattered reads want large pages.
class NodeGrid {
 public:
  NodeGrid() = default;
  /// All zero. `n` is at most largest_n.
  explicit NodeGrid(int n);
  static constexpr int largest_n = 400;  ///< 1 GB; an index of a float stays within 32 bits

  [[nodiscard]] int n() const { return n_; }
  /// Nodes a side with those that stand twice.
  [[nodiscard]] int side() const { return n_ + 3; }
  [[nodiscard]] std::size_t plane_floats() const { return std::size_t{4} * static_cast<std::size_t>(side()) * static_cast<std::size_t>(side()); }
  [[nodiscard]] float* data() const { return static_cast<float*>(memory_.data()); }
  /// Planes z = -1 .. n + 1 are 0 .. side() - 1.
  [[nodiscard]] std::span<float> plane(int index) const { return {data() + static_cast<std::size_t>(index) * plane_floats(), plane_floats()}; }
  /// From n^3 values a component, x fastest; an empty component is 0.
  void load(std::span<const float> x, std::span<const float> y, std::span<const float> z);

 private:
  PageMemory memory_;
  int n_ = 0;
};

/// Makes planes of a grid good before somebody reads them.
class NodePlanes {
 public:
  virtual ~NodePlanes() = default;
  /// Three words a place, for x, y, z, with the index of its cell in the upper halves: planes z .. z + 3 are wanted. From several threads at once.
  virtual void require(std::span<const std::uint64_t> place) const = 0;
};

/// A grid in space: gain R g(R^T (x - origin) / spacing).
struct PlacedGrid {
  const NodeGrid* nodes = nullptr;
  double period_m = 1;               ///< of all its n nodes
  Mat3 rotation = Mat3::Identity();  ///< R
  Vec3 origin = Vec3::Zero();        ///< [m]
  double gain = 1;
  bool turns_values = true;            ///< false: three numbers that are no vector, gain g(R^T (x - origin) / spacing)
  const NodePlanes* planes = nullptr;  ///< null: all of them are good

  /// What stands before g.
  [[nodiscard]] Mat3 value_turn() const { return gain * (turns_values ? rotation : Mat3(Mat3::Identity())); }
};

inline constexpr std::size_t most_grids = 16;  ///< of one sum

/// What is done with sums: added to what is there, put in its place, or put there past the caches, for more of them than are still in a cache when
/// they are read. A line of memory that is added to, or put there in the usual way, is read first.
enum class GridStore { add, set, stream };

/// Adds all grids' sum at each position [m], and `base`, to `out`, or puts it there; cubic takes the nodes for coefficients of B-splines. In float
/// lanes, each place with the same operations in the same order on any instruction set: the same bits. A place that is not finite gets NaN.
void add_grids(std::span<const PlacedGrid> grids, GridSpline spline, std::span<const Vec3> position, std::span<Vec3> out,
               GridStore store = GridStore::add, const Vec3& base = Vec3::Zero());
/// Adds the gradient d u_i / d x_j [1/m] (row i, column j) likewise.
void add_grid_gradients(std::span<const PlacedGrid> grids, GridSpline spline, std::span<const Vec3> position, std::span<Mat3> out);

/// to = sum of weight[i] from[i], a number at a time.
void blend_nodes(std::span<const float* const> from, std::span<const float> weight, std::span<float> to);

/// The same as one line of plain double code a node: what the lanes are checked against and measured with.
struct GridSample {
  Vec3 value = Vec3::Zero();
  Mat3 gradient = Mat3::Zero();
};
[[nodiscard]] GridSample plain_sample(const PlacedGrid& grid, GridSpline spline, const Vec3& position);

}  // namespace vw
