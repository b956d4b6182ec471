// Pair sums of the SPH solvers, compiled once for each instruction set (Highway). See sweeps.h.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/system/fluid/pressure/sweeps.cpp"
// Compiles for scalar code and for vectors of 128, 256 and 512 bits. Other targets of the same widths are disabled.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "sim/base/parallel/parallel.h"
#include "sim/system/fluid/neighbors/force_walk-inl.h"
#include "sim/system/fluid/pressure/sweeps.h"

HWY_BEFORE_NAMESPACE();
namespace vw {
namespace HWY_NAMESPACE {

/// Returns the factor that turns slope_of(SlopePair) times x_i - x_j into V grad W [1/m].
template <SphKernel kernel>
double slope_scale(const SweepInput& in) {
  return static_cast<double>(kernel_scale<kernel>(in.reach_m, in.factor).slope) * slope_factor<kernel>(in.reach_m) *
         in.volume_m3;
}

template <SphKernel kernel>
void density_chunk(const SweepInput& in, const PairChunk& chunk, std::span<DensityRow> out) {
  fetch(in.rows, chunk);
  const auto reach = static_cast<float>(in.reach_m);
  const float inverse_reach = 1 / reach;
  const KernelScale scale = kernel_scale<kernel>(in.reach_m, in.factor);
  const auto volume = static_cast<float>(in.volume_m3);
  for (const Cluster& cluster : chunk.clusters) {
    const ListView list(chunk, cluster);
    const RowColumns rows(in.rows, cluster.row, cluster.rows);
    const Lanes3 at = rows.xyz();
    Lanes density = all(0), squares = all(0), wall_density = all(0), virial = all(0);
    Lanes3 slope{all(0), all(0), all(0)}, wall_slope = slope;
    walk(in.rows, list.near, list.near_end, [&](const Neighbours& j, const std::uint32_t*) HWY_ATTR {
      const Pair pair = pair_of(at, xyz_of(j), inverse_reach);
      density = density + shape_of<kernel>(pair);
      const Lanes3 gradient = slope_of<kernel>(pair, reach) * pair.apart;
      slope = slope + gradient;
      squares = times_plus(w_of(j), dot(gradient, gradient), squares);
      virial = virial + dot(gradient, pair.apart);
    });
    walk(in.walls, list.walls, list.wall_end, [&](const Neighbours& b, const std::uint32_t*) HWY_ATTR {
      const Pair pair = pair_of(at, xyz_of(b), inverse_reach);
      wall_density = times_plus(w_of(b), shape_of<kernel>(pair), wall_density);
      const Lanes3 gradient = w_of(b) * slope_of<kernel>(pair, reach) * pair.apart;
      wall_slope = wall_slope + gradient;
      virial = virial + dot(gradient, pair.apart);
    });
    float sum[4], square[4], own[4], wall[4], inner[4];
    sum_rows(density, sum);
    sum_rows(wall_density, wall);
    sum_rows(squares, square);
    sum_rows(virial, inner);
    float sx[4], sy[4], sz[4], wx[4], wy[4], wz[4];
    sum_rows(slope.x, sx), sum_rows(slope.y, sy), sum_rows(slope.z, sz);
    sum_rows(wall_slope.x, wx), sum_rows(wall_slope.y, wy), sum_rows(wall_slope.z, wz);
    const float v = volume * scale.slope;
    for (std::uint32_t i = 0; i < cluster.rows; ++i) {
      const float ox = sx[i] + 2 * wx[i], oy = sy[i] + 2 * wy[i], oz = sz[i] + 2 * wz[i];
      own[i] = ox * ox + oy * oy + oz * oz;
      DensityRow& row = out[cluster.row + i];
      row.density = volume * scale.shape * (sum[i] + wall[i]);
      row.answer = v * v * (own[i] * rows.w[i] + square[i]);
      row.virial = inner[i] * v / -3;
      row.wall_density = volume * scale.shape * wall[i];
    }
  }
}

template <SphKernel kernel>
void rate_chunk(const SweepInput& in, const PairChunk& chunk, std::span<float> out) {
  fetch(in.rows, chunk);
  fetch(in.motion, chunk);
  const Lanes reach = all(static_cast<float>(in.reach_m)), half = all(static_cast<float>(0.5 * in.reach_m));
  const auto scale = static_cast<float>(slope_scale<kernel>(in));
  for (const Cluster& cluster : chunk.clusters) {
    const ListView list(chunk, cluster);
    const Lanes3 at = RowColumns(in.rows, cluster.row, cluster.rows).xyz();
    const Lanes3 motion = RowColumns(in.motion, cluster.row, cluster.rows).xyz();
    Lanes rate = all(0);
    walk(in.rows, list.near, list.near_end, [&](const Neighbours& j, const std::uint32_t* who) HWY_ATTR {
      const SlopePair pair = slope_pair(at, xyz_of(j));
      const Lanes3 relative = motion - xyz_of(take(in.motion, who));
      rate = times_plus(slope_of<kernel>(pair, reach, half), dot(relative, pair.apart), rate);
    });
    walk(in.walls, list.walls, list.wall_end, [&](const Neighbours& b, const std::uint32_t* who) HWY_ATTR {
      const SlopePair pair = slope_pair(at, xyz_of(b));
      const Lanes3 relative = motion - xyz_of(take(in.wall_motion, who));
      rate = times_plus((w_of(b) + w_of(b)) * slope_of<kernel>(pair, reach, half), dot(relative, pair.apart), rate);
    });
    float sum[4];
    sum_rows(rate, sum);
    for (std::uint32_t i = 0; i < cluster.rows; ++i) out[cluster.row + i] = scale * sum[i];
  }
}

template <SphKernel kernel>
void push_chunk(const SweepInput& in, const PairChunk& chunk, const Pushed& pushed, std::span<Float4> out) {
  fetch(in.rows, chunk);
  const Lanes reach = all(static_cast<float>(in.reach_m)), half = all(static_cast<float>(0.5 * in.reach_m));
  const auto scale = static_cast<float>(-static_cast<double>(pushed.dt) * slope_scale<kernel>(in));
  for (const Cluster& cluster : chunk.clusters) {
    const ListView list(chunk, cluster);
    const RowColumns rows(in.rows, cluster.row, cluster.rows);
    const Lanes3 at = rows.xyz();
    const Lanes pressure = rows.last();
    Lanes3 push{all(0), all(0), all(0)};
    walk(in.rows, list.near, list.near_end, [&](const Neighbours& j, const std::uint32_t*) HWY_ATTR {
      const SlopePair pair = slope_pair(at, xyz_of(j));
      push = times_plus(slope_of<kernel>(pair, reach, half) * (pressure + w_of(j)), pair.apart, push);
    });
    const Lanes mirrored = pressure + pressure;
    walk(in.walls, list.walls, list.wall_end, [&](const Neighbours& b, const std::uint32_t*) HWY_ATTR {
      const SlopePair pair = slope_pair(at, xyz_of(b));
      push = times_plus(slope_of<kernel>(pair, reach, half) * (mirrored * w_of(b)), pair.apart, push);
    });
    float x[4], y[4], z[4];
    sum_rows(push.x, x), sum_rows(push.y, y), sum_rows(push.z, z);
    for (std::uint32_t i = 0; i < cluster.rows; ++i) {
      const std::size_t row = cluster.row + i;
      const float factor = scale * pushed.inverse_density[row];
      const Float4& was = pushed.before[row];
      out[row].x = was.x + factor * x[i], out[row].y = was.y + factor * y[i], out[row].z = was.z + factor * z[i];
    }
  }
}

void density_any(const SweepInput& in, const PairChunk& chunk, std::span<DensityRow> out) {
  in.kernel == SphKernel::wendland ? density_chunk<SphKernel::wendland>(in, chunk, out)
                                   : density_chunk<SphKernel::cubic>(in, chunk, out);
}
void rate_any(const SweepInput& in, const PairChunk& chunk, std::span<float> out) {
  in.kernel == SphKernel::wendland ? rate_chunk<SphKernel::wendland>(in, chunk, out)
                                   : rate_chunk<SphKernel::cubic>(in, chunk, out);
}
void push_any(const SweepInput& in, const PairChunk& chunk, const Pushed& pushed, std::span<Float4> out) {
  in.kernel == SphKernel::wendland ? push_chunk<SphKernel::wendland>(in, chunk, pushed, out)
                                   : push_chunk<SphKernel::cubic>(in, chunk, pushed, out);
}
const char* target_name() { return hwy::TargetName(HWY_TARGET); }

}  // namespace HWY_NAMESPACE
}  // namespace vw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vw {
HWY_EXPORT(density_any);
HWY_EXPORT(rate_any);
HWY_EXPORT(push_any);
HWY_EXPORT(target_name);

