// SIMD arithmetic of pair sums. One operation treats four rows and as many neighbours as a register holds. Included
// once for each instruction set (Highway).
#if defined(VOXWAKE_PAIR_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VOXWAKE_PAIR_LANES_INL_H_
#undef VOXWAKE_PAIR_LANES_INL_H_
#else
#define VOXWAKE_PAIR_LANES_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cmath>

#include "sim/system/fluid/rows/sph_kernel.h"
#include "sim/system/fluid/rows/sph_rows.h"

HWY_BEFORE_NAMESPACE();
namespace vw {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

/// Four rows and one neighbour, as scalars.
struct Lanes {
  float v[4];
};
constexpr std::size_t neighbours_at_once = 1;
template <class F>
HWY_INLINE Lanes each_lane(F f) {
  return {{f(0), f(1), f(2), f(3)}};
}
HWY_INLINE Lanes operator+(Lanes a, Lanes b) {
  return each_lane([&](int i) { return a.v[i] + b.v[i]; });
}
HWY_INLINE Lanes operator-(Lanes a, Lanes b) {
  return each_lane([&](int i) { return a.v[i] - b.v[i]; });
}
HWY_INLINE Lanes operator*(Lanes a, Lanes b) {
  return each_lane([&](int i) { return a.v[i] * b.v[i]; });
}
HWY_INLINE Lanes all(float x) { return {{x, x, x, x}}; }
HWY_INLINE Lanes no_less_than_zero(Lanes a) {
  return each_lane([&](int i) { return std::max(a.v[i], 0.0F); });
}
HWY_INLINE Lanes greater_of(Lanes a, Lanes b) {
  return each_lane([&](int i) { return std::max(a.v[i], b.v[i]); });
}
HWY_INLINE Lanes lesser_of(Lanes a, Lanes b) {
  return each_lane([&](int i) { return std::min(a.v[i], b.v[i]); });
}
HWY_INLINE Lanes times_plus(Lanes a, Lanes b, Lanes c) { return a * b + c; }
HWY_INLINE Lanes less_product(Lanes c, Lanes a, Lanes b) { return c - a * b; }
HWY_INLINE Lanes inverse_root(Lanes a) {
  return each_lane([&](int i) { return 1 / std::sqrt(a.v[i]); });
}
HWY_INLINE Lanes rough_inverse_root(Lanes a) { return inverse_root(a); }
HWY_INLINE Lanes inverse(Lanes a) {
  return each_lane([&](int i) { return 1 / a.v[i]; });
}
/// Lanes of a where x < limit, otherwise 0.
HWY_INLINE Lanes where_less(Lanes x, Lanes limit, Lanes a) {
  return each_lane([&](int i) { return x.v[i] < limit.v[i] ? a.v[i] : 0.0F; });
}
/// Register with one value per row, repeated for every neighbour.
HWY_INLINE Lanes of_rows(const float* four) { return {{four[0], four[1], four[2], four[3]}}; }
/// Sums over the neighbours for each of the four rows.
HWY_INLINE void sum_rows(Lanes a, float* four) { std::copy(a.v, a.v + 4, four); }

/// Data of one neighbour.
struct Neighbours {
  Float4 row;
};
HWY_INLINE Neighbours take(const Float4* rows, const std::uint32_t* who) { return {rows[who[0]]}; }
HWY_INLINE Lanes x_of(const Neighbours& j) { return all(j.row.x); }
HWY_INLINE Lanes y_of(const Neighbours& j) { return all(j.row.y); }
HWY_INLINE Lanes z_of(const Neighbours& j) { return all(j.row.z); }
HWY_INLINE Lanes w_of(const Neighbours& j) { return all(j.row.w); }

#else

using LaneTag = hn::FixedTag<float, HWY_TARGET == HWY_AVX3 ? 16 : (HWY_TARGET == HWY_AVX2 ? 8 : 4)>;
using BlockTag = hn::FixedTag<float, 4>;
/// SIMD register with one block of four lanes per neighbour. Each lane of a block belongs to one of the four rows.
struct Lanes {
  hn::Vec<LaneTag> v;
};
constexpr std::size_t neighbours_at_once = HWY_TARGET == HWY_AVX3 ? 4 : (HWY_TARGET == HWY_AVX2 ? 2 : 1);
HWY_INLINE Lanes operator+(Lanes a, Lanes b) { return {hn::Add(a.v, b.v)}; }
HWY_INLINE Lanes operator-(Lanes a, Lanes b) { return {hn::Sub(a.v, b.v)}; }
HWY_INLINE Lanes operator*(Lanes a, Lanes b) { return {hn::Mul(a.v, b.v)}; }
HWY_INLINE Lanes all(float x) { return {hn::Set(LaneTag(), x)}; }
HWY_INLINE Lanes no_less_than_zero(Lanes a) { return {hn::Max(a.v, hn::Zero(LaneTag()))}; }
HWY_INLINE Lanes greater_of(Lanes a, Lanes b) { return {hn::Max(a.v, b.v)}; }
HWY_INLINE Lanes lesser_of(Lanes a, Lanes b) { return {hn::Min(a.v, b.v)}; }
HWY_INLINE Lanes times_plus(Lanes a, Lanes b, Lanes c) { return {hn::MulAdd(a.v, b.v, c.v)}; }
HWY_INLINE Lanes less_product(Lanes c, Lanes a, Lanes b) { return {hn::NegMulAdd(a.v, b.v, c.v)}; }
/// Inverse square root, accurate to the last bits: a hardware estimate and one Newton step.
HWY_INLINE Lanes inverse_root(Lanes a) {
  const LaneTag d;
  const auto guess = hn::ApproximateReciprocalSqrt(a.v);
  const auto half = hn::Mul(hn::Mul(a.v, guess), hn::Set(d, 0.5F));
  return {hn::Mul(guess, hn::NegMulAdd(half, guess, hn::Set(d, 1.5F)))};
}
/// Approximate inverse square root. The relative error is below 7e-5. The hardware estimates of AVX2 and SSE have
/// errors up to 4e-4, which would accelerate a lattice at rest with 0.005 g. On these targets the function therefore
/// takes the Newton step.
HWY_INLINE Lanes rough_inverse_root(Lanes a) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  return {hn::ApproximateReciprocalSqrt(a.v)};
#else
  return inverse_root(a);
#endif
}
HWY_INLINE Lanes inverse(Lanes a) { return {hn::Div(hn::Set(LaneTag(), 1.0F), a.v)}; }
HWY_INLINE Lanes where_less(Lanes x, Lanes limit, Lanes a) { return {hn::IfThenElseZero(hn::Lt(x.v, limit.v), a.v)}; }

