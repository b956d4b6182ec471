// Real Fourier transforms of cubes, by FFTW if this build has it, otherwise by Eigen line by line. Any thread. Each
// implementation gives the same bits in every run on a machine. The two agree to a few roundings of the largest value.
#pragma once

#include <complex>
#include <memory>
#include <span>

namespace vw {

enum class FourierCode { fftw, eigen };
/// Default implementation: FFTW if this build has it.
[[nodiscard]] FourierCode best_fourier();

/// Transforms n^3 values, x fastest, to their half spectrum and back. The wave numbers are (i, j, k), with i = 0 .. n /
/// 2 fastest. j and k run from 0 to n - 1; values above n / 2 stand for j - n and k - n.
class Fourier {
 public:
  explicit Fourier(int n, FourierCode code = best_fourier());
  ~Fourier();
  Fourier(const Fourier&) = delete;
  Fourier& operator=(const Fourier&) = delete;

  [[nodiscard]] int nodes() const { return n_; }
  [[nodiscard]] std::size_t mode_count() const;
  [[nodiscard]] std::size_t value_count() const;

  /// values(x) = sum over all modes of modes(k) exp(i k x), including the conjugate half. Overwrites `modes`.
  void to_values(std::span<std::complex<float>> modes, std::span<float> values) const;
  /// Inverse of to_values(): the result is divided by n^3.
  void to_modes(std::span<const float> values, std::span<std::complex<float>> modes) const;

  struct Code;

 private:
  int n_;
  std::unique_ptr<Code> code_;
};

}  // namespace vw
