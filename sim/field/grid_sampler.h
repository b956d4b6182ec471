// Interpolation of periodic vector grids at many positions: linear or cubic B-spline, values and gradients, sums of
// several grids with different rotations. Input: nodes and positions. Output: sums. Any thread.
#pragma once

#include <cstdint>
#include <span>

#include "sim/base/math.h"
#include "sim/base/page_memory.h"

namespace vw {

enum class GridSpline { linear, cubic };

/// Periodic grid of n^3 nodes with four floats each (the fourth is 0), x fastest. One layer of nodes below and two
/// layers above are duplicated, so that the nodes around a position are found without wrapping indices. Large memory
/// pages make millions of scattered reads faster.
class NodeGrid {
 public:
  NodeGrid() = default;
  /// All zero. `n` is at most largest_n.
  explicit NodeGrid(int n);
  static constexpr int largest_n = 400;  ///< 1 GB; the index of a float fits in 32 bits.

  [[nodiscard]] int n() const { return n_; }
  /// Nodes per side, including duplicates.
  [[nodiscard]] int side() const { return n_ + 3; }
  [[nodiscard]] std::size_t plane_floats() const {
    return std::size_t{4} * static_cast<std::size_t>(side()) * static_cast<std::size_t>(side());
  }
  [[nodiscard]] float* data() const { return static_cast<float*>(memory_.data()); }
  /// Index 0 .. side() - 1 stands for z = -1 .. n + 1.
  [[nodiscard]] std::span<float> plane(int index) const {
    return {data() + static_cast<std::size_t>(index) * plane_floats(), plane_floats()};
  }
  /// Copies n^3 values per component, x fastest. An empty component is set to 0.
  void load(std::span<const float> x, std::span<const float> y, std::span<const float> z);

 private:
  PageMemory memory_;
  int n_ = 0;
};

/// Computes planes of a grid on demand, before they are read.
class NodePlanes {
 public:
  virtual ~NodePlanes() = default;
  /// `place` has three words per position, for x, y and z, with the cell index in the upper half. Makes planes z .. z +
  /// 3 ready. Called from several threads at once.
  virtual void require(std::span<const std::uint64_t> place) const = 0;
};

/// A grid placed in space: gain R g(R^T (x - origin) / spacing).
struct PlacedGrid {
  const NodeGrid* nodes = nullptr;
  double period_m = 1;               ///< Length of the period, which spans n nodes [m].
  Mat3 rotation = Mat3::Identity();  ///< R
  Vec3 origin = Vec3::Zero();        ///< [m]
  double gain = 1;
  /// False: the three components are no vector and are not rotated: gain g(R^T (x - origin) / spacing).
  bool turns_values = true;
  const NodePlanes* planes = nullptr;  ///< Null: all planes are ready.

  /// Factor before g.
  [[nodiscard]] Mat3 value_turn() const { return gain * (turns_values ? rotation : Mat3(Mat3::Identity())); }
};

inline constexpr std::size_t most_grids = 16;  ///< Largest number of grids in one sum.

/// How sums are stored. add: added to the output. set: overwrites the output. stream: overwrites with non-temporal
/// stores, for outputs so large that the caches would not hold them until they are read. `add` and `set` read each
/// cache line before they write it.
enum class GridStore { add, set, stream };

/// Adds the sum of all grids at each position [m], and `base`, to `out`, or overwrites `out` (see GridStore). For
/// `cubic`, nodes are B-spline coefficients. Computed in float lanes, with the same operations in the same order for
/// each position on any instruction set, so the bits are the same. A position that is not finite gets NaN.
void add_grids(std::span<const PlacedGrid> grids, GridSpline spline, std::span<const Vec3> position,
               std::span<Vec3> out, GridStore store = GridStore::add, const Vec3& base = Vec3::Zero());
/// Adds the gradients d u_i / d x_j [1/m] (row i, column j) in the same way.
void add_grid_gradients(std::span<const PlacedGrid> grids, GridSpline spline, std::span<const Vec3> position,
                        std::span<Mat3> out);

/// to = sum of weight[i] from[i], elementwise.
void blend_nodes(std::span<const float* const> from, std::span<const float> weight, std::span<float> to);

/// Scalar reference in double, for tests and measurements of the vector code.
struct GridSample {
  Vec3 value = Vec3::Zero();
  Mat3 gradient = Mat3::Zero();
};
[[nodiscard]] GridSample plain_sample(const PlacedGrid& grid, GridSpline spline, const Vec3& position);

}  // namespace vw
