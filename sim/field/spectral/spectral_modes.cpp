#include "sim/field/spectral/spectral_modes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <mutex>
#include <optional>

#include <fmt/format.h>

#include "sim/base/elementary/elementary.h"
#include "sim/base/generation_progress.h"
#include "sim/base/parallel/parallel.h"
#include "sim/field/field_cache.h"
#include "sim/field/spectral/fourier.h"
#include "sim/field/spectral/mode_draw.h"

namespace vw {
namespace {

/// Number of modes in a block. SIMD code computes the sums over frequencies for all modes of a block at once.
constexpr std::size_t lanes = 8;
/// Range of the frequencies of a mode, in standard deviations. Only 5e-4 of the energy lies beyond it.
constexpr double widths = 3.5;
constexpr std::size_t most_mode_bytes = std::size_t{512} << 20;
/// If the amplitudes consist of more floats than this number, their generation shows a progress bar, and the result is
/// stored on disk.
constexpr std::size_t dear = 4'000'000;

/// Returns a recipe in which unused parameters are set to 0, so that equal fields have equal cache keys.
SpectralRecipe plain(SpectralRecipe recipe) {
  if (recipe.time == SpectralTime::frozen) recipe.spread_mps = 0;
  if (recipe.time != SpectralTime::periodic) recipe.repeat_s = 0;
  if (recipe.spectrum.spectrum != SpectrumShape::power_law) recipe.spectrum.spectrum_slope = 0;
  if (recipe.spectrum.spectrum != SpectrumShape::table) recipe.spectrum.spectrum_table.clear();
  return recipe;
}

/// Returns the cache key: all parameters that determine the amplitudes. rms and compensation are left out, because they
/// are applied later.
std::string word_of(const SpectralRecipe& r) {
  std::string word =
      fmt::format("modes 1 {} {} {} {} {} {} {} {} {} {} {} {}", r.nodes, r.period_m, r.vector,
                  static_cast<int>(r.spectrum.spectrum), r.spectrum.spectrum_slope, r.spectrum.outer_scale_m,
                  r.spectrum.inner_scale_m, r.jitter, r.seed, static_cast<int>(r.time), r.spread_mps, r.repeat_s);
  for (const double number : r.spectrum.spectrum_table) word += fmt::format(" {}", number);
  return word;
}

Result<void> check(const SpectralRecipe& r) {
  const auto bad = [](const char* key, double found, const char* expected) {
    return wrong_value(0, key, fmt::format("{:g}", found), expected);
  };
  if (r.nodes < 4 || r.nodes > 512) return bad("nodes", r.nodes, "must lie in [4, 512]");
  if (!(r.period_m > 0 && std::isfinite(r.period_m))) return bad("period", r.period_m, "must be a length above 0 m");
  if (!(r.rms >= 0 && std::isfinite(r.rms))) return bad("rms", r.rms, "must not be negative");
  if (!(r.jitter >= 0 && r.jitter <= 1)) return bad("jitter", r.jitter, "must lie in [0, 1]");
  if (!(r.spread_mps >= 0 && std::isfinite(r.spread_mps))) return bad("spread", r.spread_mps, "must not be negative");
  if (r.time == SpectralTime::periodic && !(r.repeat_s > 0 && std::isfinite(r.repeat_s)))
    return bad("repeat", r.repeat_s, "must be a time above 0 s");
  return {};
}

/// Lists half of the modes that have energy, ordered by wave number. The other half are their conjugates. The listed
/// half has i > 0, or i = 0 and j > 0, or i = j = 0 and k > 0. Modes on a Nyquist plane are left out.
std::vector<WaveIndex> list_waves(const Spectrum& spectrum, double unit, int nodes, RandomKey key) {
  struct Entry {
    std::uint64_t order;
    WaveIndex wave;
  };
  std::vector<Entry> all;
  const int most = std::min((nodes - 1) / 2, static_cast<int>(spectrum.highest() / unit * (1 + 1e-9)));
  for (int i = 0; i <= most; ++i)
    for (int j = i > 0 ? -most : 0; j <= most; ++j)
      for (int k = i > 0 || j > 0 ? -most : 1; k <= most; ++k) {
        const WaveIndex wave{static_cast<std::int16_t>(i), static_cast<std::int16_t>(j), static_cast<std::int16_t>(k)};
        if (spectrum.energy(unit * std::sqrt(wave.square())) > 0) all.push_back({draw_order(key, wave), wave});
      }
  std::sort(all.begin(), all.end(), [](const Entry& a, const Entry& b) {
    return a.wave.square() != b.wave.square() ? a.wave.square() < b.wave.square() : a.order < b.order;
  });
  std::vector<WaveIndex> waves(all.size());
  std::transform(all.begin(), all.end(), waves.begin(), [](const Entry& entry) { return entry.wave; });
  return waves;
}

/// Returns the factor by which a mode is amplified to compensate its attenuation by interpolation.
double compensation_of(Compensation compensation, const WaveIndex& wave, int nodes) {
  double transfer = 1;
  for (const int i : {wave.i, wave.j, wave.k}) transfer *= (2 + elementary::cos(2 * pi * i / nodes)) / 3;
  // Two different quantities equal this product: the variance that remains after linear interpolation (averaged over a
  // cell), and the transfer function of sampled cubic B-splines.
  return compensation == Compensation::linear  ? 1 / std::sqrt(transfer)
         : compensation == Compensation::cubic ? 1 / transfer
                                               : 1;
}

/// Returns the index of the mode (i, j, k) in the half spectrum of the class Fourier.
std::size_t place_of(int i, int j, int k, int nodes) {
  const auto wrap = [nodes](int v) { return static_cast<std::size_t>(v < 0 ? v + nodes : v); };
  const auto n = static_cast<std::size_t>(nodes);
  return wrap(i) + (n / 2 + 1) * (wrap(j) + n * wrap(k));
}

/// Returns exp(2 pi i turns): cosine and sine of 2 pi `turns`, as a complex number.
std::complex<float> turned(double turns) {
  const double angle = 2 * pi * (turns - std::nearbyint(turns));
  return {static_cast<float>(elementary::cos(angle)), static_cast<float>(elementary::sin(angle))};
}

/// Returns the fractions of a mode's energy at the frequencies w = 2 pi term / repeat, from term 0 up: exp(-w^2 / 2 s^2
/// k^2), normalised so that the fractions of all terms, positive and negative, sum to 1. `width` is the standard
/// deviation s k of the frequencies, in units of 2 pi / repeat.
std::vector<double> shares_of(double width) {
  std::vector<double> shares{1};
  double sum = 1;
  for (int term = 1; term <= std::floor(widths * width); ++term) {
    shares.push_back(elementary::exp(-0.5 * term * term / (width * width)));
    sum += 2 * shares.back();
  }
  for (double& share : shares) share /= sum;
  return shares;
}

class Modes final : public SpectralModes {
 public:
  Modes(const SpectralRecipe& recipe, const Spectrum& spectrum)
      : recipe_(recipe),
        spectrum_(spectrum),
        unit_(2 * pi / recipe.period_m),
        key_{recipe.seed, stream_id("spectral modes")},
        rows_(recipe.vector ? 3 : 1),
        waves_(list_waves(spectrum, unit_, recipe.nodes, key_)),
        fourier_(recipe.nodes) {}

