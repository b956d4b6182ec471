// Fused multiply-add of Highway vectors, with the same bits on every instruction set. A kernel fuses a product and a
// sum only where it calls mul_add() or one of its variants; the compiler itself fuses no operations
// (-ffp-contract=off). Highway's own MulAdd() rounds twice on instruction sets without a fused multiply-add. This file
// is included once for each instruction set.
#if defined(VOXWAKE_FUSED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VOXWAKE_FUSED_INL_H_
#undef VOXWAKE_FUSED_INL_H_
#else
#define VOXWAKE_FUSED_INL_H_
#endif

#include <hwy/highway.h>

#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace vw {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if !HWY_NATIVE_FMA && HWY_TARGET != HWY_SCALAR
/// Returns a b + c for floats, rounded once. The computation uses doubles. In doubles, the product is exact. If the sum
/// is not exact, its last digit is made odd; rounding to float then gives the correctly rounded result (Boldo &
/// Melquiond, "Emulation of a FMA and correctly rounded sums: proved algorithms using rounding to odd", IEEE Trans.
/// Comput. 57, 2008, theorem 1).
template <class D>
HWY_INLINE hn::Vec<D> fused_in_double(D d, hn::Vec<D> a, hn::Vec<D> b, hn::Vec<D> c) {
  const hn::Rebind<double, D> wide;
  const hn::RebindToSigned<decltype(wide)> bits;
  const auto product = hn::Mul(hn::PromoteTo(wide, a), hn::PromoteTo(wide, b)), added = hn::PromoteTo(wide, c);
  const auto sum = hn::Add(product, added);
  // Error of the sum (TwoSum of Knuth).
  const auto part = hn::Sub(sum, product);
  const auto error = hn::Add(hn::Sub(product, hn::Sub(sum, part)), hn::Sub(added, part));
  const auto digits = hn::BitCast(bits, sum), one = hn::Set(bits, 1);
  const auto is_even = hn::Eq(hn::And(digits, one), hn::Zero(bits));
  const auto is_inexact = hn::RebindMask(bits, hn::Gt(hn::Abs(error), hn::Zero(wide)));
  const auto away = hn::RebindMask(bits, hn::Gt(hn::Mul(hn::CopySign(hn::Set(wide, 1.0), sum), error), hn::Zero(wide)));
  const auto step = hn::IfThenElse(away, one, hn::Neg(one));
  return hn::DemoteTo(d, hn::BitCast(wide, hn::Add(digits, hn::IfThenElseZero(hn::And(is_even, is_inexact), step))));
}
#endif

/// Returns a b + c, rounded once. The overload below is for the lanes of a vector.
HWY_INLINE float mul_add(float a, float b, float c) { return std::fma(a, b, c); }
template <class V>
HWY_INLINE V mul_add(V a, V b, V c) {
#if HWY_NATIVE_FMA
  return hn::MulAdd(a, b, c);
#else
  using D = hn::DFromV<V>;
  using T = hn::TFromD<D>;
  const D d;
#if HWY_TARGET != HWY_SCALAR
  if constexpr (sizeof(T) == sizeof(float) && hn::MaxLanes(D()) == 4) {
    const hn::Half<D> half;
    return hn::Combine(d, fused_in_double(half, hn::UpperHalf(half, a), hn::UpperHalf(half, b), hn::UpperHalf(half, c)),
                       fused_in_double(half, hn::LowerHalf(half, a), hn::LowerHalf(half, b), hn::LowerHalf(half, c)));
  }
#endif
  HWY_ALIGN T x[hn::MaxLanes(D())], y[hn::MaxLanes(D())], z[hn::MaxLanes(D())];
  hn::Store(a, d, x), hn::Store(b, d, y), hn::Store(c, d, z);
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) x[i] = std::fma(x[i], y[i], z[i]);
  return hn::Load(d, x);
#endif
}
/// Returns a b - c, rounded once.
template <class V>
HWY_INLINE V mul_sub(V a, V b, V c) {
#if HWY_NATIVE_FMA
  return hn::MulSub(a, b, c);
#else
  return mul_add(a, b, hn::Neg(c));
#endif
}
/// Returns c - a b, rounded once.
template <class V>
HWY_INLINE V neg_mul_add(V a, V b, V c) {
#if HWY_NATIVE_FMA
  return hn::NegMulAdd(a, b, c);
#else
  return mul_add(hn::Neg(a), b, c);
#endif
}
/// Returns -a b - c, rounded once.
template <class V>
HWY_INLINE V neg_mul_sub(V a, V b, V c) {
#if HWY_NATIVE_FMA
  return hn::NegMulSub(a, b, c);
#else
  return mul_add(hn::Neg(a), b, hn::Neg(c));
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace vw
HWY_AFTER_NAMESPACE();

#endif  // VOXWAKE_FUSED_INL_H_
