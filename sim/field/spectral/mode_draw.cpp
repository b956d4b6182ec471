#include "sim/field/spectral/mode_draw.h"

#include <algorithm>
#include <cmath>

#include "sim/base/elementary/elementary.h"

namespace vw {
namespace {

/// Kinds of random numbers of a mode.
enum class Lane : std::uint64_t { noise, order, rate };

std::uint64_t counter_of(const WaveIndex& wave) {
  const auto bits = [](std::int16_t v) { return std::uint64_t{static_cast<std::uint16_t>(v)}; };
  return bits(wave.i) | bits(wave.j) << 16 | bits(wave.k) << 32;
}
std::uint64_t lane_of(Lane lane, int term) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(term)) << 2 | static_cast<std::uint64_t>(lane);
}

/// Returns a complex normal number with mean square 1 (Box & Muller).
std::complex<double> complex_normal(std::uint32_t length, std::uint32_t turn) {
  const double radius = std::sqrt(-elementary::log((static_cast<double>(length) + 0.5) * 0x1p-32));
  const double angle = 2 * pi * 0x1p-32 * static_cast<double>(turn);
  return {radius * elementary::cos(angle), radius * elementary::sin(angle)};
}

/// Returns a complex number with the phase of `c` and the given energy.
std::complex<double> with_energy(std::complex<double> c, double energy) { return c * std::sqrt(energy / std::norm(c)); }

/// Returns the inverse of the cumulative normal distribution, computed by Halley's method. The start value is the
/// inverse of the logistic distribution.
double normal_quantile(double share) {
  double x = elementary::log(share / (1 - share)) / 1.702;
  for (int step = 0; step < 4; ++step) {
    const double density = elementary::exp(-x * x / 2) / std::sqrt(2 * pi);
    const double newton = (0.5 * elementary::erfc(-x / std::sqrt(2.0)) - share) / density;
    x -= newton / (1 + x * newton / 2);
  }
  return x;
}

}  // namespace

ModeNoise::ModeNoise(RandomKey key, const WaveIndex& wave, double jitter)
    : key_(key),
      counter_(counter_of(wave)),
      jitter_(jitter),
      e1_(wave.vector().unitOrthogonal()),
      e2_(wave.vector().normalized().cross(e1_)) {}

ModeVector ModeNoise::vector(int term) const {
  // White noise without its component along k consists of two independent complex normal numbers, one for each of the
  // circular polarisations (e1 +- i e2) / sqrt(2).
  const auto words = random_words(key_, counter_, lane_of(Lane::noise, term));
  std::complex<double> left = complex_normal(words[0], words[1]), right = complex_normal(words[2], words[3]);
  const double all = std::norm(left) + std::norm(right), weaker = std::min(std::norm(left), std::norm(right));
  const double weak = jitter_ * jitter_ * jitter_ * weaker, strong = 2 * (1 - jitter_) + jitter_ * all - weak;
  const bool left_leads = std::norm(left) >= std::norm(right);
  left = with_energy(left, left_leads ? strong : weak);
  right = with_energy(right, left_leads ? weak : strong);
  const std::complex<double> along1 = 0.5 * (left + right), half = 0.5 * (left - right),
                             along2(-half.imag(), half.real());
  return {along1 * e1_.x() + along2 * e2_.x(), along1 * e1_.y() + along2 * e2_.y(),
          along1 * e1_.z() + along2 * e2_.z()};
}

std::complex<double> ModeNoise::scalar(int term) const {
  const auto words = random_words(key_, counter_, lane_of(Lane::noise, term));
  const std::complex<double> c = complex_normal(words[0], words[1]);
  return with_energy(c, jitter_ * std::norm(c) + 1 - jitter_);
}

std::uint64_t draw_order(RandomKey key, const WaveIndex& wave) {
  const auto words = random_words(key, counter_of(wave), lane_of(Lane::order, 0));
  return std::uint64_t{words[0]} << 32 | words[1];
}

double draw_rate(RandomKey key, const WaveIndex& wave, std::size_t rank) {
  constexpr std::size_t parts = 16;
  const std::size_t first = random_words(key, rank / parts, ~std::uint64_t{0})[0];  // No mode uses this lane.
  const std::size_t part = (5 * rank + first) % parts;
  const double inside =
      (static_cast<double>(random_words(key, counter_of(wave), lane_of(Lane::rate, 0))[0]) + 0.5) * 0x1p-32;
  return normal_quantile((static_cast<double>(part) + inside) / parts);
}

}  // namespace vw
