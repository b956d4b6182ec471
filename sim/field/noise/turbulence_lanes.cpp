// SIMD evaluation of octaves of noise, as declared in turbulence_lanes.h.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/field/noise/turbulence_lanes.cpp"
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
#include <limits>
#include <vector>

#include "sim/field/noise/perlin.h"
#include "sim/field/noise/turbulence_lanes.h"

#ifndef VOXWAKE_NOISE_BLOCK
#define VOXWAKE_NOISE_BLOCK
namespace vw {
/// A block of points with one array per coordinate: positions, positions in the lattice of an octave, and sums. Array
/// entries from `used` on are unspecified.
struct NoiseBlock {
  static constexpr std::size_t size = 256;
  using Reals = std::array<float, size>;
  std::array<std::array<double, size>, 3> at;
  std::array<std::array<std::int32_t, size>, 3> cell;
  std::array<Reals, 3> t;
  std::array<Reals, 3> sum;  ///< Sum of the velocity, or of the gradient.
  Reals value;
  std::array<Reals, 3> normal;  ///< Normal of the nearest surface.
  Reals distance;               ///< Distance to the nearest surface [m].
  std::size_t used = 0;         ///< Number of points, rounded up to whole vectors.
};

/// One octave, and the data that are the same for all points.
struct OctaveJob {
  NoiseOctave octave;
  const NoiseShape* shape = nullptr;
  float shape_mean = 0;
  bool sloped = false, in_time = false;  ///< Options of add_noise().
};
}  // namespace vw
#endif

HWY_BEFORE_NAMESPACE();
namespace vw {
namespace HWY_NAMESPACE {
#include "sim/field/noise/perlin-inl.h"

/// Finds the cells of the points in the lattice of an octave. Unlike cell_place(), it may assign a point at the upper
/// end of a cell to this cell instead of the next one. Adding 1.5 * 2^52 to a number moves its integer part to the low
/// bits.
void place_points(const NoiseOctave& octave, NoiseBlock& block) {
  constexpr double magic = 0x1.8p52, finest = 0x1p50;
  const double scale = octave.scale;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double* HWY_RESTRICT at = block.at[axis].data();
    std::int32_t* HWY_RESTRICT cell = block.cell[axis].data();
    float* HWY_RESTRICT t = block.t[axis].data();
    for (std::size_t i = 0; i < block.used; ++i) {
      const double x = at[i] * scale;
      const bool known = std::abs(x) < finest;
      const double shifted = ((known ? x : 0) - 0.5) + magic;
      cell[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(shifted)));
      t[i] = static_cast<float>(known ? x - (shifted - magic) : 0 * x);
    }
  }
}

HWY_INLINE AxesLanes<3> axes_of(const NoiseBlock& block, std::size_t i) {
  AxesLanes<3> axes;
  for (std::size_t a = 0; a < 3; ++a)
    axes[a] = axis_in(hn::LoadU(NoiseI(), &block.cell[a][i]), hn::LoadU(NoiseD(), &block.t[a][i]));
  return axes;
}

struct Shaped {
  NoiseReal value, slope;
};

/// Returns f(n) and f'(n) of the shape function f.
HWY_INLINE Shaped shaped(NoiseReal n, const NoiseShape& shape) {
  const NoiseReal size = hn::Abs(n), sign = hn::CopySign(real(1), n);
  switch (shape.form()) {
    case NoiseForm::identity: return {n, real(1)};
    case NoiseForm::absolute: return {size, sign};
    case NoiseForm::ridge: {
      const NoiseReal rest = hn::Sub(real(1), size);
      return {hn::Mul(rest, rest), hn::Mul(hn::Mul(real(-2), rest), sign)};
    }
    case NoiseForm::curve: break;
  }
  const auto half = 0.5F * static_cast<float>(shape.steps());
  const NoiseReal u = hn::Add(hn::Mul(hn::Add(n, real(1)), real(half)), real(1));
  const NoiseReal piece = hn::Min(hn::Max(hn::Floor(u), real(0)), real(static_cast<float>(shape.steps() + 1)));
  const NoiseReal t = hn::Sub(u, piece);
  const NoiseWhole row = hn::ShiftLeft<2>(hn::ConvertTo(NoiseI(), piece));
  const float* first = shape.pieces().front().data();
  const auto c = [&](int k) HWY_ATTR { return hn::GatherIndex(NoiseD(), first, hn::Add(row, hn::Set(NoiseI(), k))); };
  const NoiseReal c0 = c(0), c1 = c(1), c2 = c(2), c3 = c(3);
  const NoiseReal value = hn::Add(c0, hn::Mul(t, hn::Add(c1, hn::Mul(t, hn::Add(c2, hn::Mul(t, c3))))));
  const NoiseReal slope = hn::Add(c1, hn::Mul(t, hn::Add(hn::Mul(real(2), c2), hn::Mul(hn::Mul(real(3), t), c3))));
  return {value, hn::Mul(real(half), slope)};
}