  /// Computes the amplitudes, or loads them from the cache. Must be called once, before any other function.
  Result<void> generate();

  void values_at(double time, GridValues& out) const override;
  [[nodiscard]] NominalSpectrum asked_spectrum() const override;
  [[nodiscard]] std::size_t count() const override { return waves_.size(); }
  [[nodiscard]] const SpectralRecipe& recipe() const override { return recipe_; }

 private:
  using Rows = std::array<std::vector<std::complex<float>>, 3>;
  template <int C>
  using Sums = std::array<std::array<std::array<float, lanes>, 2>, C>;  ///< Indices: [component][re, im][lane].

  /// Block of `lanes` modes of similar wave number. For each frequency from -terms to terms, it contains one Sums of
  /// amplitudes.
  struct Block {
    std::size_t first = 0;  ///< Index of the block in amplitude_.
    int terms = 0;
  };

  [[nodiscard]] double wave_number(const WaveIndex& wave) const { return unit_ * std::sqrt(wave.square()); }
  /// Returns the standard deviation of a mode's frequencies, in units of 2 pi / repeat, or 0 if it has only one
  /// frequency.
  [[nodiscard]] double width_of(const WaveIndex& wave) const;
  /// Returns the mean square of the amplitude of a mode, before all modes are scaled.
  [[nodiscard]] double energy_of(const WaveIndex& wave) const;

