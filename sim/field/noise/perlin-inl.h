// SIMD gradient noise: the noise of noise.cpp for vectors of points, in float, compiled for each instruction set. It
// uses only additions and products in a fixed order, so all instruction sets give the same bits. Highway's
// foreach_target.h includes this file once for every instruction set. The file therefore has no include guard and must
// be included inside HWY_NAMESPACE.

#if HWY_TARGET == HWY_SCALAR && defined(__SSE2__)
#include "sim/field/noise/four_lanes-inl.h"
#else
namespace hn = hwy::HWY_NAMESPACE;
#endif

using NoiseD = hn::ScalableTag<float>;
using NoiseU = hn::ScalableTag<std::uint32_t>;
using NoiseI = hn::ScalableTag<std::int32_t>;
using NoiseReal = hn::Vec<NoiseD>;
using NoiseWord = hn::Vec<NoiseU>;
using NoiseWhole = hn::Vec<NoiseI>;

HWY_INLINE NoiseReal real(float value) { return hn::Set(NoiseD(), value); }
HWY_INLINE NoiseWord word(std::uint32_t value) { return hn::Set(NoiseU(), value); }
HWY_INLINE NoiseReal blend(NoiseReal a, NoiseReal b, NoiseReal share) {
  return hn::Add(a, hn::Mul(share, hn::Sub(b, a)));
}

/// Converts floats with integer values to integers. Outside the range of integers, the result is arbitrary. This has no
/// effect, because such floats are lattice points, where the noise is 0.
HWY_INLINE NoiseWhole whole(NoiseReal floor) {
#if HWY_TARGET == HWY_AVX3
  return NoiseWhole{_mm512_cvttps_epi32(floor.raw)};
#elif HWY_TARGET == HWY_AVX2
  return NoiseWhole{_mm256_cvttps_epi32(floor.raw)};
#else
  return hn::ConvertTo(NoiseI(), floor);
#endif
}

/// Returns `value`, negated in the lanes in which the high bit of `hash` is set.
HWY_INLINE NoiseReal flip(NoiseReal value, NoiseWord hash) {
#if HWY_TARGET == HWY_AVX3
  const __m512i sign = _mm512_set1_epi32(static_cast<int>(0x80000000U));
  return NoiseReal{_mm512_castsi512_ps(
      _mm512_ternarylogic_epi32(_mm512_castps_si512(value.raw), hash.raw, sign, 0x78))};  // a ^ (b & c)
#else
  return hn::Xor(value, hn::BitCast(NoiseD(), hn::And(hash, word(0x80000000U))));
#endif
}

#if HWY_TARGET == HWY_SCALAR && defined(__SSE2__)
/// Words for repeated multiplication, stored in the even lanes, because SSE2 multiplies only these. The odd lanes are
/// unused.
struct NoiseHash {
  NoiseWord first, second;
};
HWY_INLINE NoiseHash hash_of(NoiseWord v) { return {hn::first_half(v), hn::second_half(v)}; }
HWY_INLINE NoiseWord word_of(const NoiseHash& v) { return hn::even_lanes(v.first, v.second); }
HWY_INLINE NoiseHash Add(const NoiseHash& a, NoiseWord b) { return {hn::Add(a.first, b), hn::Add(a.second, b)}; }
HWY_INLINE NoiseHash Mul(const NoiseHash& a, NoiseWord b) {
  return {hn::even_product(a.first, b), hn::even_product(a.second, b)};
}
HWY_INLINE NoiseHash Xor(const NoiseHash& a, const NoiseHash& b) {
  return {hn::Xor(a.first, b.first), hn::Xor(a.second, b.second)};
}
#else
using NoiseHash = NoiseWord;
using hn::Add, hn::Mul, hn::Xor;
HWY_INLINE NoiseHash hash_of(NoiseWord v) { return v; }
HWY_INLINE NoiseWord word_of(NoiseHash v) { return v; }
#endif

/// Performs one step of the lattice hash.
HWY_INLINE NoiseHash stir(NoiseHash hash, NoiseHash term) { return Mul(Xor(hash, term), word(noise_stir)); }

/// The cells of the points along one axis: hash term and offset of each end of the cell, weight of the upper end, and
/// derivative of this weight.
struct AxisLanes {
  NoiseHash term[2];
  NoiseReal offset[2];
  NoiseReal weight, slope;
};

