// Interpolation of periodic vector grids at many positions, by linear interpolation or cubic B-splines. The result is
// the values or gradients of a sum of several grids with different rotations. Any thread may call these functions.
#pragma once

#include <cstdint>
#include <span>

#include "sim/base/math.h"
#include "sim/base/parallel/page_memory.h"

namespace vw {

enum class GridSpline { linear, cubic };

/// Periodic grid of n^3 nodes with four floats each, x fastest. The fourth float is 0. One layer of nodes below the
/// grid and two layers above it are duplicates, so that the nodes around a position are found without wrapping indices.
/// Large memory pages make millions of scattered reads faster.
class NodeGrid {
 public:
  NodeGrid() = default;
  /// Grid of zeros with `n` nodes per side. `n` must not exceed largest_n.
  explicit NodeGrid(int n);
  /// Largest number of nodes per side. A grid of this size takes 1 GB, and the index of a float fits into 32 bits.
  static constexpr int largest_n = 400;

  [[nodiscard]] int n() const { return n_; }
  /// Number of nodes per side, including duplicates.
  [[nodiscard]] int side() const { return n_ + 3; }
  [[nodiscard]] std::size_t plane_floats() const {
    return std::size_t{4} * static_cast<std::size_t>(side()) * static_cast<std::size_t>(side());
  }
  [[nodiscard]] float* data() const { return static_cast<float*>(memory_.data()); }
  /// Plane of nodes. The indices 0 .. side() - 1 denote z = -1 .. n + 1.
  [[nodiscard]] std::span<float> plane(int index) const {
    return {data() + static_cast<std::size_t>(index) * plane_floats(), plane_floats()};
  }
  /// Copies n^3 values per component, x fastest. A component without values is set to 0.
  void load(std::span<const float> x, std::span<const float> y, std::span<const float> z);

 private:
  PageMemory memory_;
  int n_ = 0;
};

/// Source that computes planes of a grid on demand, before they are read.
class NodePlanes {
 public:
  virtual ~NodePlanes() = default;
  /// Computes the planes z .. z + 3 for the cell index z of each position, if necessary. `place` has three words per
  /// position, for x, y and z. The upper half of a word is the cell index. Called from several threads at once.
  virtual void require(std::span<const std::uint64_t> place) const = 0;
};

/// Grid placed in space. Its value at x is gain * R * g(R^T (x - origin) / spacing), where g are the interpolated
/// nodes, R is the rotation, and the spacing of the nodes is period_m / n.
struct PlacedGrid {
  const NodeGrid* nodes = nullptr;
  double period_m = 1;               ///< Length of the period [m], which spans n nodes.
  Mat3 rotation = Mat3::Identity();  ///< Rotation R.
  Vec3 origin = Vec3::Zero();        ///< Origin of the grid [m].
  double gain = 1;
  /// Whether the values are vectors, which rotate with the grid. If not, the value at x is gain * g(R^T (x - origin) /
  /// spacing).
  bool turns_values = true;
  const NodePlanes* planes = nullptr;  ///< Source of missing planes, or null if all planes are computed.

  /// Matrix that multiplies the interpolated nodes g.
  [[nodiscard]] Mat3 value_turn() const { return gain * (turns_values ? rotation : Mat3(Mat3::Identity())); }
};

inline constexpr std::size_t most_grids = 16;  ///< Largest number of grids in one sum.

/// Storage of sums. `add` adds them to the output. `set` overwrites the output. `stream` overwrites the output with
/// non-temporal stores, for outputs so large that the caches would not hold them until they are read. With `add` and
/// `set`, each cache line is read before it is written.
enum class GridStore { add, set, stream };

/// Computes the sum of all grids and `base` at each position [m]. The sum is added to `out` or overwrites `out` (see
/// GridStore). For `cubic`, nodes are B-spline coefficients. Sums are computed in float lanes, with the same operations
/// in the same order for each position on any instruction set, so the bits are the same. For a position that is not
/// finite, the sum is NaN.
void add_grids(std::span<const PlacedGrid> grids, GridSpline spline, std::span<const Vec3> position,
               std::span<Vec3> out, GridStore store = GridStore::add, const Vec3& base = Vec3::Zero());
/// Adds the gradients d u_i / d x_j [1/m] (row i, column j) of the sum of all grids to `out`.
void add_grid_gradients(std::span<const PlacedGrid> grids, GridSpline spline, std::span<const Vec3> position,
                        std::span<Mat3> out);

/// Computes to[k] = sum of weight[i] * from[i][k] over i, for each element k.
void blend_nodes(std::span<const float* const> from, std::span<const float> weight, std::span<float> to);

/// Value and gradient of a grid from plain_sample(), the scalar reference in double for tests and measurements of the
/// SIMD code.
struct GridSample {
  Vec3 value = Vec3::Zero();
  Mat3 gradient = Mat3::Zero();
};
[[nodiscard]] GridSample plain_sample(const PlacedGrid& grid, GridSpline spline, const Vec3& position);

}  // namespace vw
