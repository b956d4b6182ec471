// Fourier transforms of cubes: single waves, round trips, and a comparison with the sums that define the transform.
#include "sim/field/spectral/fourier.h"

#include <cmath>
#include <complex>
#include <vector>

#include <gtest/gtest.h>

#include "sim/base/random.h"
#include "tests/field/spectral_case.h"
#include "tests/support/validation.h"

namespace vw {
namespace {

using Modes = std::vector<std::complex<float>>;

std::vector<float> noise(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(random_normal({3, 4}, i));
  return values;
}

/// Returns the root mean square of a - b, relative to the root mean square of `a`.
template <class T>
double relative(const std::vector<T>& a, const std::vector<T>& b) {
  double apart = 0, whole = 0;
  for (std::size_t i = 0; i < a.size(); ++i) apart += std::norm(a[i] - b[i]), whole += std::norm(a[i]);
  return std::sqrt(apart / whole);
}

/// Returns the modes of n^3 values by the definition of the discrete Fourier transform, summed in double along one axis
/// after the other.
Modes modes_by_definition(const std::vector<float>& values, std::size_t n) {
  using Complex = std::complex<double>;
  std::vector<Complex> whole(values.begin(), values.end());
  for (const std::size_t step : {std::size_t{1}, n, n * n}) {
    std::vector<Complex> next(whole.size());
    for (std::size_t at = 0; at < whole.size(); ++at) {
      const std::size_t wave = at / step % n, first = at - wave * step;
      for (std::size_t x = 0; x < n; ++x)
        next[at] +=
            whole[first + x * step] * std::polar(1 / static_cast<double>(n),
                                                 -2 * pi * static_cast<double>(wave * x % n) / static_cast<double>(n));
    }
    whole = std::move(next);
  }
  Modes half;
  for (std::size_t at = 0; at < whole.size(); ++at)
    if (at % n <= n / 2) half.emplace_back(whole[at]);
  return half;
}

TEST(Fourier, AModeIsItsWave) {
  for (const int n : {8, 9, 10, 12, 14}) {
    const Fourier fourier(n);
    Modes modes(fourier.mode_count());
    const auto side = static_cast<std::size_t>(n);
    modes[1 + (side / 2 + 1) * (2 + side * (side - 3))] = {0.5F, 0.25F};  // wave vector (1, 2, -3)
    std::vector<float> values(fourier.value_count());
    fourier.to_values(modes, values);
    double worst = 0;
    for (int z = 0, at = 0; z < n; ++z)
      for (int y = 0; y < n; ++y)
        for (int x = 0; x < n; ++x, ++at) {
          const double phase = 2 * pi * (x + 2 * y - 3 * z) / n;
          worst = std::max(worst, std::abs(static_cast<double>(values[static_cast<std::size_t>(at)]) -
                                           (std::cos(phase) - 0.5 * std::sin(phase))));
        }
    EXPECT_LT(worst, 1e-6) << n;
  }
}

TEST(Fourier, ThereAndBackIsWhatItWas) {
  for (const int n : {1, 2, 8, 9, 15, 22, 54, 64, 80}) {
    const Fourier fourier(n);
    const std::vector<float> values = noise(fourier.value_count());
    Modes modes(fourier.mode_count());
    std::vector<float> again(values.size());
    fourier.to_modes(values, modes);
    fourier.to_values(modes, again);
    EXPECT_LT(relative(values, again), 5e-7) << n;  // The error is that of several roundings of a float, 6e-8 each.
  }
}

TEST(Fourier, ModesAreThoseOfTheDefinition) {
  double worst = 0;
  for (const int n : {2, 3, 4, 5, 7, 8, 9, 16, 25, 30, 33}) {
    const Fourier fourier(n);
    const std::vector<float> values = noise(fourier.value_count());
    Modes modes(fourier.mode_count());
    fourier.to_modes(values, modes);
    worst = std::max(worst, relative(modes_by_definition(values, static_cast<std::size_t>(n)), modes));
  }
  test::record_case("field", "Fourier transform and its definition: rms difference over rms, n = 2 .. 33", worst, 0,
                    5e-7);
  EXPECT_LT(worst, 5e-7);
}

TEST(Fourier, SameBitsOnAnyThreadsAndInAnyMemory) {
  const test::ThreadsKept kept;
  const Fourier fourier(20);
  const std::vector<float> values = noise(fourier.value_count());
  Modes first(fourier.mode_count());
  fourier.to_modes(values, first);
  for (const int threads : {1, 2, 3}) {
    set_thread_count(threads);
    std::vector<float> shifted(values.size() + 1);
    std::copy(values.begin(), values.end(), shifted.begin() + 1);
    Modes modes(first.size() + 1);
    fourier.to_modes({shifted.data() + 1, values.size()}, {modes.data() + 1, first.size()});
    EXPECT_TRUE(std::equal(first.begin(), first.end(), modes.begin() + 1)) << threads;
  }
}

}  // namespace
}  // namespace vw
