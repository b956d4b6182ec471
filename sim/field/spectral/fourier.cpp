#include "sim/field/spectral/fourier.h"

#include <algorithm>
#include <mutex>
#include <vector>

#include <unsupported/Eigen/FFT>

#include "sim/base/parallel/parallel.h"

#ifdef VOXWAKE_FFTW
#include <fftw3.h>
#endif

namespace vw {

using Mode = std::complex<float>;

struct Fourier::Code {
  virtual ~Code() = default;
  virtual void to_values(std::span<Mode> modes, std::span<float> values) const = 0;
  virtual void to_modes(std::span<const float> values, std::span<Mode> modes) const = 0;
};

namespace {

std::size_t size(int n) { return static_cast<std::size_t>(n); }

#ifdef VOXWAKE_FFTW

/// Mutex of FFTW's planner, which is global and not thread-safe.
std::mutex& planner() {
  static std::mutex mutex;
  return mutex;
}

/// Transforms by FFTW. FFTW_ESTIMATE plans do not depend on timings, so every run uses the same transform and gives the
/// same bits.
class FftwCode final : public Fourier::Code {
 public:
  explicit FftwCode(int n) {
    const Aligned<float> values(size(n) * size(n) * size(n));
    const Aligned<Mode> modes(size(n) * size(n) * (size(n) / 2 + 1));
    const std::scoped_lock lock(planner());
    const auto half = reinterpret_cast<fftwf_complex*>(modes.data);
    back_ = fftwf_plan_dft_c2r_3d(n, n, n, half, values.data, FFTW_ESTIMATE | FFTW_DESTROY_INPUT);
    forth_ = fftwf_plan_dft_r2c_3d(n, n, n, values.data, half, FFTW_ESTIMATE);
  }
  ~FftwCode() override {
    const std::scoped_lock lock(planner());
    fftwf_destroy_plan(back_);
    fftwf_destroy_plan(forth_);
  }

  void to_values(std::span<Mode> modes, std::span<float> values) const override {
    const Borrowed<Mode> from(modes, true);
    const Borrowed<float> to(values, false);
    fftwf_execute_dft_c2r(back_, reinterpret_cast<fftwf_complex*>(from.data()), to.data());
    to.give_back(values);
  }
  void to_modes(std::span<const float> values, std::span<Mode> modes) const override {
    // A multi-dimensional out-of-place plan does not change its input.
    const Borrowed<float> from({const_cast<float*>(values.data()), values.size()}, true);
    const Borrowed<Mode> to(modes, false);
    fftwf_execute_dft_r2c(forth_, from.data(), reinterpret_cast<fftwf_complex*>(to.data()));
    to.give_back(modes);
    const float share = 1 / static_cast<float>(values.size());
    for (Mode& mode : modes) mode *= share;
  }

 private:
  template <class T>
  struct Aligned {
    explicit Aligned(std::size_t count) : data(static_cast<T*>(fftwf_malloc(count * sizeof(T)))) {}
    ~Aligned() { fftwf_free(data); }
    Aligned(const Aligned&) = delete;
    Aligned& operator=(const Aligned&) = delete;
    T* data;
  };
  /// Memory with the alignment that the plans require. The caller's memory is used if it is aligned, which is usual.
  /// Otherwise a copy is used.
  template <class T>
  class Borrowed {
   public:
    Borrowed(std::span<T> memory, bool read) : memory_(memory) {
      if (fftwf_alignment_of(reinterpret_cast<float*>(memory.data())) == 0) return;
      copy_ = std::make_unique<Aligned<T>>(memory.size());
      if (read) std::copy(memory.begin(), memory.end(), copy_->data);
    }
    [[nodiscard]] T* data() const { return copy_ ? copy_->data : memory_.data(); }
    void give_back(std::span<T> memory) const {
      if (copy_) std::copy_n(copy_->data, memory.size(), memory.data());
    }

   private:
    std::span<T> memory_;
    std::unique_ptr<Aligned<T>> copy_;
  };

  fftwf_plan back_ = nullptr, forth_ = nullptr;
};

#endif

/// One-dimensional transforms by Eigen. They are in double, because Eigen's twiddle factors in float would cost two
/// digits.
class EigenLines {
 public:
  explicit EigenLines(std::size_t n) : fft_(Eigen::default_fft_impl<double>(), flags), real_(n), from_(n), to_(n) {}