/// Adds one octave of scalar noise.
template <int N>
HWY_INLINE void add_scalar(const OctaveJob& job, NoiseBlock& block) {
  const NoiseD reals;
  const NoiseOctave& octave = job.octave;
  const NoiseHash root = hash_of(word(noise_root(octave.seed)));
  const NoiseReal gain = real(static_cast<float>(octave.gain)), level = real(static_cast<float>(octave.level));
  const NoiseReal slope = real(static_cast<float>(octave.gain * octave.level * octave.scale));
  const CellPlace now = cell_place(octave.w);
  AxesLanes<N> axes;
  if constexpr (N == 4) axes[3] = axis_in(hn::Set(NoiseI(), now.cell), real(now.t));
  for (std::size_t i = 0; i < block.used; i += hn::Lanes(reals)) {
    const AxesLanes<3> at = axes_of(block, i);
    std::copy(at.begin(), at.end(), axes.begin());
    const auto noise = job.sloped ? noise_lanes<N, true>(axes, root) : noise_lanes<N, false>(axes, root);
    const Shaped f = shaped(hn::Mul(level, noise.value), *job.shape);
    hn::StoreU(hn::Add(hn::LoadU(reals, &block.value[i]), hn::Mul(gain, f.value)), reals, &block.value[i]);
    if (!job.sloped) continue;
    const NoiseReal factor = hn::Mul(slope, f.slope);
    for (std::size_t a = 0; a < 3; ++a)
      hn::StoreU(hn::Add(hn::LoadU(reals, &block.sum[a][i]), hn::Mul(factor, noise.gradient[a])), reals,
                 &block.sum[a][i]);
  }
}

/// Tables for the gradient at one lattice point in space, interpolated in time between the two ends of a cell in time.
/// At each end, a component of the gradient has a fixed magnitude and one of two signs, so the interpolated component
/// has only four possible values. The sign bit at the earlier end (2) plus that at the later end (1) is the index of
/// its value in `space`, and of its contribution along time in `time`. `ends` contains the weighted magnitude at each
/// end, and `time_ends` contains this magnitude times the distance in time.
struct SliceTables {
  HWY_ALIGN float space[4], time[4];
  float ends[2], time_ends[2];
  HWY_INLINE SliceTables(const CellPlace& now, float level) {
    const float t = now.t, upper = t * t * t * (t * (t * 6 - 15) + 10);
    ends[0] = 0.5F * level * (1 - upper);
    ends[1] = 0.5F * level * upper;
    time_ends[0] = ends[0] * t;
    time_ends[1] = ends[1] * (t - 1);
    for (int signs = 0; signs < 4; ++signs) {
      space[signs] = ((signs & 2) != 0 ? -ends[0] : ends[0]) + ((signs & 1) != 0 ? -ends[1] : ends[1]);
      time[signs] =
          ((signs & 2) != 0 ? -time_ends[0] : time_ends[0]) + ((signs & 1) != 0 ? -time_ends[1] : time_ends[1]);
    }
  }
};

