#include "sim/field/noise_sum.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sim/base/random.h"

namespace vw {

Result<NoiseSum> make_noise_sum(const NoiseSumParams& params, const Node& self, std::uint64_t world_seed) {
  const auto wrong = [&](const char* key, const NumberList& found, std::string expected) {
    return wrong_value(self.line, key, fmt::format("{} numbers", found.size()), std::move(expected));
  };
  if (params.alpha.size() > most_octaves) return wrong("alpha", params.alpha, fmt::format("at most {}, one an octave", most_octaves));
  if (params.f == NoiseForm::curve && params.curve.size() < 2) return wrong("curve", params.curve, "two at least, where f = \"curve\"");
  NoiseSum sum;
  sum.shape = params.f == NoiseForm::curve ? NoiseShape::through(params.curve) : NoiseShape(params.f);
  sum.amplitude = params.alpha;
  if (sum.amplitude.empty())
    for (std::int64_t i = 0; i < params.octaves; ++i) sum.amplitude.push_back(std::pow(params.beta, -static_cast<double>(i) * params.slope));
  // Octaves are independent, so their variances add.
  double squares = 0;
  for (const double a : sum.amplitude) squares += a * a;
  for (double& a : sum.amplitude) a = squares > 0 ? a / std::sqrt(squares) : 0;
  const auto words = random_words({world_seed, stream_id(self.name)}, static_cast<std::uint64_t>(params.seed));
  sum.seed = static_cast<std::uint64_t>(words[0]) << 24;  // room for octaves
  return sum;
}

std::span<const NoiseOctave> octaves_at(std::span<const NoiseOctave> octaves, double time, double SliceGain::*level, OctavesNow& now) {
  for (std::size_t i = 0; i < octaves.size(); ++i) {
    now[i] = octaves[i];
    now[i].w = time * octaves[i].w;
    if (level != nullptr) now[i].level = slice_gain(now[i].w).*level;
  }
  return std::span(now).first(octaves.size());
}

AskedSpectrum asked_of_octaves(std::vector<NoiseOctave> octaves, NoiseSpectrum of) {
  AskedSpectrum asked;
  asked.lowest = 0.25 * 2 * pi * octaves.front().scale;
  asked.highest = 1.5 * 2 * pi * octaves.back().scale;
  asked.slope = std::numeric_limits<double>::quiet_NaN();
  asked.energy = [octaves = std::move(octaves), of](double k) {
    double sum = 0;
    for (const NoiseOctave& o : octaves) sum += o.gain * o.gain / o.scale * noise_energy(of, k / o.scale);
    return of == NoiseSpectrum::white ? white_noise_rms * white_noise_rms * sum : sum;
  };
  return asked;
}

}  // namespace vw
