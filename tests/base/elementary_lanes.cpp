#include "tests/base/elementary_lanes.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/base/elementary_lanes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cstring>
#include <vector>

#include "sim/base/elementary/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vw {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace lanes = elementary::HWY_NAMESPACE;

template <class D>
hn::Vec<D> value(D d, LaneFunction f, hn::Vec<D> x, hn::Vec<D> y) {
  switch (f) {
    case LaneFunction::exp: return lanes::exp(d, x);
    case LaneFunction::exp2: return lanes::exp2(d, x);
    case LaneFunction::log: return lanes::log(d, x);
    case LaneFunction::sin: return lanes::sin(d, x);
    case LaneFunction::cos: return lanes::cos(d, x);
    case LaneFunction::sin_of_both: return lanes::sin_cos(d, x).sin;
    case LaneFunction::cos_of_both: return lanes::sin_cos(d, x).cos;
    case LaneFunction::pow: return lanes::pow(d, x, y);
  }
  return x;
}
template <class D>
void evaluate_with(D d, LaneFunction f, std::span<const double> x, std::span<const double> y, double* out) {
  for (std::size_t i = 0; i < x.size(); i += hn::Lanes(d))
    hn::StoreU(value(d, f, hn::LoadU(d, x.data() + i), hn::LoadU(d, y.data() + i)), d, out + i);
}
bool evaluate(LaneFunction f, std::span<const double> x, std::span<const double> y, double* out) {
  std::vector<double> narrow(x.size());
  const auto same = [&] { return std::memcmp(narrow.data(), out, x.size() * sizeof(double)) == 0; };
  evaluate_with(hn::ScalableTag<double>(), f, x, y, out);
  evaluate_with(hn::CappedTag<double, 1>(), f, x, y, narrow.data());
  const bool same_with_one = same();
  evaluate_with(hn::CappedTag<double, 2>(), f, x, y, narrow.data());
  return same_with_one && same();
}

}  // namespace HWY_NAMESPACE
}  // namespace vw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vw {
HWY_EXPORT(evaluate);
bool evaluate_lanes(LaneFunction f, std::span<const double> x, std::span<const double> y, std::span<double> out) {
  return HWY_DYNAMIC_DISPATCH(evaluate)(f, x, y, out.data());
}
}  // namespace vw
#endif
