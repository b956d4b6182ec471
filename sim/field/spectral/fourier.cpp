// The transform of a cube consists of transforms of all lines along each axis. 16 lines are transformed at a time, one
// per lane, by Stockham's autosort algorithm (Van Loan, "Computational Frameworks for the Fast Fourier Transform",
// 1992, section 1.7). Products and sums are rounded separately (no fused operations), so all instruction sets give the
// same bits.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/field/spectral/fourier.cpp"
// The targets SSSE3 and AVX3_DL are left out. The remaining targets are scalar code and vectors of 128, 256 and 512
// bits.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "sim/base/elementary/elementary.h"
#include "sim/base/math.h"
#include "sim/base/parallel/parallel.h"
#include "sim/field/spectral/fourier.h"

#ifndef VOXWAKE_FOURIER_SHARED
#define VOXWAKE_FOURIER_SHARED
namespace vw {
using Mode = std::complex<float>;
constexpr std::size_t fourier_lanes = 16;  // Number of lines that are transformed together.

/// 16 lines of n complex numbers: element x of all lines begins at re[16 x] and im[16 x]. The struct also contains
/// scratch memory of the same size.
struct LineBlock {
  explicit LineBlock(std::size_t n) : n(n), memory(4 * n * fourier_lanes) {}
  [[nodiscard]] float* re() { return memory.data(); }
  [[nodiscard]] float* im() { return memory.data() + n * fourier_lanes; }
  [[nodiscard]] float* spare() { return memory.data() + 2 * n * fourier_lanes; }
  std::size_t n;
  std::vector<float> memory;
};
}  // namespace vw
#endif