/// Returns component number `pair` (0 .. 11) of the gradients at a fixed time. Two bits of `signs`, counted from the
/// highest, select an entry of `table`. The entry equals flip(ends[0]) + flip(ends[1]).
template <int pair>
HWY_INLINE NoiseReal choose(const float* HWY_RESTRICT table, const float* HWY_RESTRICT ends, NoiseWord signs) {
#if HWY_TARGET == HWY_AVX3
  (void)ends;
  return NoiseReal{
      _mm512_permutevar_ps(_mm512_broadcast_f32x4(_mm_load_ps(table)), hn::ShiftRight<30 - 2 * pair>(signs).raw)};
#elif HWY_TARGET == HWY_AVX2
  (void)ends;
  return NoiseReal{_mm256_permutevar_ps(_mm256_broadcast_ps(reinterpret_cast<const __m128*>(table)),
                                        hn::ShiftRight<30 - 2 * pair>(signs).raw)};
#else
  (void)table;
  return hn::Add(flip(real(ends[0]), hn::ShiftLeft<2 * pair>(signs)),
                 flip(real(ends[1]), hn::ShiftLeft<2 * pair + 1>(signs)));
#endif
}

/// Counterpart of NoiseBelow for three noises: their interpolation for fixed corners on the axes A and above.
template <int A>
struct PotentialBelow {
  std::array<NoiseReal, 3> value;
  std::array<std::array<NoiseReal, A == 0 ? 1 : A>, 3> step;
};

/// Three potentials, and the derivatives of each of them.
struct PotentialLanes {
  std::array<NoiseReal, 3> value;
  std::array<std::array<NoiseReal, 3>, 3> slope;
};

template <int which>
HWY_INLINE NoiseReal potential_corner(const SliceTables& tables, NoiseWord signs, const std::array<NoiseReal, 3>& o,
                                      NoiseReal weight, std::array<NoiseReal, 3>& slope) {
  const NoiseReal x = choose<4 * which>(tables.space, tables.ends, signs),
                  y = choose<4 * which + 1>(tables.space, tables.ends, signs),
                  z = choose<4 * which + 2>(tables.space, tables.ends, signs),
                  w = choose<4 * which + 3>(tables.time, tables.time_ends, signs);
  slope[0] = hn::Add(slope[0], hn::Mul(weight, x));
  slope[1] = hn::Add(slope[1], hn::Mul(weight, y));
  slope[2] = hn::Add(slope[2], hn::Mul(weight, z));
  return hn::Add(hn::Add(hn::Mul(x, o[0]), hn::Mul(y, o[1])), hn::Add(hn::Mul(z, o[2]), w));
}

/// Counterpart of noise_below() for three noises at a fixed time. `before` and `after` are the hashes of the earlier
/// and the later end of the cell in time.
template <int A>
HWY_INLINE PotentialBelow<A> potential_below(const AxesLanes<3>& axes, const SliceTables& tables, NoiseHash before,
                                             NoiseHash after, std::array<NoiseReal, 3>& offset, NoiseReal weight,
                                             std::array<std::array<NoiseReal, 3>, 3>& slope) {
  PotentialBelow<A> out;
  if constexpr (A == 0) {
    const NoiseWord odd = word(0xAAAAAAAAU);
    const NoiseWord first = word_of(before), last = word_of(after);
    const NoiseWord early = hn::Xor(first, hn::ShiftRight<15>(first)), late = hn::Xor(last, hn::ShiftRight<15>(last));
    const NoiseWord signs = hn::Or(hn::And(early, odd), hn::ShiftRight<1>(hn::And(late, odd)));
    out.value[0] = potential_corner<0>(tables, signs, offset, weight, slope[0]);
    out.value[1] = potential_corner<1>(tables, signs, offset, weight, slope[1]);
    out.value[2] = potential_corner<2>(tables, signs, offset, weight, slope[2]);
  } else {
    constexpr std::size_t a = A - 1;
    const AxisLanes& axis = axes[a];
    const NoiseReal upper_weight = A == 3 ? axis.weight : hn::Mul(weight, axis.weight),
                    lower_weight = hn::Sub(weight, upper_weight);
    offset[a] = axis.offset[0];
    const auto lower = potential_below<A - 1>(axes, tables, stir(before, axis.term[0]), stir(after, axis.term[0]),
                                              offset, lower_weight, slope);
    offset[a] = axis.offset[1];
    const auto upper = potential_below<A - 1>(axes, tables, stir(before, axis.term[1]), stir(after, axis.term[1]),
                                              offset, upper_weight, slope);
    for (std::size_t p = 0; p < 3; ++p) {
      const NoiseReal step = hn::Sub(upper.value[p], lower.value[p]);
      out.value[p] = hn::Add(lower.value[p], hn::Mul(axis.weight, step));
      for (std::size_t b = 0; b < a; ++b) out.step[p][b] = blend(lower.step[p][b], upper.step[p][b], axis.weight);
      out.step[p][a] = step;
    }
  }
  return out;
}