/// Returns the axis data of points in the cells `cell`. `t` is the position within the cell, in [0, 1].
HWY_INLINE AxisLanes axis_in(NoiseWhole cell, NoiseReal t) {
  AxisLanes axis;
  axis.term[0] = Mul(hash_of(hn::BitCast(NoiseU(), cell)), word(noise_stride));
  axis.term[1] = Add(axis.term[0], word(noise_stride));
  axis.offset[0] = t;
  axis.offset[1] = hn::Sub(t, real(1));
  const NoiseReal square = hn::Mul(t, t);
  axis.weight = hn::Mul(hn::Mul(square, t), hn::Add(hn::Mul(t, hn::Sub(hn::Mul(t, real(6)), real(15))), real(10)));
  axis.slope = hn::Mul(hn::Mul(real(30), square), hn::Add(hn::Mul(t, hn::Sub(t, real(2))), real(1)));
  return axis;
}

/// Returns the axis data of the positions x + shift. Cells are numbered relative to `cell`.
template <bool shifted>
HWY_INLINE AxisLanes axis_at(NoiseReal x, float shift, std::int32_t cell) {
  if constexpr (shifted) x = hn::Add(x, real(shift));
  const NoiseReal floor = hn::Floor(x);
  NoiseWhole base = whole(floor);
  if constexpr (shifted) base = hn::Add(base, hn::Set(NoiseI(), cell));
  return axis_in(base, hn::Sub(x, floor));
}

template <int N>
using AxesLanes = std::array<AxisLanes, N>;

/// Gradients at lattice points in two, three and four dimensions, equal to lattice_gradient() of noise.cpp without the
/// common length. dot() is the product with an offset. add() adds the components, times a weight, to `sum`.
template <int N>
struct CornerGradient;

template <>
struct CornerGradient<2> {
  static constexpr float length = 1;
  static constexpr float wide = 0.92387953F, narrow = 0.38268343F;
  NoiseWord hash;
  hn::Mask<NoiseD> steep;
  HWY_INLINE explicit CornerGradient(NoiseWord h)
      : hash(h),
        steep(hn::RebindMask(NoiseD(), hn::Lt(hn::BitCast(NoiseI(), hn::ShiftLeft<2>(h)), hn::Set(NoiseI(), 0)))) {}
  HWY_INLINE NoiseReal dot(const std::array<NoiseReal, 2>& o) const {
    const NoiseReal x = hn::IfThenElse(steep, real(narrow), real(wide)),
                    y = hn::IfThenElse(steep, real(wide), real(narrow));
    return hn::Add(flip(hn::Mul(o[0], x), hash), flip(hn::Mul(o[1], y), hn::ShiftLeft<1>(hash)));
  }
  HWY_INLINE void add(NoiseReal weight, std::array<NoiseReal, 2>& sum) const {
    const NoiseReal w = hn::Mul(weight, real(wide)), n = hn::Mul(weight, real(narrow));
    sum[0] = hn::Add(sum[0], flip(hn::IfThenElse(steep, n, w), hash));
    sum[1] = hn::Add(sum[1], flip(hn::IfThenElse(steep, w, n), hn::ShiftLeft<1>(hash)));
  }
};

template <>
struct CornerGradient<3> {
  static constexpr float length = 0.70710678F;
  NoiseWord first, second;      ///< The high bits of these words are the signs of the two nonzero components.
  hn::Mask<NoiseD> no_x, no_z;  ///< Lanes in which the x or z component is zero. In all other lanes, the y component is
                                ///< zero.
  HWY_INLINE explicit CornerGradient(NoiseWord h) : first(h), second(hn::ShiftLeft<1>(h)) {
    const NoiseWhole third = hn::BitCast(NoiseI(), hn::ShiftLeft<2>(h));
    no_x = hn::RebindMask(NoiseD(), hn::Lt(third, hn::Set(NoiseI(), -noise_third)));
    no_z = hn::RebindMask(NoiseD(), hn::Gt(third, hn::Set(NoiseI(), noise_third)));
  }
  HWY_INLINE NoiseReal dot(const std::array<NoiseReal, 3>& o) const {
    return hn::Add(flip(hn::IfThenElse(no_x, o[1], o[0]), first), flip(hn::IfThenElse(no_z, o[1], o[2]), second));
  }
  HWY_INLINE void add(NoiseReal weight, std::array<NoiseReal, 3>& sum) const {
    const NoiseReal p = flip(weight, first), q = flip(weight, second);
#if HWY_TARGET == HWY_AVX3  // This target has masked additions.
    sum[0] = hn::IfThenElse(no_x, sum[0], hn::Add(sum[0], p));
    sum[1] = hn::IfThenElse(no_x, hn::Add(sum[1], p), sum[1]);
    sum[1] = hn::IfThenElse(no_z, hn::Add(sum[1], q), sum[1]);
    sum[2] = hn::IfThenElse(no_z, sum[2], hn::Add(sum[2], q));
#else
    sum[0] = hn::Add(sum[0], hn::IfThenZeroElse(no_x, p));
    sum[1] = hn::Add(sum[1], hn::IfThenElse(no_x, p, hn::IfThenElseZero(no_z, q)));
    sum[2] = hn::Add(sum[2], hn::IfThenZeroElse(no_z, q));
#endif
  }
};