  Result<void> lay_out();
  [[nodiscard]] bool draw_all();
  void draw_mode(std::size_t mode, float* amplitude, int terms) const;
  void finish();

  [[nodiscard]] std::unique_ptr<Rows> borrow_rows() const;
  template <int C>
  void add_block(std::size_t block, double time, std::span<const std::complex<float>> turns, Rows& rows) const;

  SpectralRecipe recipe_;
  Spectrum spectrum_;
  double unit_;  ///< Lowest wave number [rad/m].
  RandomKey key_;
  std::size_t rows_;  ///< Number of components.
  std::vector<WaveIndex> waves_;
  std::vector<Block> blocks_;
  std::vector<float> amplitude_;
  std::vector<float> factor_;  ///< Factor of each mode, from rms and compensation.
  std::vector<double> rate_;   ///< Rate of each rotating mode [turns/s].
  int most_terms_ = 0;
  Fourier fourier_;

  mutable std::mutex spare_mutex_;
  mutable std::vector<std::unique_ptr<Rows>> spare_;  ///< Half-spectrum buffers of finished calls, for reuse.
};

double Modes::width_of(const WaveIndex& wave) const {
  return recipe_.time == SpectralTime::periodic ? recipe_.spread_mps * wave_number(wave) * recipe_.repeat_s / (2 * pi)
                                                : 0;
}

double Modes::energy_of(const WaveIndex& wave) const { return spectrum_.energy(wave_number(wave)) / wave.square(); }

Result<void> Modes::generate() {
  if (waves_.empty())
    return fail(
        fmt::format("no mode of a cube of {:g} m has energy; the spectrum covers wavelengths from {:g} to {:g} m",
                    recipe_.period_m, 2 * pi / spectrum_.highest(), 2 * pi / spectrum_.lowest()));
  if (auto laid = lay_out(); !laid) return laid;
  const FieldCache cache(amplitude_.size() > dear ? field_cache_folder() : "");
  const std::string word = word_of(recipe_);
  if (auto kept = cache.find(word, amplitude_.size())) {
    amplitude_ = std::move(*kept);
  } else {
    if (!draw_all()) return fail("the generation of a spectral field was cancelled");
    cache.keep(word, amplitude_);
  }
  finish();
  return {};
}

Result<void> Modes::lay_out() {
  double floats = 0;
  for (std::size_t mode = 0; mode < waves_.size(); mode += lanes) {
    // The last mode of a block has the highest wave number, and thus the most frequencies.
    const double terms = std::floor(widths * width_of(waves_[std::min(mode + lanes, waves_.size()) - 1]));
    const double first = floats;
    floats += (2 * terms + 1) * static_cast<double>(rows_ * 2 * lanes);
    if (floats * sizeof(float) > static_cast<double>(most_mode_bytes))
      return fail(fmt::format(
          "{} modes with up to {:g} frequencies each need more than {} MiB; use {}fewer nodes or a larger inner scale",
          waves_.size(), 2 * std::floor(widths * width_of(waves_.back())) + 1, most_mode_bytes >> 20,
          recipe_.time == SpectralTime::periodic ? "a shorter repeat time, " : ""));
    blocks_.push_back({static_cast<std::size_t>(first), static_cast<int>(terms)});
    most_terms_ = static_cast<int>(terms);
  }
  amplitude_.resize(static_cast<std::size_t>(floats));
  return {};
}

bool Modes::draw_all() {
  std::optional<GenerationProgress> progress;
  if (amplitude_.size() > dear) progress.emplace(fmt::format("spectral field {0} x {0} x {0}", recipe_.nodes));
  parallel_for(blocks_.size(), 16, [&](Range range, std::size_t) {
    if (progress && progress->cancelled()) return;
    for (std::size_t b = range.begin; b < range.end; ++b)
      for (std::size_t mode = b * lanes; mode < std::min((b + 1) * lanes, waves_.size()); ++mode)
        draw_mode(mode, amplitude_.data() + blocks_[b].first + mode % lanes, blocks_[b].terms);
    if (progress) progress->add(static_cast<double>(range.size()) / static_cast<double>(blocks_.size()));
  });
  return !progress || !progress->cancelled();
}

/// Draws the amplitudes of a mode and writes them to `amplitude`, `lanes` floats apart.
void Modes::draw_mode(std::size_t mode, float* amplitude, int terms) const {
  const WaveIndex& wave = waves_[mode];
  const ModeNoise noise(key_, wave, recipe_.jitter);
  const std::vector<double> shares = shares_of(width_of(wave));
  const int own = static_cast<int>(shares.size()) - 1;
  const double energy = energy_of(wave);
  for (int term = -own; term <= own; ++term) {
    const double gain = std::sqrt(energy * shares[static_cast<std::size_t>(std::abs(term))]);
    ModeVector drawn;
    if (rows_ == 3)
      drawn = noise.vector(term);
    else
      drawn[0] = noise.scalar(term);
    float* out = amplitude + static_cast<std::size_t>(term + terms) * rows_ * 2 * lanes;
    for (std::size_t c = 0; c < rows_; ++c, out += 2 * lanes) {
      out[0] = static_cast<float>(gain * drawn[c].real());
      out[lanes] = static_cast<float>(gain * drawn[c].imag());
    }
  }
}

/// Scales all modes to the required rms (Parseval's theorem). A stored mode is also counted for its conjugate.
void Modes::finish() {
  const double sum = ordered_sum(amplitude_.size(), 1 << 16, 0.0, [&](Range range) {
    double part = 0;
    for (std::size_t i = range.begin; i < range.end; ++i)
      part += static_cast<double>(amplitude_[i]) * static_cast<double>(amplitude_[i]);
    return part;
  });
  const double gain = recipe_.rms * std::sqrt(static_cast<double>(rows_) / (2 * sum));
  factor_.resize(waves_.size());
  if (recipe_.time == SpectralTime::rotating) rate_.resize(waves_.size());
  parallel_for(waves_.size(), 1024, [&](Range range, std::size_t) {
    for (std::size_t mode = range.begin; mode < range.end; ++mode) {
      factor_[mode] = static_cast<float>(gain * compensation_of(recipe_.compensation, waves_[mode], recipe_.nodes));
      if (!rate_.empty())
        rate_[mode] = draw_rate(key_, waves_[mode], mode) * recipe_.spread_mps * wave_number(waves_[mode]) / (2 * pi);
    }
  });
}

NominalSpectrum Modes::asked_spectrum() const {
  // The mean square of a mode, vector or scalar, is 2 E(k) / (4 pi k^2) (2 pi / L)^3 with the period L. The sum over
  // all modes is rms^2 per component.
  const double sum = ordered_sum(waves_.size(), 1 << 14, 0.0, [&](Range range) {
    double part = 0;
    for (std::size_t mode = range.begin; mode < range.end; ++mode) part += energy_of(waves_[mode]);
    return part;
  });
  const double mean_square = recipe_.rms * recipe_.rms * static_cast<double>(rows_);
  // The equation is solved for the factor of E, with energy_of() = E(k) / (k / unit_)^2. A stored mode is also counted
  // for its conjugate, hence 2 * sum.
  const double scale = mean_square / (2 * sum) * 2 * pi / unit_;
  return {.energy = [scale, spectrum = spectrum_](double k) { return scale * spectrum.energy(k); },
          .lowest = spectrum_.lowest(),
          .highest = spectrum_.highest(),
          .slope = spectrum_.slope(),
          .period_m = recipe_.period_m,
          .nodes = recipe_.nodes};
}

std::unique_ptr<Modes::Rows> Modes::borrow_rows() const {
  {
    const std::scoped_lock lock(spare_mutex_);
    if (!spare_.empty()) {
      auto rows = std::move(spare_.back());
      spare_.pop_back();
      return rows;
    }
  }
  auto rows = std::make_unique<Rows>();
  for (std::size_t c = 0; c < rows_; ++c) (*rows)[c].resize(fourier_.mode_count());
  return rows;
}

template <int C>
void Modes::add_block(std::size_t block, double time, std::span<const std::complex<float>> turns, Rows& rows) const {
  Sums<C> sum{};
  const int terms = blocks_[block].terms;
  const float* amplitude = amplitude_.data() + blocks_[block].first;
  for (int term = -terms; term <= terms; ++term) {
    const std::complex<float> turn = turns[static_cast<std::size_t>(term + most_terms_)];
    for (std::size_t c = 0; c < std::size_t{C}; ++c, amplitude += 2 * lanes)
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        sum[c][0][lane] += amplitude[lane] * turn.real() - amplitude[lanes + lane] * turn.imag();
        sum[c][1][lane] += amplitude[lane] * turn.imag() + amplitude[lanes + lane] * turn.real();
      }
  }
  for (std::size_t lane = 0; lane < lanes && block * lanes + lane < waves_.size(); ++lane) {
    const std::size_t mode = block * lanes + lane;
    const WaveIndex& wave = waves_[mode];
    const std::complex<float> turn =
        factor_[mode] * (rate_.empty() ? std::complex<float>(1) : turned(rate_[mode] * time));
    const std::size_t place = place_of(wave.i, wave.j, wave.k, recipe_.nodes);
    for (std::size_t c = 0; c < std::size_t{C}; ++c) {
      const float re = sum[c][0][lane] * turn.real() - sum[c][1][lane] * turn.imag(),
                  im = sum[c][0][lane] * turn.imag() + sum[c][1][lane] * turn.real();
      rows[c][place] = {re, im};
      if (wave.i == 0) rows[c][place_of(0, -wave.j, -wave.k, recipe_.nodes)] = {re, -im};
    }
  }
}

void Modes::values_at(double time, GridValues& out) const {
  if (!std::isfinite(time)) time = 0;
  std::vector<std::complex<float>> turns(static_cast<std::size_t>(2 * most_terms_ + 1));
  for (int term = -most_terms_; term <= most_terms_; ++term)
    turns[static_cast<std::size_t>(term + most_terms_)] =
        most_terms_ == 0 ? 1 : turned(term * std::remainder(time / recipe_.repeat_s, 1.0));
  std::unique_ptr<Rows> rows = borrow_rows();
  for (std::size_t c = 0; c < rows_; ++c)
    parallel_for((*rows)[c].size(), 1 << 15, [&](Range range, std::size_t) {
      std::fill_n((*rows)[c].begin() + static_cast<std::ptrdiff_t>(range.begin), range.size(), 0);
    });
  parallel_for(blocks_.size(), 64, [&](Range range, std::size_t) {
    for (std::size_t block = range.begin; block < range.end; ++block) {
      if (rows_ == 3)
        add_block<3>(block, time, turns, *rows);
      else
        add_block<1>(block, time, turns, *rows);
    }
  });
  out.n = recipe_.nodes;
  out.period_m = recipe_.period_m;
  const std::array<std::vector<float>*, 3> to{&out.x, &out.y, &out.z};
  for (std::size_t c = 0; c < 3; ++c) to[c]->resize(c < rows_ ? fourier_.value_count() : 0);
  parallel_for(rows_, 1, [&](Range range, std::size_t) {
    for (std::size_t c = range.begin; c < range.end; ++c) fourier_.to_values((*rows)[c], *to[c]);
  });
  // A frozen field is evaluated only once, so its buffers need not be kept.
  if (recipe_.time == SpectralTime::frozen) return;
  const std::scoped_lock lock(spare_mutex_);
  spare_.push_back(std::move(rows));
}

/// The modes that exist in this process, by the keys of their recipes.
struct ModesInUse {
  std::mutex mutex;
  std::map<std::string, std::weak_ptr<const SpectralModes>> modes;
};
ModesInUse& modes_in_use() {
  static ModesInUse all;
  return all;
}

}  // namespace

Result<std::shared_ptr<const SpectralModes>> SpectralModes::make(const SpectralRecipe& asked) {
  if (auto checked = check(asked); !checked) return Unexpected(checked.error());
  const SpectralRecipe recipe = plain(asked);
  const std::string word = fmt::format("{} {} {}", word_of(recipe), recipe.rms, static_cast<int>(recipe.compensation));
  {
    const std::scoped_lock lock(modes_in_use().mutex);
    if (auto same = modes_in_use().modes[word].lock()) return same;
  }
  const auto spectrum = Spectrum::make(recipe.spectrum, recipe.period_m, recipe.nodes);
  if (!spectrum) return Unexpected(spectrum.error());
  // The lock must not be held here: the parallel loops of the generation may execute another task that needs a field.
  // In the worst case, the same modes are computed twice.
  auto made = std::make_shared<Modes>(recipe, *spectrum);
  if (auto generated = made->generate(); !generated) return Unexpected(generated.error());
  const std::scoped_lock lock(modes_in_use().mutex);
  std::erase_if(modes_in_use().modes, [](const auto& entry) { return entry.second.expired(); });
  auto& entry = modes_in_use().modes[word];
  if (auto same = entry.lock()) return same;
  entry = made;
  return made;
}

}  // namespace vw
