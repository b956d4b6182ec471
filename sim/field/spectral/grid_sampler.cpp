// Node grids with duplicated layers at the border, and the scalar reference of the SIMD code (see grid_sampler.h).
#include "sim/field/spectral/grid_sampler.h"

#include <array>
#include <cassert>
#include <cmath>
#include <utility>

#include "sim/base/parallel/parallel.h"

namespace vw {

NodeGrid::NodeGrid(int n) : n_(n) {
  assert(n >= 1 && n <= largest_n);
  memory_.assign(sizeof(float) * plane_floats() * static_cast<std::size_t>(side()));
}

void NodeGrid::load(std::span<const float> x, std::span<const float> y, std::span<const float> z) {
  const std::array<std::span<const float>, 3> component{x, y, z};
  const auto wrapped = [this](int index) { return static_cast<std::size_t>((index + n_ - 1) % n_); };
  parallel_for(static_cast<std::size_t>(side()), 4, [&](Range planes, std::size_t) {
    for (std::size_t k = planes.begin; k < planes.end; ++k) {
      float* to = plane(static_cast<int>(k)).data();
      for (int j = 0; j < side(); ++j) {
        const std::size_t row =
            (wrapped(static_cast<int>(k)) * static_cast<std::size_t>(n_) + wrapped(j)) * static_cast<std::size_t>(n_);
        for (int i = 0; i < side(); ++i, to += 4)
          for (std::size_t c = 0; c < 3; ++c) to[c] = component[c].empty() ? 0 : component[c][row + wrapped(i)];
      }
    }
  });
}

namespace {

/// Weights of four nodes along an axis, from the node below the cell on, and the derivatives of these weights.
struct PlainWeights {
  std::array<double, 4> weight, slope;
};

PlainWeights plain_weights(GridSpline spline, double t) {
  if (spline == GridSpline::linear) return {{0, 1 - t, t, 0}, {0, -1, 1, 0}};
  const double s = 1 - t;
  return {{s * s * s / 6, (4 - 6 * t * t + 3 * t * t * t) / 6, (4 - 6 * s * s + 3 * s * s * s) / 6, t * t * t / 6},
          {-s * s / 2, (3 * t - 4) * t / 2, (4 - 3 * s) * s / 2, t * t / 2}};
}

}  // namespace

GridSample plain_sample(const PlacedGrid& grid, GridSpline spline, const Vec3& position) {
  const Vec3 at = grid.rotation.transpose() * (position - grid.origin) / grid.period_m;
  const int n = grid.nodes->n(), side = grid.nodes->side();
  std::array<int, 3> cell;
  std::array<PlainWeights, 3> axis;
  for (int a = 0; a < 3; ++a) {
    const double g = (at[a] - std::floor(at[a])) * n;
    cell[static_cast<std::size_t>(a)] = std::min(static_cast<int>(g), n - 1);
    axis[static_cast<std::size_t>(a)] = plain_weights(spline, g - cell[static_cast<std::size_t>(a)]);
  }
  GridSample local;
  const std::size_t first = spline == GridSpline::linear ? 1 : 0, end = 4 - first;
  for (std::size_t k = first; k < end; ++k)
    for (std::size_t j = first; j < end; ++j)
      for (std::size_t i = first; i < end; ++i) {
        const std::size_t node = ((static_cast<std::size_t>(cell[2]) + k) * static_cast<std::size_t>(side) +
                                  static_cast<std::size_t>(cell[1]) + j) *
                                     static_cast<std::size_t>(side) +
                                 static_cast<std::size_t>(cell[0]) + i;
        const Vec3 value = Eigen::Map<const Vec3f>(grid.nodes->data() + 4 * node).cast<double>();
        const double wx = axis[0].weight[i], wy = axis[1].weight[j], wz = axis[2].weight[k];
        local.value += wx * wy * wz * value;
        local.gradient +=
            value *
            Vec3(axis[0].slope[i] * wy * wz, wx * axis[1].slope[j] * wz, wx * wy * axis[2].slope[k]).transpose();
      }
  const Mat3 turn = grid.value_turn();
  return {turn * local.value, turn * (n / grid.period_m) * local.gradient * grid.rotation.transpose()};
}

}  // namespace vw
