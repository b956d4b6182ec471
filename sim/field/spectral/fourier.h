// Real Fourier transforms of cubes. The results have the same bits on any processor and for any number of threads. Any
// thread may run transforms.
#pragma once

#include <array>
#include <complex>
#include <span>
#include <vector>

namespace vw {

/// Plan of complex transforms of n values: the factors of n and the twiddle factors.
struct FourierPlan {
  /// One pass over the values. It splits each transform of `factor` * m values into `factor` transforms of m values.
  struct Pass {
    std::size_t factor = 1, m = 1;
    /// Index in `numbers` of the twiddle factors exp(2 pi i q t / (factor m)), beginning with q = 0 and t = 1. t varies
    /// fastest.
    std::size_t twiddles = 0;
    std::size_t roots = 0;  ///< Index in `numbers` of the roots exp(2 pi i r / factor), from r = 0.
  };
  explicit FourierPlan(std::size_t values);
  std::size_t n;
  std::vector<Pass> passes;
  std::vector<std::array<float, 2>> numbers;  ///< Twiddle factors and roots of all passes: real and imaginary part.
};

/// Transforms n^3 real values, x fastest, to their half spectrum and back. A mode has the wave numbers (i, j, k). i is
/// the fastest index and runs from 0 to n / 2. j and k run from 0 to n - 1, where values above n / 2 stand for j - n
/// and k - n. n may be any number. Transforms are fast if n has only the prime factors 2, 3 and 5.
class Fourier {
 public:
  explicit Fourier(int n);

  [[nodiscard]] int nodes() const { return static_cast<int>(plan_.n); }
  [[nodiscard]] std::size_t mode_count() const { return plan_.n * plan_.n * half(); }
  [[nodiscard]] std::size_t value_count() const { return plan_.n * plan_.n * plan_.n; }

  /// Computes values(x) = sum over k of modes(k) exp(i k x), including the conjugate half. Overwrites `modes`.
  void to_values(std::span<std::complex<float>> modes, std::span<float> values) const;
  /// Computes the modes of `values`, divided by n^3, so that to_values() returns the original values.
  void to_modes(std::span<const float> values, std::span<std::complex<float>> modes) const;

 private:
  [[nodiscard]] std::size_t half() const { return plan_.n / 2 + 1; }
  FourierPlan plan_;
};

}  // namespace vw
