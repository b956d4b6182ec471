// Real Fourier transforms of cubes: FFTW where it was built in, else Eigen's, line by line. Any thread; both give the same bits run to run on a
// machine, and each other's to a few roundings of the largest value.
#pragma once

#include <complex>
#include <memory>
#include <span>

namespace vw {

enum class FourierCode { fftw, eigen };
/// What Fourier takes unless told: FFTW if this build has it.
[[nodiscard]] FourierCode best_fourier();

/// Transforms of n^3 values, x fastest, and their half spectrum: wave numbers (i, j, k) with i = 0 .. n / 2 fastest; j and k count up to n, those
/// past n / 2 standing for j - n, k - n.
class Fourier {
 public:
  explicit Fourier(int n, FourierCode code = best_fourier());
  ~Fourier();
  Fourier(const Fourier&) = delete;
  Fourier& operator=(const Fourier&) = delete;

  [[nodiscard]] int nodes() const { return n_; }
  [[nodiscard]] std::size_t mode_count() const;
  [[nodiscard]] std::size_t value_count() const;

  /// values(x) = sum over all modes of modes(k) exp(i k x), whose other half are conjugates. `modes` are scratch afterwards.
  void to_values(std::span<std::complex<float>> modes, std::span<float> values) const;
  /// The modes of which to_values makes `values`: divided by n^3.
  void to_modes(std::span<const float> values, std::span<std::complex<float>> modes) const;

  struct Code;

 private:
  int n_;
  std::unique_ptr<Code> code_;
};

}  // namespace vw