/// Returns the velocity in lattice units: the curl of the potentials, which a ramp has reduced to zero at walls.
template <bool with_shape, bool with_walls>
HWY_INLINE std::array<NoiseReal, 3> curl_of(const PotentialLanes& p, const OctaveJob& job, const NoiseBlock& block,
                                            std::size_t i) {
  const auto& d = p.slope;
  if constexpr (!with_shape && !with_walls)
    return {hn::Sub(d[2][1], d[1][2]), hn::Sub(d[0][2], d[2][0]), hn::Sub(d[1][0], d[0][1])};
  const NoiseD reals;
  const Shaped a = shaped(p.value[0], *job.shape), b = shaped(p.value[1], *job.shape),
               c = shaped(p.value[2], *job.shape);
  const NoiseReal u = hn::Sub(hn::Mul(c.slope, d[2][1]), hn::Mul(b.slope, d[1][2])),
                  v = hn::Sub(hn::Mul(a.slope, d[0][2]), hn::Mul(c.slope, d[2][0])),
                  w = hn::Sub(hn::Mul(b.slope, d[1][0]), hn::Mul(a.slope, d[0][1]));
  if constexpr (!with_walls) return {u, v, w};
  // curl(r p) = r curl p + grad r x p for the potentials p and the ramp r = 15/8 t - 10/8 t^3 + 3/8 t^5 (Bridson 2007).
  // t is distance / wall_m, limited to [0, 1], so r is 0 inside obstacles. The gradient of r is parallel to the normal
  // of the wall.
  const auto wall = static_cast<float>(job.octave.wall_m), mean = job.shape_mean;
  const NoiseReal distance = hn::LoadU(reals, &block.distance[i]);
  const NoiseReal t = hn::Min(hn::Max(hn::Mul(distance, real(1 / wall)), real(0)), real(1)), square = hn::Mul(t, t),
                  rest = hn::Sub(real(1), square);
  const NoiseReal ramp =
      hn::Mul(t, hn::Add(real(1.875F), hn::Mul(square, hn::Add(real(-1.25F), hn::Mul(square, real(0.375F))))));
  const NoiseReal rise =
      hn::IfThenElseZero(hn::Ge(distance, real(0)),
                         hn::Mul(real(static_cast<float>(1.875 / (wall * job.octave.scale))), hn::Mul(rest, rest)));
  const NoiseReal nx = hn::Mul(rise, hn::LoadU(reals, &block.normal[0][i])),
                  ny = hn::Mul(rise, hn::LoadU(reals, &block.normal[1][i])),
                  nz = hn::Mul(rise, hn::LoadU(reals, &block.normal[2][i]));
  const NoiseReal pa = hn::Sub(a.value, real(mean)), pb = hn::Sub(b.value, real(mean)),
                  pc = hn::Sub(c.value, real(mean));
  return {hn::Add(hn::Mul(ramp, u), hn::Sub(hn::Mul(ny, pc), hn::Mul(nz, pb))),
          hn::Add(hn::Mul(ramp, v), hn::Sub(hn::Mul(nz, pa), hn::Mul(nx, pc))),
          hn::Add(hn::Mul(ramp, w), hn::Sub(hn::Mul(nx, pb), hn::Mul(ny, pa)))};
}

