#include "tests/base/fused_lanes.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/base/fused_lanes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "sim/base/elementary/fused-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vw {
namespace HWY_NAMESPACE {

template <class T>
FusedResults<T> fused_here(std::span<const T> a, std::span<const T> b, std::span<const T> c) {
  const hn::CappedTag<T, 16> d;
  FusedResults<T> out{hwy::TargetName(HWY_TARGET), std::vector<T>(4 * a.size())};
  for (std::size_t i = 0; i < a.size(); i += hn::Lanes(d)) {
    const auto x = hn::LoadU(d, a.data() + i), y = hn::LoadU(d, b.data() + i), z = hn::LoadU(d, c.data() + i);
    hn::StoreU(mul_add(x, y, z), d, out.values.data() + i);
    hn::StoreU(mul_sub(x, y, z), d, out.values.data() + a.size() + i);
    hn::StoreU(neg_mul_add(x, y, z), d, out.values.data() + 2 * a.size() + i);
    hn::StoreU(neg_mul_sub(x, y, z), d, out.values.data() + 3 * a.size() + i);
  }
  return out;
}
FusedResults<float> fused_floats(std::span<const float> a, std::span<const float> b, std::span<const float> c) {
  return fused_here(a, b, c);
}
FusedResults<double> fused_doubles(std::span<const double> a, std::span<const double> b, std::span<const double> c) {
  return fused_here(a, b, c);
}

}  // namespace HWY_NAMESPACE
}  // namespace vw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vw {
HWY_EXPORT(fused_floats);
HWY_EXPORT(fused_doubles);

template <class T>
std::vector<FusedResults<T>> fused_everywhere(std::span<const T> a, std::span<const T> b, std::span<const T> c) {
  std::vector<FusedResults<T>> all;
  const std::int64_t sets = (hwy::SupportedTargets() & HWY_TARGETS) | HWY_STATIC_TARGET;
  for (std::int64_t rest = sets; rest != 0; rest &= rest - 1) {
    hwy::SetSupportedTargetsForTest(rest & -rest);
    if constexpr (sizeof(T) == sizeof(float))
      all.push_back(HWY_DYNAMIC_DISPATCH(fused_floats)(a, b, c));
    else
      all.push_back(HWY_DYNAMIC_DISPATCH(fused_doubles)(a, b, c));
  }
  hwy::SetSupportedTargetsForTest(0);
  return all;
}
template std::vector<FusedResults<float>> fused_everywhere(std::span<const float>, std::span<const float>,
                                                           std::span<const float>);
template std::vector<FusedResults<double>> fused_everywhere(std::span<const double>, std::span<const double>,
                                                            std::span<const double>);
}  // namespace vw
#endif
