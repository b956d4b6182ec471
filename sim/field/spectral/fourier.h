// Real Fourier transforms of cubes. They use FFTW if the build includes it, otherwise Eigen line by line. Any thread
// may call them. On a given machine, each implementation gives the same bits in every run. The results of the two
// implementations differ by a few rounding errors of the largest value.
#pragma once

#include <complex>
#include <memory>
#include <span>

namespace vw {

enum class FourierCode { fftw, eigen };
/// Default implementation: FFTW if the build includes it, otherwise Eigen.
[[nodiscard]] FourierCode best_fourier();

/// Transforms n^3 values, x fastest, to their half spectrum and back. The wave numbers are (i, j, k), where i = 0 .. n
/// / 2 is the fastest index. j and k run from 0 to n - 1, and values above n / 2 denote j - n and k - n.
class Fourier {
 public:
  explicit Fourier(int n, FourierCode code = best_fourier());
  ~Fourier();
  Fourier(const Fourier&) = delete;
  Fourier& operator=(const Fourier&) = delete;

  [[nodiscard]] int nodes() const { return n_; }
  [[nodiscard]] std::size_t mode_count() const;
  [[nodiscard]] std::size_t value_count() const;

  /// Computes values(x) = sum of modes(k) exp(i k x) over all modes, including the conjugate half. Overwrites `modes`.
  void to_values(std::span<std::complex<float>> modes, std::span<float> values) const;
  /// Computes the modes of `values`, divided by n^3. This is the inverse of to_values().
  void to_modes(std::span<const float> values, std::span<std::complex<float>> modes) const;

  struct Code;

 private:
  int n_;
  std::unique_ptr<Code> code_;
};

}  // namespace vw