template <bool with_shape, bool with_walls>
HWY_INLINE void add_curl(const OctaveJob& job, NoiseBlock& block) {
  const NoiseD reals;
  const CellPlace now = cell_place(job.octave.w);
  const SliceTables tables(now, static_cast<float>(job.octave.level));
  const auto first = static_cast<std::uint32_t>(now.cell) * noise_stride, root = noise_root(job.octave.seed);
  const NoiseHash before = hash_of(word((root ^ first) * noise_stir)),
                  after = hash_of(word((root ^ (first + noise_stride)) * noise_stir));
  const NoiseReal gain = real(static_cast<float>(job.octave.gain)), none = real(0);
  for (std::size_t i = 0; i < block.used; i += hn::Lanes(reals)) {
    const AxesLanes<3> axes = axes_of(block, i);
    PotentialLanes potential;
    std::array<NoiseReal, 3> offset{none, none, none};
    for (auto& row : potential.slope) row = {none, none, none};
    const auto all = potential_below<3>(axes, tables, before, after, offset, real(1), potential.slope);
    potential.value = all.value;
    for (std::size_t p = 0; p < 3; ++p)
      for (std::size_t a = 0; a < 3; ++a)
        potential.slope[p][a] = hn::Add(potential.slope[p][a], hn::Mul(axes[a].slope, all.step[p][a]));
    const auto curl = curl_of<with_shape, with_walls>(potential, job, block, i);
    for (std::size_t a = 0; a < 3; ++a)
      hn::StoreU(hn::Add(hn::LoadU(reals, &block.sum[a][i]), hn::Mul(gain, curl[a])), reals, &block.sum[a][i]);
  }
}

void add_curl_octave(const OctaveJob& job, NoiseBlock& block) {
  const bool shape = job.shape->form() != NoiseForm::identity, walls = job.octave.wall_m > 0;
  place_points(job.octave, block);
  if (walls)
    add_curl<true, true>(job, block);
  else if (shape)
    add_curl<true, false>(job, block);
  else
    add_curl<false, false>(job, block);
}

void add_scalar_octave(const OctaveJob& job, NoiseBlock& block) {
  place_points(job.octave, block);
  if (job.in_time)
    add_scalar<4>(job, block);
  else
    add_scalar<3>(job, block);
}

}  // namespace HWY_NAMESPACE
}  // namespace vw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vw {
namespace {

HWY_EXPORT(add_curl_octave);
HWY_EXPORT(add_scalar_octave);

/// Largest vector length of any instruction set, in floats.
constexpr std::size_t most_lanes = 16;

/// Loads points into a block and sets its sums to 0. The last point is repeated to fill a complete vector.
void load_block(std::span<const Vec3> position, const Vec3& drift, NoiseBlock& block) {
  block.used = (position.size() + most_lanes - 1) / most_lanes * most_lanes;
  for (std::size_t i = 0; i < block.used; ++i) {
    const Vec3 x = position[std::min(i, position.size() - 1)] - drift;
    for (std::size_t a = 0; a < 3; ++a) {
      block.at[a][i] = x[static_cast<int>(a)];
      block.sum[a][i] = 0;
    }
    block.value[i] = 0;
  }
}

/// Loads the nearest surface of each point into a block. Returns the smallest distance [m].
double load_walls(std::span<const NearSurface> walls, NoiseBlock& block) {
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < block.used; ++i) {
    const NearSurface& wall = walls[std::min(i, walls.size() - 1)];
    block.distance[i] = static_cast<float>(wall.distance_m);
    for (std::size_t a = 0; a < 3; ++a) block.normal[a][i] = static_cast<float>(wall.normal[static_cast<int>(a)]);
    nearest = std::min(nearest, wall.distance_m);
  }
  return nearest;
}

Vec3 sums_at(const NoiseBlock& block, std::size_t i) { return {block.sum[0][i], block.sum[1][i], block.sum[2][i]}; }

}  // namespace

