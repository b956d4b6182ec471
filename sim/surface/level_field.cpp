#include "sim/surface/level_field.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/base/cell_grid.h"
#include "sim/base/parallel/parallel.h"

namespace vw {
namespace {

constexpr int block_width = NodeBlocks::width;

/// Integral of (1 - q^2)^5 over the unit ball: 2 pi B(3/2, 6) = 1024 pi / 9009. The kernel is W(q) = W0 (1 - q^2)^5
/// with q = r / reach. It needs no square root. W0 is chosen so that the integral of the kernel is spacing^3.
constexpr double unit_integral = 1024 * pi / 9009;
constexpr double kernel_peak = 1 / (unit_integral * surface_kernel_reach * surface_kernel_reach * surface_kernel_reach);

double surface_kernel(double q2) {
  const double u = q2 < 1 ? 1 - q2 : 0;
  return kernel_peak * (u * u) * (u * u) * u;
}

/// Returns the iso-level of the volume fraction, where `peak` is the largest volume fraction in the neighbourhood. The
/// table contains the values for particles at a distance of one spacing in three shapes: a drop (a single particle), a
/// filament (a row) and a sheet (a single layer). For each shape, the iso-level is the volume fraction at the surface
/// of a ball, cylinder or plate with the volume of the particles. Between a single layer and a full half-space, the
/// iso-level is within 2 % of 1/2.
double level_of_peak(double peak) {
  struct Point {
    double peak, level;
  };
  constexpr Point drop{0.350, 0.211}, filament{0.516, 0.327}, sheet{0.726, 0.497};
  const auto between = [&](const Point& a, const Point& b) {
    return a.level + (b.level - a.level) * (peak - a.peak) / (b.peak - a.peak);
  };
  if (peak < drop.peak) return std::max(0.6 * peak, 0.02);  // The volume of the particles is less than at rest.
  if (peak < filament.peak) return between(drop, filament);
  return peak < sheet.peak ? between(filament, sheet) : 0.5 + (sheet.level - 0.5) * std::max(0.0, 1 - peak) / 0.274;
}

/// Returns the weight with which a neighbour at distance r contributes to the peak. The weight is 1 up to 1.25 spacings
/// and falls linearly to 0 at 1.75 spacings. The gradual fall avoids jumps when a drop approaches the fluid.
double neighbor_weight(double r2, double spacing_m) {
  const double r = std::sqrt(r2) / spacing_m;
  return std::clamp((1.75 - r) / 0.5, 0.0, 1.0);
}

/// Data of the particles, sorted by block.
struct SortedRows {
  std::vector<Vec3> position;
  std::vector<double> share;
  std::vector<double> level;  ///< Iso-level at each particle.
};

/// Computes the iso-level of each particle from the volume fractions at the particle and at its neighbours.
void find_levels(SortedRows& rows, double spacing_m) {
  const std::size_t count = rows.position.size();
  const double reach_m = surface_kernel_reach * spacing_m;
  CellGrid grid;
  grid.build(rows.position, reach_m);
  std::vector<double> fraction(count);
  rows.level.resize(count);
  const double inverse_reach2 = 1 / (reach_m * reach_m);
  parallel_for(count, 512, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      double sum = 0;
      grid.near(rows.position[i], [&](std::uint32_t j) {
        sum += rows.share[j] * surface_kernel((rows.position[i] - rows.position[j]).squaredNorm() * inverse_reach2);
      });
      fraction[i] = std::min(sum, 1.0);
    }
  });
  const double far2 = 1.75 * 1.75 * spacing_m * spacing_m;
  parallel_for(count, 512, [&](Range range, std::size_t) {
    for (std::size_t i = range.begin; i < range.end; ++i) {
      double peak = fraction[i];
      grid.near(rows.position[i], [&](std::uint32_t j) {
        if (fraction[j] <= peak) return;
        const double r2 = (rows.position[i] - rows.position[j]).squaredNorm();
        if (r2 < far2) peak = std::max(peak, fraction[j] * neighbor_weight(r2, spacing_m));
      });
      rows.level[i] = level_of_peak(peak);
    }
  });
}

