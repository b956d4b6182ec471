#include "sim/field/noise/noise_sum.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sim/base/elementary/elementary.h"
#include "sim/base/random.h"

namespace vw {

Result<NoiseSum> make_noise_sum(const NoiseSumParams& params, const Node& self, std::uint64_t world_seed) {
  const auto wrong = [&](const char* key, const NumberList& found, std::string expected) {
    return wrong_value(self.line, key, fmt::format("{} numbers", found.size()), std::move(expected));
  };
  if (params.alpha.size() > most_octaves)
    return wrong("alpha", params.alpha, fmt::format("must contain at most {} numbers, one per octave", most_octaves));
  if (params.f == NoiseForm::curve && params.curve.size() < 2)
    return wrong("curve", params.curve, "must contain at least two numbers if f = \"curve\"");
  NoiseSum sum;
  sum.shape = params.f == NoiseForm::curve ? NoiseShape::through(params.curve) : NoiseShape(params.f);
  sum.amplitude = params.alpha;
  if (sum.amplitude.empty())
    for (std::int64_t i = 0; i < params.octaves; ++i)
      sum.amplitude.push_back(elementary::pow(params.beta, -static_cast<double>(i) * params.slope));
  double largest = 0, squares = 0;
  for (const double a : sum.amplitude) largest = std::max(largest, std::abs(a));
  if (!(largest > 0))
    return wrong_value(self.line, "alpha", fmt::format("{} numbers, all 0", params.alpha.size()),
                       "must contain at least one number that is not 0");
  // Octaves are independent, so the variance of their sum is the sum of their variances.
  for (double& a : sum.amplitude) a /= largest, squares += a * a;
  for (double& a : sum.amplitude) a /= std::sqrt(squares);
  const auto words = random_words({world_seed, stream_id(self.name)}, static_cast<std::uint64_t>(params.seed));
  sum.seed = static_cast<std::uint64_t>(words[0]) << 24;  // The low bits contain the number of the octave.
  return sum;
}

Result<ShapeMoments> moments_to_scale_by(const NoiseSumParams& params, const Node& self, const NoiseShape& shape,
                                         bool in_time, double ShapeMoments::*strength) {
  const ShapeMoments moments = shape_moments(shape, in_time);
  if (moments.*strength > 0) return moments;
  return wrong_value(self.line, "curve", fmt::format("{} numbers", params.curve.size()),
                     "must not be constant between n = -0.7 and n = 0.7, where nearly all values of the noise n lie");
}

std::span<const NoiseOctave> octaves_at(std::span<const NoiseOctave> octaves, double time, double SliceGain::*level,
                                        OctavesNow& now) {
  for (std::size_t i = 0; i < octaves.size(); ++i) {
    now[i] = octaves[i];
    now[i].w = time * octaves[i].w;
    if (level != nullptr) now[i].level = slice_gain(now[i].w).*level;
  }
  return std::span(now).first(octaves.size());
}

NominalSpectrum asked_of_octaves(std::vector<NoiseOctave> octaves, NoiseSpectrum of) {
  NominalSpectrum asked;
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
