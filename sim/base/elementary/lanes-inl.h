// Elementary functions of Highway vectors of doubles, for kernels. At any vector width and on any instruction set,
// every lane has the same bits as the result of the scalar function (elementary.h). A kernel calls, for example,
// elementary::HWY_NAMESPACE::exp(d, x), where d is its Highway tag. If a vector contains an unusual argument (see the
// limits in core-inl.h), its lanes are evaluated one by one. This file is included once for each instruction set.
#if defined(VOXWAKE_ELEMENTARY_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef VOXWAKE_ELEMENTARY_LANES_INL_H_
#undef VOXWAKE_ELEMENTARY_LANES_INL_H_
#else
#define VOXWAKE_ELEMENTARY_LANES_INL_H_
#endif

#include "sim/base/elementary/core-inl.h"
#include "sim/base/elementary/elementary.h"

HWY_BEFORE_NAMESPACE();
namespace vw::elementary {
namespace HWY_NAMESPACE {

template <class D>
struct SinCosLanes {
  hn::Vec<D> sin, cos;
};

/// Applies a scalar function to every lane.
template <class D, class F>
HWY_INLINE hn::Vec<D> lane_by_lane(D d, hn::Vec<D> x, F f) {
  HWY_ALIGN double lane[hn::MaxLanes(D())];
  hn::Store(x, d, lane);
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) lane[i] = f(lane[i]);
  return hn::Load(d, lane);
}
template <class D>
HWY_INLINE bool all_within(D d, hn::Vec<D> x, double limit) {
  return hn::AllTrue(d, hn::Le(hn::Abs(x), hn::Set(d, limit)));
}
template <class D>
HWY_INLINE bool all_positive_normal(D d, hn::Vec<D> x) {
  return hn::AllTrue(d, hn::And(hn::Ge(x, hn::Set(d, 0x1p-1022)), hn::Le(x, hn::Set(d, 0x1.fffffffffffffp1023))));
}
/// Returns whether the reductions `turn` of all the angles `size` have enough correct bits (turn_least_fraction).
template <class D>
HWY_INLINE bool all_precise(D d, const Turn<Lanes<D>>& turn, hn::Vec<D> size) {
  return hn::AllTrue(d, hn::Ge(hn::Abs(turn.upper.v), hn::Mul(size, hn::Set(d, turn_least_fraction))));
}

template <class D>
HWY_INLINE hn::Vec<D> exp(D d, hn::Vec<D> x) {
  if (HWY_UNLIKELY(!all_within(d, x, exp_limit)))
    return lane_by_lane(d, x, [](double a) { return elementary::exp(a); });
  return power_value(exp_power(Lanes<D>(x), Lanes<D>(0.0))).v;
}
template <class D>
HWY_INLINE hn::Vec<D> exp2(D d, hn::Vec<D> x) {
  if (HWY_UNLIKELY(!all_within(d, x, exp2_limit)))
    return lane_by_lane(d, x, [](double a) { return elementary::exp2(a); });
  return power_value(exp2_power(Lanes<D>(x))).v;
}
template <class D>
HWY_INLINE hn::Vec<D> log(D d, hn::Vec<D> x) {
  if (HWY_UNLIKELY(!all_positive_normal(d, x))) return lane_by_lane(d, x, [](double a) { return elementary::log(a); });
  return log_value(Lanes<D>(x)).v;
}
template <class D>
HWY_INLINE hn::Vec<D> pow(D d, hn::Vec<D> x, hn::Vec<D> y) {
  const auto size = hn::Abs(y);
  const auto usual =
      hn::And(hn::Ge(size, hn::Set(d, pow_least_exponent)), hn::Lt(size, hn::Set(d, pow_largest_exponent)));
  if (HWY_LIKELY(all_positive_normal(d, x) && hn::AllTrue(d, usual))) {
    const Pair<Lanes<D>> exponent = pow_exponent(Lanes<D>(x), Lanes<D>(y), Lanes<D>(0.0));
    if (HWY_LIKELY(all_within(d, exponent.upper.v, exp_limit)))
      return power_value(exp_power(exponent.upper, exponent.lower)).v;
  }
  HWY_ALIGN double base[hn::MaxLanes(D())], power[hn::MaxLanes(D())];
  hn::Store(x, d, base);
  hn::Store(y, d, power);
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) base[i] = elementary::pow(base[i], power[i]);
  return hn::Load(d, base);
}
template <class D>
HWY_INLINE hn::Vec<D> sin(D d, hn::Vec<D> x) {
  const auto size = hn::Abs(x);
  if (HWY_LIKELY(all_within(d, x, turn_limit))) {
    const Turn<Lanes<D>> turn = turn_of(Lanes<D>(size));
    if (HWY_LIKELY(all_precise(d, turn, size))) return hn::Xor(sine_value(turn, 0).v, hn::Xor(x, size));
  }
  return lane_by_lane(d, x, [](double a) { return elementary::sin(a); });
}
template <class D>
HWY_INLINE hn::Vec<D> cos(D d, hn::Vec<D> x) {
  const auto size = hn::Abs(x);
  if (HWY_LIKELY(all_within(d, x, turn_limit))) {
    const Turn<Lanes<D>> turn = turn_of(Lanes<D>(size));
    if (HWY_LIKELY(all_precise(d, turn, size))) return sine_value(turn, 1).v;
  }
  return lane_by_lane(d, x, [](double a) { return elementary::cos(a); });
}
template <class D>
HWY_INLINE SinCosLanes<D> sin_cos(D d, hn::Vec<D> x) {
  const auto size = hn::Abs(x);
  if (HWY_LIKELY(all_within(d, x, turn_limit))) {
    const Turn<Lanes<D>> turn = turn_of(Lanes<D>(size));
    if (HWY_LIKELY(all_precise(d, turn, size)))
      return {hn::Xor(sine_value(turn, 0).v, hn::Xor(x, size)), sine_value(turn, 1).v};
  }
  return {lane_by_lane(d, x, [](double a) { return elementary::sin(a); }),
          lane_by_lane(d, x, [](double a) { return elementary::cos(a); })};
}

}  // namespace HWY_NAMESPACE
}  // namespace vw::elementary
HWY_AFTER_NAMESPACE();

#endif  // VOXWAKE_ELEMENTARY_LANES_INL_H_
