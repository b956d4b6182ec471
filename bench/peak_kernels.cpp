// This file is compiled once per instruction set (Highway). The dispatch at the end selects the best set of the
// machine.
#include "bench/peak_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/peak_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace vw::bench::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Performs at least `count` multiply-adds in twelve independent chains, and returns the number of operations. Twelve
/// exceeds the product of latency and throughput on current cores, so that no operation waits for a result. The
/// accumulators and the two constants fit into sixteen registers.
double fused_chains(std::size_t count, float* sink) {
  const hn::ScalableTag<float> d;
  // x <- 0.999 x + 0.001 keeps x near 1, without overflow or denormals.
  const auto m = hn::Set(d, 0.999F), a = hn::Set(d, 0.001F);
  auto x0 = hn::Iota(d, 1.0F), x1 = hn::Iota(d, 1.1F), x2 = hn::Iota(d, 1.2F), x3 = hn::Iota(d, 1.3F),
       x4 = hn::Iota(d, 1.4F), x5 = hn::Iota(d, 1.5F), x6 = hn::Iota(d, 1.6F), x7 = hn::Iota(d, 1.7F),
       x8 = hn::Iota(d, 1.8F), x9 = hn::Iota(d, 1.9F), x10 = hn::Iota(d, 2.0F), x11 = hn::Iota(d, 2.1F);
  const std::size_t per_turn = 12 * hn::Lanes(d), turns = (count + per_turn - 1) / per_turn;
  for (std::size_t i = 0; i < turns; ++i) {
    x0 = hn::MulAdd(x0, m, a), x1 = hn::MulAdd(x1, m, a), x2 = hn::MulAdd(x2, m, a), x3 = hn::MulAdd(x3, m, a);
    x4 = hn::MulAdd(x4, m, a), x5 = hn::MulAdd(x5, m, a), x6 = hn::MulAdd(x6, m, a), x7 = hn::MulAdd(x7, m, a);
    x8 = hn::MulAdd(x8, m, a), x9 = hn::MulAdd(x9, m, a), x10 = hn::MulAdd(x10, m, a), x11 = hn::MulAdd(x11, m, a);
  }
  const auto low = hn::Add(hn::Add(hn::Add(x0, x1), hn::Add(x2, x3)), hn::Add(x4, x5));
  const auto high = hn::Add(hn::Add(hn::Add(x6, x7), hn::Add(x8, x9)), hn::Add(x10, x11));
  *sink += hn::GetLane(hn::SumOfLanes(d, hn::Add(low, high)));
  return 2.0 * static_cast<double>(turns * per_turn);
}

void scaled_sum(double* a, const double* b, const double* c, double factor, std::size_t count) {
  const hn::ScalableTag<double> d;
  const auto s = hn::Set(d, factor);
  const std::size_t width = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + width <= count; i += width) hn::StoreU(hn::MulAdd(s, hn::LoadU(d, c + i), hn::LoadU(d, b + i)), d, a + i);
  for (; i < count; ++i) a[i] = b[i] + factor * c[i];
}

const char* target_name() { return hwy::TargetName(HWY_TARGET); }

}  // namespace vw::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vw::bench {

HWY_EXPORT(fused_chains);
HWY_EXPORT(scaled_sum);
HWY_EXPORT(target_name);

double multiply_add(std::size_t count, float& sink) { return HWY_DYNAMIC_DISPATCH(fused_chains)(count, &sink); }

void triad(double* a, const double* b, const double* c, double factor, std::size_t count) {
  HWY_DYNAMIC_DISPATCH(scaled_sum)(a, b, c, factor, count);
}

const char* vector_target() { return HWY_DYNAMIC_DISPATCH(target_name)(); }

}  // namespace vw::bench
#endif