namespace {
template <class F>
void each_chunk(const SweepInput& in, ChunkEnd end, F f) {
  const auto chunks = in.lists->chunks();
  parallel_for(chunks.size(), 1, [&](Range range, std::size_t) {
    for (std::size_t c = range.begin; c < range.end; ++c) {
      f(chunks[c]);
      end({chunks[c].first_row, chunks[c].end_row}, c);
    }
  });
}
}  // namespace

void density_sweep(const SweepInput& in, std::span<DensityRow> out, ChunkEnd end) {
  each_chunk(in, end, [&](const PairChunk& chunk) { HWY_DYNAMIC_DISPATCH(density_any)(in, chunk, out); });
}
void rate_sweep(const SweepInput& in, std::span<float> out, ChunkEnd end) {
  each_chunk(in, end, [&](const PairChunk& chunk) { HWY_DYNAMIC_DISPATCH(rate_any)(in, chunk, out); });
}
void push_sweep(const SweepInput& in, const Pushed& pushed, std::span<Float4> out, ChunkEnd end) {
  each_chunk(in, end, [&](const PairChunk& chunk) { HWY_DYNAMIC_DISPATCH(push_any)(in, chunk, pushed, out); });
}
const char* sph_instruction_set() { return HWY_DYNAMIC_DISPATCH(target_name)(); }

}  // namespace vw
#endif