HWY_BEFORE_NAMESPACE();
namespace vw {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
using FourierTag = hn::CappedTag<float, fourier_lanes>;
using FourierReals = hn::Vec<FourierTag>;

/// One complex number per lane.
struct Complex {
  FourierReals re, im;
};
HWY_INLINE Complex operator+(const Complex& a, const Complex& b) { return {hn::Add(a.re, b.re), hn::Add(a.im, b.im)}; }
HWY_INLINE Complex operator-(const Complex& a, const Complex& b) { return {hn::Sub(a.re, b.re), hn::Sub(a.im, b.im)}; }
HWY_INLINE Complex scaled(float s, const Complex& a) {
  const auto factor = hn::Set(FourierTag(), s);
  return {hn::Mul(factor, a.re), hn::Mul(factor, a.im)};
}
/// Returns a times w if `Back`, otherwise a times the conjugate of w.
template <bool Back>
HWY_INLINE Complex turned(const Complex& a, const std::array<float, 2>& w) {
  const auto c = hn::Set(FourierTag(), w[0]), s = hn::Set(FourierTag(), Back ? w[1] : -w[1]);
  return {hn::Sub(hn::Mul(a.re, c), hn::Mul(a.im, s)), hn::Add(hn::Mul(a.re, s), hn::Mul(a.im, c))};
}
/// Returns a times i if `Back`, otherwise a times -i.
template <bool Back>
HWY_INLINE Complex quarter_turned(const Complex& a) {
  if constexpr (Back)
    return {hn::Neg(a.im), a.re};
  else
    return {a.im, hn::Neg(a.re)};
}

/// The overloads of transform() transform two to five values in place, without scaling.
template <bool Back>
HWY_INLINE void transform(Complex (&x)[2]) {
  const Complex difference = x[0] - x[1];
  x[0] = x[0] + x[1], x[1] = difference;
}
template <bool Back>
HWY_INLINE void transform(Complex (&x)[3]) {
  const Complex sum = x[1] + x[2], middle = x[0] - scaled(0.5F, sum);
  const Complex side = quarter_turned<Back>(scaled(0.866025404F, x[1] - x[2]));
  x[0] = x[0] + sum, x[1] = middle + side, x[2] = middle - side;
}
template <bool Back>
HWY_INLINE void transform(Complex (&x)[4]) {
  const Complex even = x[0] + x[2], odd = x[1] + x[3], across = x[0] - x[2];
  const Complex side = quarter_turned<Back>(x[1] - x[3]);
  x[0] = even + odd, x[1] = across + side, x[2] = even - odd, x[3] = across - side;
}
template <bool Back>
HWY_INLINE void transform(Complex (&x)[5]) {
  constexpr float c1 = 0.309016994F, c2 = -0.809016994F, s1 = 0.951056516F, s2 = 0.587785252F;
  const Complex a = x[1] + x[4], b = x[2] + x[3], c = x[1] - x[4], d = x[2] - x[3];
  const Complex first = x[0] + (scaled(c1, a) + scaled(c2, b)), second = x[0] + (scaled(c2, a) + scaled(c1, b));
  const Complex side = quarter_turned<Back>(scaled(s1, c) + scaled(s2, d)),
                other_side = quarter_turned<Back>(scaled(s2, c) - scaled(s1, d));
  x[0] = x[0] + (a + b);
  x[1] = first + side, x[4] = first - side;
  x[2] = second + other_side, x[3] = second - other_side;
}

/// Real and imaginary parts of `fourier_lanes` lines. Element x of line l has the index x * fourier_lanes + l.
struct Columns {
  float *re, *im;
  [[nodiscard]] HWY_INLINE Complex at(std::size_t element, std::size_t lane) const {
    return {hn::LoadU(FourierTag(), re + element * fourier_lanes + lane),
            hn::LoadU(FourierTag(), im + element * fourier_lanes + lane)};
  }
  HWY_INLINE void set(std::size_t element, std::size_t lane, const Complex& value) const {
    hn::StoreU(value.re, FourierTag(), re + element * fourier_lanes + lane);
    hn::StoreU(value.im, FourierTag(), im + element * fourier_lanes + lane);
  }
};

/// Performs one pass of the transform, for a factor of two to five. `step` is the product of the factors of all earlier
/// passes.
template <bool Back, std::size_t factor>
void small_pass(const FourierPlan& plan, const FourierPlan::Pass& pass, std::size_t step, Columns from, Columns to) {
  for (std::size_t q = 0; q < pass.m; ++q) {
    const std::array<float, 2>* const twiddle = plan.numbers.data() + pass.twiddles + q * (factor - 1);
    for (std::size_t b = 0; b < step; ++b)
      for (std::size_t lane = 0; lane < fourier_lanes; lane += hn::Lanes(FourierTag())) {
        Complex x[factor];
        for (std::size_t r = 0; r < factor; ++r) x[r] = from.at(b + step * (q + pass.m * r), lane);
        transform<Back>(x);
        to.set(b + step * factor * q, lane, x[0]);
        for (std::size_t t = 1; t < factor; ++t)
          to.set(b + step * (factor * q + t), lane, turned<Back>(x[t], twiddle[t - 1]));
      }
  }
}
/// Performs one pass of the transform, for any factor.
template <bool Back>
void large_pass(const FourierPlan& plan, const FourierPlan::Pass& pass, std::size_t step, Columns from, Columns to) {
  const std::size_t factor = pass.factor;
  const std::array<float, 2>* const roots = plan.numbers.data() + pass.roots;
  for (std::size_t q = 0; q < pass.m; ++q)
    for (std::size_t b = 0; b < step; ++b)
      for (std::size_t t = 0; t < factor; ++t)
        for (std::size_t lane = 0; lane < fourier_lanes; lane += hn::Lanes(FourierTag())) {
          Complex sum = from.at(b + step * q, lane);
          for (std::size_t r = 1; r < factor; ++r)
            sum = sum + turned<Back>(from.at(b + step * (q + pass.m * r), lane), roots[r * t % factor]);
          const std::size_t twiddle = pass.twiddles + q * (factor - 1) + t - 1;
          to.set(b + step * (factor * q + t), lane, t == 0 ? sum : turned<Back>(sum, plan.numbers[twiddle]));
        }
}

template <bool Back>
void transform_lines(const FourierPlan& plan, LineBlock& block) {
  Columns from{block.re(), block.im()}, to{block.spare(), block.spare() + block.n * fourier_lanes};
  std::size_t step = 1;
  for (const FourierPlan::Pass& pass : plan.passes) {
    switch (pass.factor) {
      case 2: small_pass<Back, 2>(plan, pass, step, from, to); break;
      case 3: small_pass<Back, 3>(plan, pass, step, from, to); break;
      case 4: small_pass<Back, 4>(plan, pass, step, from, to); break;
      case 5: small_pass<Back, 5>(plan, pass, step, from, to); break;
      default: large_pass<Back>(plan, pass, step, from, to);
    }
    std::swap(from, to);
    step *= pass.factor;
  }
  if (from.re != block.re()) std::copy_n(from.re, 2 * block.n * fourier_lanes, block.re());
}

void transform_block(const FourierPlan& plan, bool back, LineBlock& block) {
  back ? transform_lines<true>(plan, block) : transform_lines<false>(plan, block);
}

}  // namespace HWY_NAMESPACE
}  // namespace vw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vw {
HWY_EXPORT(transform_block);