HWY_INLINE hn::Vec<LaneTag> repeat(hn::Vec<BlockTag> four) {
#if HWY_TARGET == HWY_AVX3
  const hn::Half<LaneTag> half;
  const auto eight = hn::Combine(half, four, four);
  return hn::Combine(LaneTag(), eight, eight);
#elif HWY_TARGET == HWY_AVX2
  return hn::Combine(LaneTag(), four, four);
#else
  return four;
#endif
}
HWY_INLINE Lanes of_rows(const float* four) { return {repeat(hn::LoadU(BlockTag(), four))}; }
HWY_INLINE void sum_rows(Lanes a, float* four) {
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

/// Data of several neighbours, one neighbour per block of four lanes.
struct Neighbours {
  hn::Vec<LaneTag> row;
};
HWY_INLINE Neighbours take(const Float4* rows, const std::uint32_t* who) {
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
HWY_INLINE Lanes x_of(const Neighbours& j) { return {hn::Broadcast<0>(j.row)}; }
HWY_INLINE Lanes y_of(const Neighbours& j) { return {hn::Broadcast<1>(j.row)}; }
HWY_INLINE Lanes z_of(const Neighbours& j) { return {hn::Broadcast<2>(j.row)}; }
HWY_INLINE Lanes w_of(const Neighbours& j) { return {hn::Broadcast<3>(j.row)}; }

#endif

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
  const Lanes squared = greater_of(dot(pair.apart, pair.apart), all(1e-20F));
  pair.inverse_r = inverse_root(squared);
  pair.q = squared * pair.inverse_r * all(inverse_reach);
  return pair;
}

/// shape_of() is kernel_shape() and slope_of() is kernel_slope(), both without constant factors (see KernelScale).
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
/// The geometry of a pair that a kernel slope needs, for the sums of iterative solves. Slopes may have a relative error
/// of about 1e-3. The error is harmless: both rows of a pair use the same bits, so momentum is conserved, and a solve
/// evaluates its residual with the same sums.
struct SlopePair {
  Lanes3 apart;     ///< x_i - x_j [m]
  Lanes inverse_r;  ///< Approximate 1 / r [1/m]. Finite even if i equals j.
  Lanes squared;    ///< r^2 [m^2]
};
template <bool exact = false>
HWY_INLINE SlopePair slope_pair(const Lanes3& i, const Lanes3& j) {
  SlopePair pair;
  pair.apart = i - j;
  const Lanes3& u = pair.apart;
  pair.squared = times_plus(u.x, u.x, times_plus(u.y, u.y, times_plus(u.z, u.z, all(1e-20F))));
  pair.inverse_r = exact ? inverse_root(pair.squared) : rough_inverse_root(pair.squared);
  return pair;
}
/// slope_of(Pair) divided by slope_factor(). This is (1 - q)^3 H^3 for Wendland's function and ((1 - q)^2 - 4 (1/2 -
/// q)^2) H^2 / r for the cubic spline.
template <SphKernel kernel>
HWY_INLINE Lanes slope_of(const SlopePair& pair, Lanes reach, Lanes half_reach) {
  const Lanes left = no_less_than_zero(less_product(reach, pair.squared, pair.inverse_r));
  if constexpr (kernel == SphKernel::wendland) {
    (void)half_reach;
    return left * left * left;
  } else {
    const Lanes near = no_less_than_zero(less_product(half_reach, pair.squared, pair.inverse_r)), twice = near + near;
    return less_product(left * left, twice, twice) * pair.inverse_r;
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