void add_turbulence(std::span<const Vec3> position, const TurbulenceSum& sum, std::span<const NearSurface> walls,
                    std::span<Vec3> velocity) {
  NoiseBlock block;
  for (std::size_t first = 0; first < position.size(); first += NoiseBlock::size) {
    const std::size_t count = std::min(NoiseBlock::size, position.size() - first);
    load_block(position.subspan(first, count), sum.drift, block);
    const double nearest =
        walls.empty() ? std::numeric_limits<double>::infinity() : load_walls(walls.subspan(first, count), block);
    for (const NoiseOctave& octave : sum.octaves) {
      OctaveJob job{octave, sum.shape, static_cast<float>(sum.shape_mean)};
      if (nearest >= octave.wall_m) job.octave.wall_m = 0;  // No wall is within reach, so the ramp is 1.
      HWY_DYNAMIC_DISPATCH(add_curl_octave)(job, block);
    }
    for (std::size_t i = 0; i < count; ++i) velocity[first + i] += sums_at(block, i);
  }
}

void add_noise(std::span<const Vec3> position, const TurbulenceSum& sum, bool in_time, std::span<double> value,
               std::span<Vec3> gradient) {
  NoiseBlock block;
  for (std::size_t first = 0; first < position.size(); first += NoiseBlock::size) {
    const std::size_t count = std::min(NoiseBlock::size, position.size() - first);
    load_block(position.subspan(first, count), sum.drift, block);
    for (const NoiseOctave& octave : sum.octaves)
      HWY_DYNAMIC_DISPATCH(add_scalar_octave)({octave, sum.shape, 0, !gradient.empty(), in_time}, block);
    for (std::size_t i = 0; i < count; ++i) value[first + i] += static_cast<double>(block.value[i]);
    for (std::size_t i = 0; i < count && !gradient.empty(); ++i) gradient[first + i] += sums_at(block, i);
  }
}

ShapeMoments shape_moments(const NoiseShape& shape, bool in_time) {
  if (shape.form() == NoiseForm::identity) return {0, gradient_noise_rms(in_time ? 4 : 3), curl_noise_rms()};
  // The positions fill the cells evenly (additive recurrence of Roberts 2018). No two positions are in the same cell.
  // Each block has a different time.
  constexpr std::size_t blocks = 512, count = NoiseBlock::size;
  std::vector<Vec3> at(count), curl(count);
  std::vector<double> value(count);
  // Mean and mean square are computed relative to `pivot`, which avoids cancellation.
  double pivot = 0, mean = 0, square = 0, curl_square = 0;
  for (std::size_t b = 0; b < blocks; ++b) {
    for (std::size_t i = 0; i < count; ++i) {
      const auto n = static_cast<double>(b * count + i);
      at[i] = Vec3(0.8191725134 * n, 0.6710436067 * n, 0.5497004779 * n);
    }
    NoiseOctave octave{.w = 0.6180339887 * static_cast<double>(b), .seed = 9};
    const SliceGain level = slice_gain(octave.w);
    TurbulenceSum sum{.octaves = std::span(&octave, 1), .shape = &shape};
    std::fill(value.begin(), value.end(), 0);
    std::fill(curl.begin(), curl.end(), Vec3::Zero());
    octave.level = in_time ? level.value : 1;
    add_noise(at, sum, in_time, value);
    octave.level = level.curl;
    add_turbulence(at, sum, {}, curl);
    if (b == 0) pivot = value[0];
    for (std::size_t i = 0; i < count; ++i) {
      const double off = value[i] - pivot;
      mean += off;
      square += off * off;
      curl_square += curl[i].squaredNorm() / 3;
    }
  }
  constexpr double all = blocks * count;
  mean /= all;
  square /= all;
  // A variation below the rounding error of the float kernels must not be used for scaling.
  const double rounding = 1e-6 * (std::abs(pivot) + std::sqrt(square));
  const auto above = [rounding](double strength) { return strength > rounding ? strength : 0; };
  return {pivot + mean, above(std::sqrt(std::max(0.0, square - mean * mean))), above(std::sqrt(curl_square / all))};
}

}  // namespace vw
#endif