namespace {

/// Returns exp(2 pi i turn / whole).
std::array<float, 2> unit_root(std::size_t turn, std::size_t whole) {
  const double angle = 2 * pi * static_cast<double>(turn % whole) / static_cast<double>(whole);
  return {static_cast<float>(elementary::cos(angle)), static_cast<float>(elementary::sin(angle))};
}

/// Transforms the columns of the matrix `slab`. The matrix has n rows of `width` modes, and the rows are `step` modes
/// apart. A group of `fourier_lanes` columns is skipped if all its modes are zero. Most groups are zero if the modes
/// lie within a ball whose radius is a quarter of n.
class Across {
 public:
  Across(const FourierPlan& plan, bool back) : plan_(plan), back_(back), block_(plan.n) {}

  void transform(Mode* slab, std::size_t width, std::size_t step) {
    for (std::size_t first = 0; first < width; first += fourier_lanes)
      transform_columns(slab + first, std::min(fourier_lanes, width - first), step);
  }

 private:
  void transform_columns(Mode* first, std::size_t count, std::size_t step) {
    bool is_zero = true;
    for (std::size_t x = 0; x < plan_.n; ++x)
      for (std::size_t lane = 0; lane < fourier_lanes; ++lane) {
        const Mode mode = lane < count ? first[x * step + lane] : Mode();
        block_.re()[x * fourier_lanes + lane] = mode.real(), block_.im()[x * fourier_lanes + lane] = mode.imag();
        is_zero = is_zero && mode == Mode();
      }
    if (is_zero) return;
    HWY_DYNAMIC_DISPATCH(transform_block)(plan_, back_, block_);
    for (std::size_t x = 0; x < plan_.n; ++x)
      for (std::size_t lane = 0; lane < count; ++lane)
        first[x * step + lane] = {block_.re()[x * fourier_lanes + lane], block_.im()[x * fourier_lanes + lane]};
  }

  const FourierPlan& plan_;
  bool back_;
  LineBlock block_;
};

/// Transforms real lines, which are contiguous. One complex transform of a + i b transforms two real lines a and b.
class Along {
 public:
  explicit Along(const FourierPlan& plan) : n_(plan.n), half_(plan.n / 2 + 1), plan_(plan), block_(plan.n) {}

  /// Largest value of `count`, the number of lines in one call.
  static constexpr std::size_t lines = 2 * fourier_lanes;
  void to_values(const Mode* modes, float* values, std::size_t count) {
    if (std::all_of(modes, modes + count * half_, [](const Mode& mode) { return mode == Mode(); }))
      return std::fill(values, values + count * n_, 0.0F);
    for (std::size_t lane = 0; lane < fourier_lanes; ++lane)
      for (std::size_t i = 0; i < half_; ++i) {
        Mode a = mode_of(modes, 2 * lane, count, i), b = mode_of(modes, 2 * lane + 1, count, i);
        if (i == 0 || 2 * i == n_) a = a.real(), b = b.real();
        set(i, lane, a.real() - b.imag(), a.imag() + b.real());
        if (i > 0 && 2 * i < n_) set(n_ - i, lane, a.real() + b.imag(), b.real() - a.imag());
      }
    HWY_DYNAMIC_DISPATCH(transform_block)(plan_, true, block_);
    for (std::size_t line = 0; line < count; ++line) {
      const float* const from = (line % 2 == 0 ? block_.re() : block_.im()) + line / 2;
      for (std::size_t x = 0; x < n_; ++x) values[line * n_ + x] = from[x * fourier_lanes];
    }
  }
  void to_modes(const float* values, Mode* modes, std::size_t count) {
    for (std::size_t line = 0; line < lines; ++line) {
      float* const to = (line % 2 == 0 ? block_.re() : block_.im()) + line / 2;
      for (std::size_t x = 0; x < n_; ++x) to[x * fourier_lanes] = line < count ? values[line * n_ + x] : 0;
    }
    HWY_DYNAMIC_DISPATCH(transform_block)(plan_, false, block_);
    const float share = 0.5F / static_cast<float>(n_ * n_ * n_);
    for (std::size_t line = 0; line < count; ++line)
      for (std::size_t i = 0; i < half_; ++i) {
        const Mode here = at(i, line / 2), there = at(i == 0 ? 0 : n_ - i, line / 2);
        modes[line * half_ + i] =
            line % 2 == 0 ? Mode(share * (here.real() + there.real()), share * (here.imag() - there.imag()))
                          : Mode(share * (here.imag() + there.imag()), share * (there.real() - here.real()));
      }
  }