template <>
struct CornerGradient<4> {
  static constexpr float length = 0.5F;
  NoiseWord x, y, z, w;  ///< Hashes whose high bits are the signs.
  HWY_INLINE explicit CornerGradient(NoiseWord h)
      : x(h), y(hn::ShiftLeft<2>(h)), z(hn::ShiftLeft<4>(h)), w(hn::ShiftLeft<6>(h)) {}
  HWY_INLINE NoiseReal dot(const std::array<NoiseReal, 4>& o) const {
    return hn::Add(hn::Add(flip(o[0], x), flip(o[1], y)), hn::Add(flip(o[2], z), flip(o[3], w)));
  }
  HWY_INLINE void add(NoiseReal weight, std::array<NoiseReal, 4>& sum) const {
    sum[0] = hn::Add(sum[0], flip(weight, x));
    sum[1] = hn::Add(sum[1], flip(weight, y));
    sum[2] = hn::Add(sum[2], flip(weight, z));
    sum[3] = hn::Add(sum[3], flip(weight, w));
  }
};

/// Noise for fixed corners on the axes A and above. It is interpolated along the axes 0 .. A - 1: `value` is the
/// result, and `step` is the difference between the two ends along each of these axes.
template <int A, bool sloped>
struct NoiseBelow {
  NoiseReal value;
  std::array<NoiseReal, (sloped && A > 0) ? A : 1> step;
};

/// Computes NoiseBelow by recursion from the last axis to the first. `offset` and `weight` belong to the fixed corners
/// on the axes A and above.
template <int N, int A, bool sloped>
HWY_INLINE NoiseBelow<A, sloped> noise_below(const AxesLanes<N>& axes, NoiseHash hash, std::array<NoiseReal, N>& offset,
                                             NoiseReal weight, std::array<NoiseReal, N>& gradient) {
  NoiseBelow<A, sloped> out;
  if constexpr (A == 0) {
    const CornerGradient<N> corner(word_of(hash));
    out.value = corner.dot(offset);
    if constexpr (sloped) corner.add(weight, gradient);
  } else {
    constexpr std::size_t a = A - 1;
    const AxisLanes& axis = axes[a];
    NoiseReal lower_weight = weight, upper_weight = weight;
    if constexpr (sloped) {
      upper_weight = A == N ? axis.weight : hn::Mul(weight, axis.weight);
      lower_weight = hn::Sub(weight, upper_weight);
    }
    offset[a] = axis.offset[0];
    const auto lower = noise_below<N, A - 1, sloped>(axes, stir(hash, axis.term[0]), offset, lower_weight, gradient);
    offset[a] = axis.offset[1];
    const auto upper = noise_below<N, A - 1, sloped>(axes, stir(hash, axis.term[1]), offset, upper_weight, gradient);
    const NoiseReal step = hn::Sub(upper.value, lower.value);
    out.value = hn::Add(lower.value, hn::Mul(axis.weight, step));
    if constexpr (sloped) {
      for (std::size_t b = 0; b < a; ++b) out.step[b] = blend(lower.step[b], upper.step[b], axis.weight);
      out.step[a] = step;
    }
  }
  return out;
}

template <int N>
struct NoiseLanes {
  NoiseReal value;
  std::array<NoiseReal, N> gradient;
};

/// Returns the noise n at points given by their axis data, with the gradient of n if `sloped`.
template <int N, bool sloped>
HWY_INLINE NoiseLanes<N> noise_lanes(const AxesLanes<N>& axes, NoiseHash root) {
  NoiseLanes<N> out;
  std::array<NoiseReal, N> offset;
  for (std::size_t a = 0; a < N; ++a) out.gradient[a] = offset[a] = real(0);
  const auto all = noise_below<N, N, sloped>(axes, root, offset, real(1), out.gradient);
  const NoiseReal length = real(CornerGradient<N>::length);
  out.value = hn::Mul(length, all.value);
  if constexpr (sloped)
    for (std::size_t a = 0; a < N; ++a)
      out.gradient[a] = hn::Mul(length, hn::Add(out.gradient[a], hn::Mul(axes[a].slope, all.step[a])));
  return out;
}
