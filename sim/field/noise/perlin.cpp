// Gradient noise at scattered points and on grids, as declared in perlin.h.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/field/noise/perlin.cpp"
// The targets SSSE3 and AVX3_DL are left out. The remaining targets are SSE2 (four_lanes-inl.h) and vectors of 128, 256
// and 512 bits.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "sim/field/noise/perlin.h"

#ifndef VOXWAKE_NOISE_JOB
#define VOXWAKE_NOISE_JOB
namespace vw {
/// Evaluation of full vectors of points: scattered points, or points of one grid row. Axis 0 has one coordinate per
/// point. In a grid row, the other axes have the same coordinate for all points.
struct NoiseJob {
  int dimensions = 3;
  bool sloped = false;
  std::uint32_t root = 0;
  std::size_t count = 0;                 ///< Number of points, a multiple of the vector length.
  std::array<const float*, 4> offset{};  ///< Offsets of scattered points on each axis.
  const std::int32_t* cell = nullptr;    ///< Cells of axis 0 for a grid row, or null for scattered points.
  const float* t = nullptr;              ///< Positions within these cells for a grid row.
  /// Origin of scattered points. For a grid row, the coordinates on the axes other than axis 0.
  std::array<CellPlace, 4> at{};
  float* value = nullptr;  ///< Output of values, or null if none are wanted.
  std::array<float*, 4> gradient{};
};
}  // namespace vw
#endif