/// Sums over the particles at each node of a block. `fraction` is the volume fraction. `level` is the same sum with
/// each particle's term multiplied by its iso-level.
struct BlockSums {
  std::array<float, NodeBlocks::nodes> fraction{};
  std::array<float, NodeBlocks::nodes> level{};
};

/// Adds a particle to the nodes of a block. `at` is the particle's position relative to the first node, and `cell` is
/// the edge of a cell, both in units of the reach. The inner loop has a fixed length, so that the compiler can
/// vectorise it.
void add_particle(const Eigen::Vector3f& at, float cell, float share, float level, BlockSums& sums) {
  int low[3], high[3];
  for (int a = 0; a < 3; ++a) {
    low[a] = std::max(0, static_cast<int>(std::ceil((at[a] - 1) / cell)));
    high[a] = std::min(block_width, static_cast<int>(std::floor((at[a] + 1) / cell)) + 1);
  }
  if (low[0] >= high[0]) return;
  std::array<float, block_width> dx2;
  for (int i = 0; i < block_width; ++i) {
    const float dx = cell * static_cast<float>(i) - at.x();
    dx2[static_cast<std::size_t>(i)] = dx * dx;
  }
  const float scale = share * static_cast<float>(kernel_peak);
  for (int k = low[2]; k < high[2]; ++k) {
    const float dz = cell * static_cast<float>(k) - at.z();
    for (int j = low[1]; j < high[1]; ++j) {
      const float dy = cell * static_cast<float>(j) - at.y();
      const float rest = 1 - (dy * dy + dz * dz);
      if (rest <= 0) continue;
      const int row = block_width * (block_width * k + j);
      float* fraction = sums.fraction.data() + row;
      float* levels = sums.level.data() + row;
      for (std::size_t i = 0; i < block_width; ++i) {
        const float u = std::max(rest - dx2[i], 0.0F), u2 = u * u;
        const float w = scale * (u2 * u2 * u);
        fraction[i] += w;
        levels[i] += level * w;
      }
    }
  }
}

/// Computes the level function at the nodes of one block.
void fill_block(const NodeBlocks& blocks, std::size_t block, const SortedRows& rows, double reach_m, float* out) {
  BlockSums sums;
  const auto cell = static_cast<float>(blocks.cell_m() / reach_m);
  const Vec3 corner = blocks.corner(block);
  for (int z = -1; z <= 1; ++z)
    for (int y = -1; y <= 1; ++y)
      for (int x = -1; x <= 1; ++x) {
        const std::uint32_t other = blocks.beside(block, x, y, z);
        if (other == NodeBlocks::none) continue;
        const Range particles = blocks.particles(other);
        for (std::size_t p = particles.begin; p < particles.end; ++p) {
          const Vec3 at = (rows.position[p] - corner) / reach_m;
          if (at.minCoeff() <= -1 || at.maxCoeff() >= 1 + static_cast<double>(cell) * (block_width - 1)) continue;
          add_particle(at.cast<float>(), cell, static_cast<float>(rows.share[p]), static_cast<float>(rows.level[p]),
                       sums);
        }
      }
  // If the volume fraction is far below all iso-levels, the sums may be denormal, and their quotient would be
  // inaccurate.
  constexpr float outside = -0.25F, least = 1e-6F;
  for (std::size_t n = 0; n < NodeBlocks::nodes; ++n)
    out[n] = sums.fraction[n] > least ? sums.fraction[n] - sums.level[n] / sums.fraction[n] : outside;
}

}  // namespace

std::vector<float> level_field(const NodeBlocks& blocks, std::span<const Vec3> position, std::span<const double> share,
                               double spacing_m) {
  SortedRows rows;
  rows.position.reserve(position.size());
  rows.share.reserve(position.size());
  for (const std::uint32_t i : blocks.order()) {
    rows.position.push_back(position[i]);
    rows.share.push_back(share[i]);
  }
  find_levels(rows, spacing_m);
  std::vector<float> level(blocks.size() * NodeBlocks::nodes);
  parallel_for(blocks.size(), 4, [&](Range range, std::size_t) {
    for (std::size_t b = range.begin; b < range.end; ++b)
      fill_block(blocks, b, rows, surface_kernel_reach * spacing_m, &level[b * NodeBlocks::nodes]);
  });
  return level;
}

}  // namespace vw