 private:
  [[nodiscard]] Mode mode_of(const Mode* modes, std::size_t line, std::size_t count, std::size_t i) const {
    return line < count ? modes[line * half_ + i] : Mode();
  }
  void set(std::size_t x, std::size_t lane, float re, float im) {
    block_.re()[x * fourier_lanes + lane] = re, block_.im()[x * fourier_lanes + lane] = im;
  }
  Mode at(std::size_t x, std::size_t lane) {
    return {block_.re()[x * fourier_lanes + lane], block_.im()[x * fourier_lanes + lane]};
  }

  std::size_t n_, half_;
  const FourierPlan& plan_;
  LineBlock block_;
};

/// Transforms all lines along z, the axis whose neighbours are farthest apart in memory. The loop over y is parallel.
void across_z(const FourierPlan& plan, Mode* modes, bool back) {
  const std::size_t half = plan.n / 2 + 1;
  parallel_for(plan.n, 8, [&](Range range, std::size_t) {
    Across lines(plan, back);
    for (std::size_t j = range.begin; j < range.end; ++j) lines.transform(modes + j * half, half, plan.n * half);
  });
}
void across_y(const FourierPlan& plan, Mode* modes, bool back) {
  const std::size_t half = plan.n / 2 + 1;
  parallel_for(plan.n, 8, [&](Range range, std::size_t) {
    Across lines(plan, back);
    for (std::size_t k = range.begin; k < range.end; ++k) lines.transform(modes + k * plan.n * half, half, half);
  });
}
/// Calls body(lines, first line, number of lines) until all lines along x are covered.
template <class Body>
void along_x(const FourierPlan& plan, const Body& body) {
  parallel_for(plan.n * plan.n, 8 * Along::lines, [&](Range range, std::size_t) {
    Along lines(plan);
    for (std::size_t line = range.begin; line < range.end; line += Along::lines)
      body(lines, line, std::min(Along::lines, range.end - line));
  });
}

}  // namespace

FourierPlan::FourierPlan(std::size_t values) : n(values) {
  for (std::size_t rest = values; rest > 1;) {
    std::size_t factor = rest % 4 == 0 ? 4 : 2;
    while (rest % factor != 0) ++factor;
    Pass pass{.factor = factor, .m = rest / factor, .twiddles = numbers.size()};
    for (std::size_t q = 0; q < pass.m; ++q)
      for (std::size_t t = 1; t < factor; ++t) numbers.push_back(unit_root(q * t, rest));
    pass.roots = numbers.size();
    for (std::size_t r = 0; r < factor; ++r) numbers.push_back(unit_root(r, factor));
    passes.push_back(pass);
    rest = pass.m;
  }
}

Fourier::Fourier(int n) : plan_(static_cast<std::size_t>(n)) {}

void Fourier::to_values(std::span<Mode> modes, std::span<float> values) const {
  across_z(plan_, modes.data(), true);
  across_y(plan_, modes.data(), true);
  along_x(plan_, [&](Along& lines, std::size_t line, std::size_t count) {
    lines.to_values(modes.data() + line * half(), values.data() + line * plan_.n, count);
  });
}

void Fourier::to_modes(std::span<const float> values, std::span<Mode> modes) const {
  along_x(plan_, [&](Along& lines, std::size_t line, std::size_t count) {
    lines.to_modes(values.data() + line * plan_.n, modes.data() + line * half(), count);
  });
  across_y(plan_, modes.data(), false);
  across_z(plan_, modes.data(), false);
}

}  // namespace vw
#endif