HWY_BEFORE_NAMESPACE();
namespace vw {
namespace HWY_NAMESPACE {
#include "sim/field/noise/perlin-inl.h"

/// Stores the noise of one vector of points. Callers pass a copy of the job, so that the compiler knows that no store
/// changes it.
template <int N, bool sloped>
HWY_INLINE void store_noise(const NoiseLanes<N>& noise, const NoiseJob& job, std::size_t i) {
  const NoiseD reals;
  if (job.value != nullptr) hn::StoreU(noise.value, reals, job.value + i);
  if constexpr (sloped)
    for (std::size_t a = 0; a < N; ++a)
      if (job.gradient[a] != nullptr) hn::StoreU(noise.gradient[a], reals, job.gradient[a] + i);
}

template <int N, bool sloped, bool shifted>
HWY_INLINE void scattered_noise(const NoiseJob job) {
  const NoiseD reals;
  const NoiseHash root = hash_of(word(job.root));
  for (std::size_t i = 0; i < job.count; i += hn::Lanes(reals)) {
    AxesLanes<N> axes;
    for (std::size_t a = 0; a < N; ++a)
      axes[a] = axis_at<shifted>(hn::LoadU(reals, job.offset[a] + i), job.at[a].t, job.at[a].cell);
    store_noise<N, sloped>(noise_lanes<N, sloped>(axes, root), job, i);
  }
}

template <int N, bool sloped>
HWY_INLINE void row_noise(const NoiseJob job) {
  const NoiseD reals;
  const NoiseHash root = hash_of(word(job.root));
  AxesLanes<N> axes;
  for (std::size_t a = 1; a < N; ++a) axes[a] = axis_in(hn::Set(NoiseI(), job.at[a].cell), real(job.at[a].t));
  for (std::size_t i = 0; i < job.count; i += hn::Lanes(reals)) {
    axes[0] = axis_in(hn::LoadU(NoiseI(), job.cell + i), hn::LoadU(reals, job.t + i));
    store_noise<N, sloped>(noise_lanes<N, sloped>(axes, root), job, i);
  }
}

template <int N, bool sloped>
HWY_INLINE void noise_of(const NoiseJob& job) {
  const bool shifted =
      std::any_of(job.at.begin(), job.at.end(), [](const CellPlace& at) { return at.cell != 0 || at.t != 0; });
  if (job.cell != nullptr)
    row_noise<N, sloped>(job);
  else if (shifted)
    scattered_noise<N, sloped, true>(job);
  else
    scattered_noise<N, sloped, false>(job);
}

void do_noise(const NoiseJob& job) {
  switch (job.dimensions) {
    case 2: return job.sloped ? noise_of<2, true>(job) : noise_of<2, false>(job);
    case 3: return job.sloped ? noise_of<3, true>(job) : noise_of<3, false>(job);
    default: return job.sloped ? noise_of<4, true>(job) : noise_of<4, false>(job);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace vw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vw {
namespace {

HWY_EXPORT(do_noise);

/// Largest vector length of any instruction set, in floats.
constexpr std::size_t most_lanes = 16;

/// Evaluates points that fill complete vectors directly, and the remaining points in padded copies.
void run_job(NoiseJob job, std::size_t count) {
  const std::size_t whole = count / most_lanes * most_lanes, rest = count - whole;
  job.count = whole;
  if (whole > 0) HWY_DYNAMIC_DISPATCH(do_noise)(job);
  if (rest == 0) return;
  std::array<std::array<float, most_lanes>, 4> offset{}, gradient{};
  std::array<std::int32_t, most_lanes> cell{};
  std::array<float, most_lanes> t{}, value{};
  NoiseJob last = job;
  last.count = most_lanes;
  for (std::size_t a = 0; a < 4; ++a) {
    if (job.offset[a] != nullptr) std::copy_n(job.offset[a] + whole, rest, offset[a].begin());
    last.offset[a] = offset[a].data();
    last.gradient[a] = gradient[a].data();
  }
  if (job.cell != nullptr) {
    std::copy_n(job.cell + whole, rest, cell.begin());
    std::copy_n(job.t + whole, rest, t.begin());
    last.cell = cell.data();
    last.t = t.data();
  }
  last.value = value.data();
  HWY_DYNAMIC_DISPATCH(do_noise)(last);
  if (job.value != nullptr) std::copy_n(value.begin(), rest, job.value + whole);
  for (std::size_t a = 0; a < 4; ++a)
    if (job.gradient[a] != nullptr) std::copy_n(gradient[a].begin(), rest, job.gradient[a] + whole);
}

template <int N>
NoiseJob job_for(std::uint64_t seed, const NoiseRows<N>& out) {
  NoiseJob job;
  job.dimensions = N;
  job.root = noise_root(seed);
  job.value = out.value.empty() ? nullptr : out.value.data();
  for (std::size_t a = 0; a < N; ++a) {
    job.gradient[a] = out.gradient[a].empty() ? nullptr : out.gradient[a].data();
    job.sloped = job.sloped || job.gradient[a] != nullptr;
  }
  return job;
}

}  // namespace

CellPlace cell_place(double x) {
  if (!(std::abs(x) < 0x1p50)) return {0, static_cast<float>(0 * x)};
  const double cell = std::floor(x);
  return {static_cast<std::int32_t>(static_cast<std::int64_t>(cell)), static_cast<float>(x - cell)};
}

template <int N>
void gradient_noise(const NoisePlaces<N>& places, std::uint64_t seed, const NoiseRows<N>& out) {
  NoiseJob job = job_for<N>(seed, out);
  for (std::size_t a = 0; a < N; ++a) {
    job.offset[a] = places.offset[a].data();
    job.at[a] = cell_place(places.origin[a]);
  }
  run_job(job, places.offset[0].size());
}

template <int N>
void gradient_noise(const NoiseGrid<N>& grid, std::uint64_t seed, const NoiseRows<N>& out) {
  std::size_t rows = 1;
  for (std::size_t a = 1; a < N; ++a) rows *= grid.nodes[a];
  const std::size_t length = grid.nodes[0];
  std::vector<std::int32_t> cell(length);
  std::vector<float> t(length);
  const auto place = [&](std::size_t axis, std::size_t index) {
    return cell_place(grid.first[axis] + static_cast<double>(index) * grid.step[axis]);
  };
  for (std::size_t i = 0; i < length; ++i) {
    const CellPlace at = place(0, i);
    cell[i] = at.cell;
    t[i] = at.t;
  }
  const NoiseJob first = job_for<N>(seed, out);
  for (std::size_t row = 0; row < rows; ++row) {
    NoiseJob job = first;
    job.cell = cell.data();
    job.t = t.data();
    std::size_t index = row;
    for (std::size_t a = 1; a < N; index /= grid.nodes[a], ++a) job.at[a] = place(a, index % grid.nodes[a]);
    const std::size_t begin = row * length;
    if (job.value != nullptr) job.value += begin;
    for (float*& gradient : job.gradient)
      if (gradient != nullptr) gradient += begin;
    run_job(job, length);
  }
}

template void gradient_noise<2>(const NoisePlaces<2>&, std::uint64_t, const NoiseRows<2>&);
template void gradient_noise<3>(const NoisePlaces<3>&, std::uint64_t, const NoiseRows<3>&);
template void gradient_noise<4>(const NoisePlaces<4>&, std::uint64_t, const NoiseRows<4>&);
template void gradient_noise<2>(const NoiseGrid<2>&, std::uint64_t, const NoiseRows<2>&);
template void gradient_noise<3>(const NoiseGrid<3>&, std::uint64_t, const NoiseRows<3>&);
template void gradient_noise<4>(const NoiseGrid<4>&, std::uint64_t, const NoiseRows<4>&);

}  // namespace vw
#endif
