// curl_noise() of noise.cpp for a vector of points. See turbulence_lanes.h.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/field/turbulence_lanes.cpp"
// Four are enough: scalar, 128, 256 and 512 bits.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <array>

#include "sim/field/turbulence_lanes.h"

#ifndef VOXWAKE_CURL_BLOCK
#define VOXWAKE_CURL_BLOCK
namespace vw {
/// Points by coordinate and the sums at them; rows past the end are 0.
struct CurlBlock {
  static constexpr std::size_t size = 64;
  std::array<double, size> x{}, y{}, z{};
  std::array<double, size> sum_x{}, sum_y{}, sum_z{};
  std::size_t used = 0;
};
}  // namespace vw
#endif

HWY_BEFORE_NAMESPACE();
namespace vw {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using CurlD = hn::ScalableTag<double>;
using CurlU = hn::ScalableTag<std::uint64_t>;
using CurlI = hn::ScalableTag<std::int64_t>;
using CurlReal = hn::Vec<CurlD>;
using CurlWord = hn::Vec<CurlU>;

HWY_INLINE CurlReal number(double value) { return hn::Set(CurlD(), value); }

/// Low 64 bits of a product: no instruction set below 512 bits has it.
HWY_INLINE CurlWord times(CurlWord a, std::uint64_t k) {
  const CurlU words;
#if HWY_TARGET == HWY_SCALAR
  return hn::Set(words, hn::GetLane(a) * k);
#else
  const hn::Repartition<std::uint32_t, CurlU> halves;
  const auto low = hn::BitCast(halves, hn::Set(words, k)), high = hn::BitCast(halves, hn::Set(words, k >> 32));
  const auto a_low = hn::BitCast(halves, a), a_high = hn::BitCast(halves, hn::ShiftRight<32>(a));
  const CurlWord cross = hn::Add(hn::MulEven(a_low, high), hn::MulEven(a_high, low));
  return hn::Add(hn::MulEven(a_low, low), hn::ShiftLeft<32>(cross));
#endif
}

/// mix(h + term) of noise.cpp.
HWY_INLINE CurlWord extend_hash(CurlWord hash, CurlWord term) {
  CurlWord h = hn::Add(hash, term);
  h = times(hn::Xor(h, hn::ShiftRight<30>(h)), 0xBF58476D1CE4E5B9ULL);
  h = times(hn::Xor(h, hn::ShiftRight<27>(h)), 0x94D049BB133111EBULL);
  return hn::Xor(h, hn::ShiftRight<31>(h));
}

/// AxisCell of noise.cpp; `term`: what either end adds to a hash.
struct AxisLanes {
  CurlWord term[2];
  CurlReal offset[2], weight[2], slope[2];
};

HWY_INLINE AxisLanes make_axis(CurlReal x) {
  constexpr std::uint64_t stride = 0xD1342543DE82EF95ULL;
  const CurlReal cell = hn::Floor(x), t = hn::Sub(x, cell);
  const auto known = hn::Lt(hn::Abs(cell), number(9.2e18));
  const CurlWord index = hn::BitCast(CurlU(), hn::ConvertTo(CurlI(), hn::IfThenElseZero(known, cell)));
  AxisLanes axis;
  axis.term[0] = times(index, stride);
  axis.term[1] = hn::Add(axis.term[0], hn::Set(CurlU(), stride));
  axis.offset[0] = t;
  axis.offset[1] = hn::Sub(t, number(1));
  const CurlReal cube = hn::Mul(hn::Mul(t, t), t);
  axis.weight[1] = hn::Mul(cube, hn::Add(hn::Mul(t, hn::Sub(hn::Mul(t, number(6)), number(15))), number(10)));
  axis.weight[0] = hn::Sub(number(1), axis.weight[1]);
  axis.slope[1] = hn::Mul(hn::Mul(hn::Mul(number(30), t), t), hn::Add(hn::Mul(t, hn::Sub(t, number(2))), number(1)));
  axis.slope[0] = hn::Neg(axis.slope[1]);
  return axis;
}

struct GradientLanes {
  CurlReal x, y, z, w;
};

/// The gradient that the low five bits of `h` name (Gradients4 of noise.cpp): 0 on the axis that the low two say, the signs of the others are the
/// next bits in turn.
HWY_INLINE GradientLanes gradient_of(CurlWord h) {
  const CurlD reals;
  const CurlU words;
  const CurlWord zero = hn::And(h, hn::Set(words, 3));
  const auto x = hn::Eq(zero, hn::Set(words, 0)), y = hn::Eq(zero, hn::Set(words, 1)), z = hn::Eq(zero, hn::Set(words, 2)),
             w = hn::Eq(zero, hn::Set(words, 3));
  const CurlWord second = hn::ShiftRight<2>(h), third = hn::ShiftRight<3>(h), fourth = hn::ShiftRight<4>(h);
  const auto component = [&](decltype(x) is_zero, CurlWord bit) HWY_ATTR {
    const CurlReal sign = hn::BitCast(reals, hn::ShiftLeft<63>(bit));
    return hn::IfThenZeroElse(hn::RebindMask(reals, is_zero), hn::Xor(number(-0.57735026918962576451), sign));
  };
  return {component(x, second), component(y, hn::IfThenElse(x, second, third)), component(z, hn::IfThenElse(w, fourth, third)), component(w, fourth)};
}

HWY_INLINE CurlReal ramp_of(const GradientLanes& g, const GradientLanes& offset) {
  return hn::Add(hn::Add(hn::Add(hn::Mul(g.x, offset.x), hn::Mul(g.y, offset.y)), hn::Mul(g.z, offset.z)), hn::Mul(g.w, offset.w));
}

/// CurlTerms of noise.cpp.
struct CurlLanes {
  CurlReal a_y, a_z, b_x, b_z, c_x, c_y;
};

HWY_INLINE CurlReal plus_term(CurlReal sum, CurlReal weight, CurlReal g, CurlReal slope, CurlReal ramp) {
  return hn::Add(sum, hn::Add(hn::Mul(weight, g), hn::Mul(slope, ramp)));
}

/// `slope` holds the slopes along x, y, z.
HWY_INLINE void add_corner(CurlWord hash, const GradientLanes& offset, CurlReal weight, const GradientLanes& slope, CurlLanes& sum) {
  const GradientLanes a = gradient_of(hn::ShiftRight<59>(hash)), b = gradient_of(hn::ShiftRight<54>(hash)), c = gradient_of(hn::ShiftRight<49>(hash));
  const CurlReal ramp_a = ramp_of(a, offset), ramp_b = ramp_of(b, offset), ramp_c = ramp_of(c, offset);
  sum.a_y = plus_term(sum.a_y, weight, a.y, slope.y, ramp_a);
  sum.a_z = plus_term(sum.a_z, weight, a.z, slope.z, ramp_a);
  sum.b_x = plus_term(sum.b_x, weight, b.x, slope.x, ramp_b);
  sum.b_z = plus_term(sum.b_z, weight, b.z, slope.z, ramp_b);
  sum.c_x = plus_term(sum.c_x, weight, c.x, slope.x, ramp_c);
  sum.c_y = plus_term(sum.c_y, weight, c.y, slope.y, ramp_c);
}

HWY_INLINE CurlLanes curl_terms(const AxisLanes& ax, const AxisLanes& ay, const AxisLanes& az, const AxisLanes& aw, std::uint64_t seed) {
  const CurlWord root = hn::Set(CurlU(), seed * 0x9E3779B97F4A7C15ULL + 0x632BE59BD9B4E019ULL);
  const CurlReal none = number(0);
  CurlLanes sum{none, none, none, none, none, none};
  for (int i = 0; i < 2; ++i) {
    const CurlWord hi = extend_hash(root, ax.term[i]);
    for (int j = 0; j < 2; ++j) {
      const CurlWord hij = extend_hash(hi, ay.term[j]);
      for (int k = 0; k < 2; ++k) {
        const CurlWord hijk = extend_hash(hij, az.term[k]);
        const CurlReal xy = hn::Mul(ax.weight[i], ay.weight[j]), yz = hn::Mul(ay.weight[j], az.weight[k]), zx = hn::Mul(az.weight[k], ax.weight[i]);
        for (int l = 0; l < 2; ++l) {
          const CurlReal t = aw.weight[l];
          const GradientLanes slope{hn::Mul(hn::Mul(ax.slope[i], yz), t), hn::Mul(hn::Mul(ay.slope[j], zx), t), hn::Mul(hn::Mul(az.slope[k], xy), t),
                                    none};
          add_corner(extend_hash(hijk, aw.term[l]), {ax.offset[i], ay.offset[j], az.offset[k], aw.offset[l]}, hn::Mul(hn::Mul(xy, az.weight[k]), t),
                     slope, sum);
        }
      }
    }
  }
  return sum;
}

void add_octave(const CurlOctave& octave, CurlBlock& block) {
  const CurlD reals;
  const CurlReal scale = number(octave.scale), gain = number(octave.gain);
  const AxisLanes aw = make_axis(number(octave.w));
  const auto coordinate = [&](const std::array<double, CurlBlock::size>& at, std::size_t i)
                              HWY_ATTR { return hn::Mul(hn::LoadU(reals, &at[i]), scale); };
  const auto add = [&](CurlReal value, std::array<double, CurlBlock::size>& sum, std::size_t i)
                       HWY_ATTR { hn::StoreU(hn::Add(hn::LoadU(reals, &sum[i]), hn::Mul(gain, value)), reals, &sum[i]); };
  for (std::size_t i = 0; i < block.used; i += hn::Lanes(reals)) {
    const AxisLanes ax = make_axis(coordinate(block.x, i)), ay = make_axis(coordinate(block.y, i)), az = make_axis(coordinate(block.z, i));
    const CurlLanes sum = curl_terms(ax, ay, az, aw, octave.seed);
    add(hn::Sub(sum.c_y, sum.b_z), block.sum_x, i);
    add(hn::Sub(sum.a_z, sum.c_x), block.sum_y, i);
    add(hn::Sub(sum.b_x, sum.a_y), block.sum_z, i);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace vw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vw {
namespace {

HWY_EXPORT(add_octave);

void load_block(std::span<const Vec3> position, const Vec3& drift, CurlBlock& block) {
  block = {};
  block.used = position.size();
  for (std::size_t i = 0; i < position.size(); ++i) {
    const Vec3 x = position[i] - drift;
    block.x[i] = x.x();
    block.y[i] = x.y();
    block.z[i] = x.z();
  }
}

}  // namespace

void add_turbulence(std::span<const Vec3> position, const Vec3& drift, std::span<const CurlOctave> octaves, const Vec3& mean,
                    std::span<Vec3> velocity) {
  CurlBlock block;
  for (std::size_t first = 0; first < position.size(); first += CurlBlock::size) {
    load_block(position.subspan(first, std::min(CurlBlock::size, position.size() - first)), drift, block);
    for (const CurlOctave& octave : octaves) HWY_DYNAMIC_DISPATCH(add_octave)(octave, block);
    for (std::size_t i = 0; i < block.used; ++i) velocity[first + i] += mean + Vec3(block.sum_x[i], block.sum_y[i], block.sum_z[i]);
  }
}

}  // namespace vw
#endif
