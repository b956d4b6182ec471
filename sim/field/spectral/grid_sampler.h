// Interpolation of periodic vector grids at many positions, linear or by cubic B-splines. The result is the value or
// gradient of a sum of grids, each of which has its own rotation. Any thread may call these functions.
#pragma once

#include <cstdint>
#include <span>

#include "sim/base/math.h"
#include "sim/base/parallel/page_memory.h"

namespace vw {

enum class GridSpline { linear, cubic };

/// Periodic grid of n^3 nodes, x fastest. A node consists of the three floats of a vector and a fourth float that is 0.
/// One layer of nodes below the grid and two layers above it are copies of the opposite side, so that the nodes around
/// a position are found without wrapping indices. Large memory pages speed up millions of scattered reads.
class NodeGrid {
 public:
  NodeGrid() = default;
  /// Creates a grid of zeros with `n` nodes per side. `n` must not exceed largest_n.
  explicit NodeGrid(int n);
  /// Largest number of nodes per side. Such a grid takes 1 GB, and the index of each of its floats fits into 32 bits.
  static constexpr int largest_n = 400;

  [[nodiscard]] int n() const { return n_; }
  /// Returns the number of nodes per side, including duplicates.
  [[nodiscard]] int side() const { return n_ + 3; }
  [[nodiscard]] std::size_t plane_floats() const {
    return std::size_t{4} * static_cast<std::size_t>(side()) * static_cast<std::size_t>(side());
  }
  [[nodiscard]] float* data() const { return static_cast<float*>(memory_.data()); }
  /// Returns a plane of nodes. The indices 0 .. side() - 1 stand for z = -1 .. n + 1.
  [[nodiscard]] std::span<float> plane(int index) const {
    return {data() + static_cast<std::size_t>(index) * plane_floats(), plane_floats()};
  }
  /// Copies n^3 values for each component, x fastest. A component whose span is empty is set to 0.
  void load(std::span<const float> x, std::span<const float> y, std::span<const float> z);

 private:
  PageMemory memory_;
  int n_ = 0;
};

/// Computes the planes of a grid on demand, before they are read.
class NodePlanes {
 public:
  virtual ~NodePlanes() = default;
  /// Ensures that the planes z .. z + 3 are computed for the cell index z of each position. `place` has three words per
  /// position, for x, y and z. The upper half of a word is the cell index. Several threads may call this function at
  /// once.
  virtual void require(std::span<const std::uint64_t> place) const = 0;
};

/// A grid and its placement. Its value at x is gain * R * g(R^T (x - origin) / spacing), where g interpolates between
/// the nodes, R is the rotation, and the spacing of the nodes is period_m / n.
struct PlacedGrid {
  const NodeGrid* nodes = nullptr;
  double period_m = 1;               ///< Length of the period [m], which spans n nodes.
  Mat3 rotation = Mat3::Identity();  ///< Rotation R.
  Vec3 origin = Vec3::Zero();        ///< Origin of the grid [m].
  double gain = 1;
  /// Whether the values are vectors, which rotate with the grid. Otherwise, the value at x is gain * g(R^T (x - origin)
  /// / spacing).
  bool turns_values = true;
  const NodePlanes* planes = nullptr;  ///< Source of missing planes, or null if all planes are computed.

  /// Returns the matrix by which the interpolated value g is multiplied.
  [[nodiscard]] Mat3 value_turn() const { return gain * (turns_values ? rotation : Mat3(Mat3::Identity())); }
};

inline constexpr std::size_t most_grids = 16;  ///< Largest number of grids in one sum.

/// Storage of sums. `add` adds them to the output. `set` overwrites the output. `stream` also overwrites it, but with
/// non-temporal stores, for outputs so large that they would not stay in the caches until they are read. (`add` and
/// `set` read each cache line before they write it.)
enum class GridStore { add, set, stream };

/// Adds the sum of all grids and of `base` at each position [m] to `out`, or overwrites `out` with it (see GridStore).
/// If `spline` is `cubic`, the nodes are B-spline coefficients. Every instruction set performs the same float
/// operations in the same order for each position, so all give the same bits. At a position that is not finite, the sum
/// is NaN.
void add_grids(std::span<const PlacedGrid> grids, GridSpline spline, std::span<const Vec3> position,
               std::span<Vec3> out, GridStore store = GridStore::add, const Vec3& base = Vec3::Zero());
/// Adds the gradient d u_i / d x_j [1/m] (row i, column j) of the sum of all grids at each position to `out`.
void add_grid_gradients(std::span<const PlacedGrid> grids, GridSpline spline, std::span<const Vec3> position,
                        std::span<Mat3> out);

/// Computes to[k] = sum of weight[i] * from[i][k] over i, for each element k.
void blend_nodes(std::span<const float* const> from, std::span<const float> weight, std::span<float> to);

/// Value and gradient of one grid. plain_sample() computes them in double without SIMD, as a reference for tests and
/// measurements of the SIMD code.
struct GridSample {
  Vec3 value = Vec3::Zero();
  Mat3 gradient = Mat3::Zero();
};
[[nodiscard]] GridSample plain_sample(const PlacedGrid& grid, GridSpline spline, const Vec3& position);

}  // namespace vw
