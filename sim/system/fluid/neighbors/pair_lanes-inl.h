// SIMD arithmetic of pair sums. One operation treats four rows (particles) and four neighbours. Included once for
// each instruction set (Highway).
#if defined(VOXWAKE_PAIR_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VOXWAKE_PAIR_LANES_INL_H_
#undef VOXWAKE_PAIR_LANES_INL_H_
#else
#define VOXWAKE_PAIR_LANES_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>

#include "sim/base/elementary/fused-inl.h"
#include "sim/system/fluid/rows/sph_kernel.h"
#include "sim/system/fluid/rows/sph_rows.h"

HWY_BEFORE_NAMESPACE();
namespace vw {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The results have the same bits with every instruction set. A sum over neighbours always has 16 partial sums: for each
// of the four rows, four sums over every fourth neighbour. The partial sums occupy as many registers as the instruction
// set requires. times_plus() and less_product() round once, and square roots are exact, because the fast estimates of
// processors differ.

/// Number of neighbours in one operation.
constexpr std::size_t neighbours_at_once = 4;

#if HWY_TARGET == HWY_SCALAR

constexpr std::size_t registers = 1;
template <std::size_t n>
struct Wide;
template <>
struct Wide<1> {
  float v[16];
};
template <class F>
HWY_INLINE Wide<1> each_lane(F f) {
  Wide<1> out;
  for (int i = 0; i < 16; ++i) out.v[i] = f(i);
  return out;
}
HWY_INLINE Wide<1> operator+(const Wide<1>& a, const Wide<1>& b) {
  return each_lane([&](int i) { return a.v[i] + b.v[i]; });
}
HWY_INLINE Wide<1> operator-(const Wide<1>& a, const Wide<1>& b) {
  return each_lane([&](int i) { return a.v[i] - b.v[i]; });
}
HWY_INLINE Wide<1> operator*(const Wide<1>& a, const Wide<1>& b) {
  return each_lane([&](int i) { return a.v[i] * b.v[i]; });
}
HWY_INLINE Wide<1> operator/(const Wide<1>& a, const Wide<1>& b) {
  return each_lane([&](int i) { return a.v[i] / b.v[i]; });
}
HWY_INLINE Wide<1> greater_of(const Wide<1>& a, const Wide<1>& b) {
  return each_lane([&](int i) { return std::max(a.v[i], b.v[i]); });
}
HWY_INLINE Wide<1> lesser_of(const Wide<1>& a, const Wide<1>& b) {
  return each_lane([&](int i) { return std::min(a.v[i], b.v[i]); });
}
HWY_INLINE Wide<1> times_plus(const Wide<1>& a, const Wide<1>& b, const Wide<1>& c) {
  return each_lane([&](int i) { return mul_add(a.v[i], b.v[i], c.v[i]); });
}
HWY_INLINE Wide<1> less_product(const Wide<1>& c, const Wide<1>& a, const Wide<1>& b) {
  return each_lane([&](int i) { return mul_add(-a.v[i], b.v[i], c.v[i]); });
}
HWY_INLINE Wide<1> root(const Wide<1>& a) {
  return each_lane([&](int i) { return std::sqrt(a.v[i]); });
}
/// Returns the lanes of `a` where x < limit, and 0 elsewhere.
HWY_INLINE Wide<1> where_less(const Wide<1>& x, const Wide<1>& limit, const Wide<1>& a) {
  return each_lane([&](int i) { return x.v[i] < limit.v[i] ? a.v[i] : 0.0F; });
}
/// Returns a register with the same number in all lanes.
template <std::size_t n>
HWY_INLINE Wide<n> repeat(float x) {
  return each_lane([&](int) { return x; });
}
/// Returns a register with one value per row, repeated for every neighbour.
template <std::size_t n>
HWY_INLINE Wide<n> repeat_rows(const float* four) {
  return each_lane([&](int i) { return four[i % 4]; });
}
/// Writes the sum over the neighbours for each of the four rows to `four`.
HWY_INLINE void sum_rows(const Wide<1>& a, float* four) {
  for (int i = 0; i < 4; ++i) four[i] = (a.v[i] + a.v[8 + i]) + (a.v[4 + i] + a.v[12 + i]);
}
/// Loads the data of neighbours, one neighbour per block of four lanes.
template <std::size_t n>
HWY_INLINE Wide<n> load(const Float4* rows, const std::uint32_t* who) {
  return each_lane([&](int i) {
    const Float4& row = rows[who[i / 4]];
    const float parts[] = {row.x, row.y, row.z, row.w};
    return parts[i % 4];
  });
}
/// Returns component `part` of each neighbour in the four lanes of its block.
template <int part>
HWY_INLINE Wide<1> component(const Wide<1>& a) {
  return each_lane([&](int i) { return a.v[i / 4 * 4 + part]; });
}

#else

using LaneTag = hn::FixedTag<float, HWY_TARGET == HWY_AVX3 ? 16 : (HWY_TARGET == HWY_AVX2 ? 8 : 4)>;
using BlockTag = hn::FixedTag<float, 4>;
constexpr std::size_t registers = 16 / hn::MaxLanes(LaneTag()), neighbours_per_register = 4 / registers;

/// n registers. A register has one block of four lanes per neighbour. Each lane of a block belongs to one of the four
/// rows.
template <std::size_t n>
struct Wide {
  Wide<n / 2> low, high;
};
template <>
struct Wide<1> {
  hn::Vec<LaneTag> v;
};
HWY_INLINE Wide<1> operator+(const Wide<1>& a, const Wide<1>& b) { return {hn::Add(a.v, b.v)}; }
HWY_INLINE Wide<1> operator-(const Wide<1>& a, const Wide<1>& b) { return {hn::Sub(a.v, b.v)}; }
HWY_INLINE Wide<1> operator*(const Wide<1>& a, const Wide<1>& b) { return {hn::Mul(a.v, b.v)}; }
HWY_INLINE Wide<1> operator/(const Wide<1>& a, const Wide<1>& b) { return {hn::Div(a.v, b.v)}; }
HWY_INLINE Wide<1> greater_of(const Wide<1>& a, const Wide<1>& b) { return {hn::Max(a.v, b.v)}; }
HWY_INLINE Wide<1> lesser_of(const Wide<1>& a, const Wide<1>& b) { return {hn::Min(a.v, b.v)}; }
/// Returns a b + c with a single rounding.
HWY_INLINE Wide<1> times_plus(const Wide<1>& a, const Wide<1>& b, const Wide<1>& c) { return {mul_add(a.v, b.v, c.v)}; }
/// Returns c - a b with a single rounding.
HWY_INLINE Wide<1> less_product(const Wide<1>& c, const Wide<1>& a, const Wide<1>& b) {
  return {neg_mul_add(a.v, b.v, c.v)};
}
HWY_INLINE Wide<1> root(const Wide<1>& a) { return {hn::Sqrt(a.v)}; }
/// Returns the lanes of `a` where x < limit, and 0 elsewhere.
HWY_INLINE Wide<1> where_less(const Wide<1>& x, const Wide<1>& limit, const Wide<1>& a) {
  return {hn::IfThenElseZero(hn::Lt(x.v, limit.v), a.v)};
}
template <std::size_t n>
HWY_INLINE Wide<n> operator+(const Wide<n>& a, const Wide<n>& b) {
  return {a.low + b.low, a.high + b.high};
}
template <std::size_t n>
HWY_INLINE Wide<n> operator-(const Wide<n>& a, const Wide<n>& b) {
  return {a.low - b.low, a.high - b.high};
}
template <std::size_t n>
HWY_INLINE Wide<n> operator*(const Wide<n>& a, const Wide<n>& b) {
  return {a.low * b.low, a.high * b.high};
}
template <std::size_t n>
HWY_INLINE Wide<n> operator/(const Wide<n>& a, const Wide<n>& b) {
  return {a.low / b.low, a.high / b.high};
}
template <std::size_t n>
HWY_INLINE Wide<n> greater_of(const Wide<n>& a, const Wide<n>& b) {
  return {greater_of(a.low, b.low), greater_of(a.high, b.high)};
}
template <std::size_t n>
HWY_INLINE Wide<n> lesser_of(const Wide<n>& a, const Wide<n>& b) {
  return {lesser_of(a.low, b.low), lesser_of(a.high, b.high)};
}
template <std::size_t n>
HWY_INLINE Wide<n> times_plus(const Wide<n>& a, const Wide<n>& b, const Wide<n>& c) {
  return {times_plus(a.low, b.low, c.low), times_plus(a.high, b.high, c.high)};
}
template <std::size_t n>
HWY_INLINE Wide<n> less_product(const Wide<n>& c, const Wide<n>& a, const Wide<n>& b) {
  return {less_product(c.low, a.low, b.low), less_product(c.high, a.high, b.high)};
}
template <std::size_t n>
HWY_INLINE Wide<n> root(const Wide<n>& a) {
  return {root(a.low), root(a.high)};
}
template <std::size_t n>
HWY_INLINE Wide<n> where_less(const Wide<n>& x, const Wide<n>& limit, const Wide<n>& a) {
  return {where_less(x.low, limit.low, a.low), where_less(x.high, limit.high, a.high)};
}

/// Returns registers with the same number in all lanes.
template <std::size_t n>
HWY_INLINE Wide<n> repeat(float x) {
  if constexpr (n == 1)
    return {hn::Set(LaneTag(), x)};
  else
    return {repeat<n / 2>(x), repeat<n / 2>(x)};
}
/// Returns registers with one value per row, repeated for every neighbour.
template <std::size_t n>
HWY_INLINE Wide<n> repeat_rows(const float* four) {
  if constexpr (n == 1)
    return {hn::LoadDup128(LaneTag(), four)};
  else
    return {repeat_rows<n / 2>(four), repeat_rows<n / 2>(four)};
}
/// Writes the sum over the neighbours for each of the four rows to `four`.
HWY_INLINE void sum_rows(const Wide<1>& a, float* four) {
#if HWY_TARGET == HWY_AVX3
  const hn::Half<LaneTag> half;
  const auto eight = hn::Add(hn::LowerHalf(half, a.v), hn::UpperHalf(half, a.v));
  hn::StoreU(hn::Add(hn::LowerHalf(BlockTag(), eight), hn::UpperHalf(BlockTag(), eight)), BlockTag(), four);
#elif HWY_TARGET == HWY_AVX2
  hn::StoreU(hn::Add(hn::LowerHalf(BlockTag(), a.v), hn::UpperHalf(BlockTag(), a.v)), BlockTag(), four);
#else
  hn::StoreU(a.v, BlockTag(), four);
#endif
}
template <std::size_t n>
HWY_INLINE void sum_rows(const Wide<n>& a, float* four) {
  sum_rows(a.low + a.high, four);
}
/// Loads the data of neighbours, one neighbour per block of four lanes.
template <std::size_t n>
HWY_INLINE Wide<n> load(const Float4* rows, const std::uint32_t* who) {
  if constexpr (n > 1) {
    return {load<n / 2>(rows, who), load<n / 2>(rows, who + n / 2 * neighbours_per_register)};
  } else {
    const BlockTag b;
#if HWY_TARGET == HWY_AVX3
    const hn::Half<LaneTag> half;
    const auto low = hn::Combine(half, hn::Load(b, &rows[who[1]].x), hn::Load(b, &rows[who[0]].x));
    const auto high = hn::Combine(half, hn::Load(b, &rows[who[3]].x), hn::Load(b, &rows[who[2]].x));
    return {hn::Combine(LaneTag(), high, low)};
#elif HWY_TARGET == HWY_AVX2
    return {hn::Combine(LaneTag(), hn::Load(b, &rows[who[1]].x), hn::Load(b, &rows[who[0]].x))};
#else
    return {hn::Load(b, &rows[who[0]].x)};
#endif
  }
}
/// Returns component `part` of each neighbour in the four lanes of its block.
template <int part>
HWY_INLINE Wide<1> component(const Wide<1>& a) {
  return {hn::Broadcast<part>(a.v)};
}
template <int part, std::size_t n>
HWY_INLINE Wide<n> component(const Wide<n>& a) {
  return {component<part>(a.low), component<part>(a.high)};
}

#endif

using Lanes = Wide<registers>;
HWY_INLINE Lanes all(float x) { return repeat<registers>(x); }
HWY_INLINE Lanes of_rows(const float* four) { return repeat_rows<registers>(four); }
HWY_INLINE Lanes no_less_than_zero(const Lanes& a) { return greater_of(a, all(0)); }
HWY_INLINE Lanes inverse(const Lanes& a) { return all(1) / a; }
HWY_INLINE Lanes inverse_root(const Lanes& a) { return inverse(root(a)); }

/// Data of four neighbours.
struct Neighbours {
  Lanes row;
};
HWY_INLINE Neighbours take(const Float4* rows, const std::uint32_t* who) { return {load<registers>(rows, who)}; }
HWY_INLINE Lanes x_of(const Neighbours& j) { return component<0>(j.row); }
HWY_INLINE Lanes y_of(const Neighbours& j) { return component<1>(j.row); }
HWY_INLINE Lanes z_of(const Neighbours& j) { return component<2>(j.row); }
HWY_INLINE Lanes w_of(const Neighbours& j) { return component<3>(j.row); }

struct Lanes3 {
  Lanes x, y, z;
};
HWY_INLINE Lanes3 operator+(const Lanes3& a, const Lanes3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
HWY_INLINE Lanes3 operator-(const Lanes3& a, const Lanes3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
HWY_INLINE Lanes3 operator*(Lanes a, const Lanes3& b) { return {a * b.x, a * b.y, a * b.z}; }
HWY_INLINE Lanes3 times_plus(Lanes a, const Lanes3& b, const Lanes3& c) {
  return {times_plus(a, b.x, c.x), times_plus(a, b.y, c.y), times_plus(a, b.z, c.z)};
}
HWY_INLINE Lanes dot(const Lanes3& a, const Lanes3& b) { return times_plus(a.x, b.x, times_plus(a.y, b.y, a.z * b.z)); }
HWY_INLINE Lanes3 xyz_of(const Neighbours& j) { return {x_of(j), y_of(j), z_of(j)}; }

/// The components of four rows, stored as columns.
struct RowColumns {
  alignas(16) float x[4], y[4], z[4], w[4];
  HWY_INLINE RowColumns(const Float4* rows, std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t i = 0; i < 4; ++i) {
      const Float4& row = rows[first + std::min(i, count - 1)];
      x[i] = row.x, y[i] = row.y, z[i] = row.z, w[i] = row.w;
    }
  }
  [[nodiscard]] HWY_INLINE Lanes3 xyz() const { return {of_rows(x), of_rows(y), of_rows(z)}; }
  [[nodiscard]] HWY_INLINE Lanes last() const { return of_rows(w); }
};

/// Geometry of the pairs of rows i and neighbours j.
struct Pair {
  Lanes3 apart;     ///< x_i - x_j [m]
  Lanes inverse_r;  ///< 1 / r [1/m]. Finite even if i equals j.
  Lanes q;          ///< r / H, with the support radius H.
};
HWY_INLINE Pair pair_of(const Lanes3& i, const Lanes3& j, float inverse_reach) {
  Pair pair;
  pair.apart = i - j;
  const Lanes r = root(greater_of(dot(pair.apart, pair.apart), all(1e-20F)));
  pair.inverse_r = inverse(r);
  pair.q = r * all(inverse_reach);
  return pair;
}

/// shape_of() and slope_of() compute kernel_shape() and kernel_slope() for all lanes, without constant factors (see
/// KernelScale).
template <SphKernel kernel>
HWY_INLINE Lanes shape_of(const Pair& pair) {
  const Lanes t = no_less_than_zero(all(1.0F) - pair.q);
  if constexpr (kernel == SphKernel::wendland) {
    const Lanes squared = t * t;
    return squared * squared * times_plus(all(4.0F), pair.q, all(1.0F));
  } else {
    const Lanes s = no_less_than_zero(all(0.5F) - pair.q);
    return t * t * t - all(4.0F) * (s * s * s);
  }
}
template <SphKernel kernel>
HWY_INLINE Lanes slope_of(const Pair& pair, float reach) {
  const Lanes t = no_less_than_zero(all(1.0F) - pair.q);
  if constexpr (kernel == SphKernel::wendland) {
    (void)reach;
    return t * t * t;
  } else {
    const Lanes s = no_less_than_zero(all(0.5F) - pair.q);
    return (t * t - all(4.0F) * (s * s)) * (pair.inverse_r * all(reach));
  }
}
/// Data of a pair from which slope_of() computes the kernel slope. Used in the sums of iterative solves.
struct SlopePair {
  Lanes3 apart;  ///< x_i - x_j [m]
  Lanes r;       ///< Distance [m]. Above 0 even if i equals j.
};
HWY_INLINE SlopePair slope_pair(const Lanes3& i, const Lanes3& j) {
  SlopePair pair;
  pair.apart = i - j;
  const Lanes3& u = pair.apart;
  pair.r = root(times_plus(u.x, u.x, times_plus(u.y, u.y, times_plus(u.z, u.z, all(1e-20F)))));
  return pair;
}
/// Returns the slope that slope_of(Pair) computes, divided by slope_factor(). With q = r / H, it is (1 - q)^3 H^3 for
/// Wendland's function and ((1 - q)^2 - 4 (1/2 - q)^2) H^2 / r for the cubic spline.
template <SphKernel kernel>
HWY_INLINE Lanes slope_of(const SlopePair& pair, const Lanes& reach, const Lanes& half_reach) {
  const Lanes left = no_less_than_zero(reach - pair.r);
  if constexpr (kernel == SphKernel::wendland) {
    (void)half_reach;
    return left * left * left;
  } else {
    const Lanes near = no_less_than_zero(half_reach - pair.r), twice = near + near;
    return less_product(left * left, twice, twice) / pair.r;
  }
}
template <SphKernel kernel>
constexpr double slope_factor(double reach) {
  return kernel == SphKernel::wendland ? 1 / (reach * reach * reach) : 1 / reach;
}
/// Factors that turn shape_of() into W [1/m^3] and slope_of() into (dW/dr) / r [1/m^5].
struct KernelScale {
  float shape = 1, slope = 1;
};
template <SphKernel kernel>
KernelScale kernel_scale(double reach, double factor) {
  const double cubed = reach * reach * reach;
  if constexpr (kernel == SphKernel::wendland)
    return {static_cast<float>(factor * kernel_shape(kernel, 0) / cubed),
            static_cast<float>(factor * -210 / std::numbers::pi / (cubed * reach * reach))};
  else
    return {static_cast<float>(factor * 16 / std::numbers::pi / cubed),
            static_cast<float>(factor * -48 / std::numbers::pi / (cubed * reach * reach))};
}

}  // namespace HWY_NAMESPACE
}  // namespace vw
HWY_AFTER_NAMESPACE();
#endif
