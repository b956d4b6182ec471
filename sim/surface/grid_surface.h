// Iso-surface of values on a uniform grid, by marching cubes. The result is the same at any number of threads.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/parallel/parallel.h"
#include "sim/base/surface_mesh.h"

namespace vw {

/// Values at the nodes of a uniform grid. Node (i, j, k) is at origin + cell_m (i, j, k), and i varies fastest. NaN
/// marks a node without a value.
struct ValueGrid {
  Vec3 origin = Vec3::Zero();  ///< Position of node (0, 0, 0) [m].
  double cell_m = 1;
  std::array<std::size_t, 3> count{};  ///< Number of nodes along each axis.
  std::vector<float> value;

  [[nodiscard]] std::size_t at(std::size_t i, std::size_t j, std::size_t k) const {
    return i + count[0] * (j + count[1] * k);
  }
  [[nodiscard]] Vec3 place(std::size_t node) const {
    const std::size_t i = node % count[0], j = node / count[0] % count[1], k = node / count[0] / count[1];
    return origin + cell_m * Vec3(static_cast<double>(i), static_cast<double>(j), static_cast<double>(k));
  }
  /// Sets the value of each node to quantity(place), where `place` is the position of the node [m].
  template <class Quantity>
  void fill(const Quantity& quantity) {
    value.resize(count[0] * count[1] * count[2]);
    parallel_for(value.size(), 512, [&](Range range, std::size_t) {
      for (std::size_t n = range.begin; n < range.end; ++n) value[n] = static_cast<float>(quantity(place(n)));
    });
  }
};

/// Returns the surface on which the interpolated values are equal to `level`. Its normals point towards smaller values.
/// Adjacent triangles share vertices. A cube with a node that has no value gets no triangles, so the mesh may have open
/// borders at such cubes and at the sides of the grid.
[[nodiscard]] SurfaceMesh grid_surface(const ValueGrid& grid, float level);

/// Returns the mesh without those connected parts that have fewer than `least` triangles.
[[nodiscard]] SurfaceMesh without_small_parts(const SurfaceMesh& mesh, std::size_t least);
/// Number of triangles of a ball whose diameter is about three cells. Smaller parts of an iso-surface of the Q
/// criterion in turbulence are not resolved by the grid, and would hide the larger vortices.
inline constexpr std::size_t least_vortex_triangles = 60;

/// Calls add(level, mesh) for the iso-surface of each level, from low to high. Levels without a surface are left out.
/// Equal levels are treated as a single level.
template <class Add>
void add_iso_surfaces(const ValueGrid& grid, std::vector<double> levels, const Add& add) {
  std::ranges::sort(levels);
  levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
  for (const double level : levels)
    if (SurfaceMesh mesh = grid_surface(grid, static_cast<float>(level)); !mesh.triangle.empty())
      add(level, std::move(mesh));
}

/// Returns a level for an iso-surface that is chosen from the values of a grid. For the Q criterion, the level is the
/// value that 4 % of the nodes exceed, but at least 10 % and at most 30 % of the largest value. For other quantities,
/// it is the mean of the smallest and the largest value. The result is empty if no node has a value, or if all values
/// are equal.
[[nodiscard]] std::optional<double> automatic_level(const ValueGrid& grid, bool is_q_criterion);

}  // namespace vw
