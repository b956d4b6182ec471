// Pair sums of the hydrostatic correction at walls, compiled once for each instruction set (Highway). See
// hydrostatic_correction.h.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/system/fluid/walls/walls_depth_sweep.cpp"
// Compiles for scalar code and for vectors of 128, 256 and 512 bits. Other targets of the same widths are disabled.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "sim/base/parallel/parallel.h"
#include "sim/system/fluid/neighbors/pair_lanes-inl.h"
#include "sim/system/fluid/pressure/hydrostatic_correction.h"

HWY_BEFORE_NAMESPACE();
namespace vw {
namespace HWY_NAMESPACE {

template <SphKernel kernel>
void depth_chunk(const SweepInput& in, const Growth& growth, const PairChunk& chunk, std::span<Float4> out) {
  const Lanes reach = all(static_cast<float>(in.reach_m)), half = all(static_cast<float>(0.5 * in.reach_m));
  const double slope = static_cast<double>(kernel_scale<kernel>(in.reach_m, in.factor).slope) *
                       slope_factor<kernel>(in.reach_m) * in.volume_m3;
  const auto scale = static_cast<float>(-static_cast<double>(growth.dt) * slope);
  const Lanes3 up{all(-growth.gravity.x()), all(-growth.gravity.y()), all(-growth.gravity.z())};
  for (const Cluster& cluster : chunk.clusters) {
    if (cluster.wall_begin == cluster.wall_end) continue;
    alignas(16) float most_of[4], weight_of[4];
    for (std::uint32_t i = 0; i < 4; ++i) {
      const std::size_t row = cluster.row + std::min(i, cluster.rows - 1);
      most_of[i] = growth.kappa[row], weight_of[i] = growth.heaviness(row);
    }
    const Lanes3 at = RowColumns(in.rows, cluster.row, cluster.rows).xyz();
    const Lanes most = of_rows(most_of), least = all(0) - most, weight = of_rows(weight_of);
    Lanes3 push{all(0), all(0), all(0)};
    for (std::uint32_t k = cluster.wall_begin; k < cluster.wall_end; k += neighbours_at_once) {
      const Neighbours b = take(in.walls, chunk.walls.data() + k);
      const SlopePair pair = slope_pair(at, xyz_of(b));
      const Lanes grown = greater_of(least, lesser_of(weight * dot(up, pair.apart), most));
      push = times_plus(slope_of<kernel>(pair, reach, half) * (grown * w_of(b)), pair.apart, push);
    }
    float x[4], y[4], z[4];
    sum_rows(push.x, x), sum_rows(push.y, y), sum_rows(push.z, z);
    for (std::uint32_t i = 0; i < cluster.rows; ++i) {
      Float4& row = out[cluster.row + i];
      const float factor = scale * growth.inverse_density[cluster.row + i];
      row.x += factor * x[i], row.y += factor * y[i], row.z += factor * z[i];
    }
  }
}

void depth_any(const SweepInput& in, const Growth& growth, const PairChunk& chunk, std::span<Float4> out) {
  in.kernel == SphKernel::wendland ? depth_chunk<SphKernel::wendland>(in, growth, chunk, out)
                                   : depth_chunk<SphKernel::cubic>(in, growth, chunk, out);
}

}  // namespace HWY_NAMESPACE
}  // namespace vw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vw {
HWY_EXPORT(depth_any);

void depth_sweep(const SweepInput& in, const Growth& growth, std::span<Float4> out) {
  const auto chunks = in.lists->chunks();
  parallel_for(chunks.size(), 1, [&](Range range, std::size_t) {
    for (std::size_t c = range.begin; c < range.end; ++c) HWY_DYNAMIC_DISPATCH(depth_any)(in, growth, chunks[c], out);
  });
}

}  // namespace vw
#endif