  /// Transforms a complex line in place. Lines of zeros are skipped. Most lines are zero if the modes lie within a ball
  /// whose radius is a quarter of the number of nodes.
  void turn(std::span<Mode> line, bool back) {
    if (is_zero(line)) return;
    std::copy(line.begin(), line.end(), from_.begin());
    if (back)
      fft_.inv(to_.data(), from_.data(), count());
    else
      fft_.fwd(to_.data(), from_.data(), count());
    std::transform(to_.begin(), to_.end(), line.begin(), [](const std::complex<double>& c) { return Mode(c); });
  }
  void to_values(std::span<const Mode> half, std::span<float> line) {
    if (is_zero(half)) return std::fill(line.begin(), line.end(), 0.0F);
    std::copy(half.begin(), half.end(), from_.begin());
    fft_.inv(real_.data(), from_.data(), count());
    std::transform(real_.begin(), real_.end(), line.begin(), [](double v) { return static_cast<float>(v); });
  }
  void to_modes(std::span<const float> line, double gain, std::span<Mode> half) {
    std::transform(line.begin(), line.end(), real_.begin(), [gain](float v) { return gain * static_cast<double>(v); });
    fft_.fwd(to_.data(), real_.data(), count());
    std::transform(to_.begin(), to_.begin() + static_cast<std::ptrdiff_t>(half.size()), half.begin(),
                   [](const std::complex<double>& c) { return Mode(c); });
  }

 private:
  static constexpr auto flags =
      static_cast<Eigen::FFT<double>::Flag>(Eigen::FFT<double>::Unscaled | Eigen::FFT<double>::HalfSpectrum);
  static bool is_zero(std::span<const Mode> line) {
    return std::all_of(line.begin(), line.end(), [](const Mode& c) { return c == Mode(); });
  }
  [[nodiscard]] Eigen::Index count() const { return static_cast<Eigen::Index>(real_.size()); }

  Eigen::FFT<double> fft_;
  std::vector<double> real_;
  std::vector<std::complex<double>> from_, to_;
};

/// Three-dimensional transforms by Eigen, one direction after the other. Within a slab, lines are transposed so that
/// each is contiguous.
class EigenCode final : public Fourier::Code {
 public:
  explicit EigenCode(int n) : n_(size(n)), half_(n_ / 2 + 1) {}

  void to_values(std::span<Mode> modes, std::span<float> values) const override {
    across(modes, half_, n_ * half_, true);
    across(modes, n_ * half_, half_, true);
    along([&](EigenLines& lines, std::size_t line) {
      lines.to_values(modes.subspan(line * half_, half_), values.subspan(line * n_, n_));
    });
  }
  void to_modes(std::span<const float> values, std::span<Mode> modes) const override {
    const double gain = 1 / static_cast<double>(n_ * n_ * n_);
    along([&](EigenLines& lines, std::size_t line) {
      lines.to_modes(values.subspan(line * n_, n_), gain, modes.subspan(line * half_, half_));
    });
    across(modes, n_ * half_, half_, false);
    across(modes, half_, n_ * half_, false);
  }

 private:
  template <class Body>
  void along(const Body& body) const {
    parallel_for(n_ * n_, 8 * n_, [&](Range range, std::size_t) {
      EigenLines lines(n_);
      for (std::size_t line = range.begin; line < range.end; ++line) body(lines, line);
    });
  }
  /// Transforms lines whose elements are `step` apart. The slabs that contain these lines begin `stride` apart.
  void across(std::span<Mode> modes, std::size_t stride, std::size_t step, bool back) const {
    parallel_for(n_, 8, [&](Range range, std::size_t) {
      EigenLines lines(n_);
      std::vector<Mode> slab(n_ * half_);
      for (std::size_t s = range.begin; s < range.end; ++s) {
        Mode* const first = modes.data() + s * stride;
        for (std::size_t j = 0; j < n_; ++j)
          for (std::size_t i = 0; i < half_; ++i) slab[i * n_ + j] = first[j * step + i];
        for (std::size_t i = 0; i < half_; ++i) lines.turn({slab.data() + i * n_, n_}, back);
        for (std::size_t j = 0; j < n_; ++j)
          for (std::size_t i = 0; i < half_; ++i) first[j * step + i] = slab[i * n_ + j];
      }
    });
  }

  std::size_t n_, half_;
};

std::unique_ptr<Fourier::Code> make_code(int n, FourierCode code) {
#ifdef VOXWAKE_FFTW
  if (code == FourierCode::fftw) return std::make_unique<FftwCode>(n);
#endif
  (void)code;
  return std::make_unique<EigenCode>(n);
}

}  // namespace

FourierCode best_fourier() {
#ifdef VOXWAKE_FFTW
  return FourierCode::fftw;
#else
  return FourierCode::eigen;
#endif
}

Fourier::Fourier(int n, FourierCode code) : n_(n), code_(make_code(n, code)) {}
Fourier::~Fourier() = default;
std::size_t Fourier::value_count() const { return size(n_) * size(n_) * size(n_); }
std::size_t Fourier::mode_count() const { return size(n_) * size(n_) * (size(n_) / 2 + 1); }
void Fourier::to_values(std::span<Mode> modes, std::span<float> values) const { code_->to_values(modes, values); }
void Fourier::to_modes(std::span<const float> values, std::span<Mode> modes) const { code_->to_modes(values, modes); }

}  // namespace vw
