// Parameters that all sums of noise octaves have, and values computed from them.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "sim/field/field.h"
#include "sim/field/noise/noise.h"
#include "sim/field/noise/perlin_spectrum.h"
#include "sim/field/noise/turbulence_lanes.h"

namespace vw {

struct NoiseSumParams : FieldParams {
  std::int64_t octaves = 3;
  double beta = 2;
  double slope = 0.833;
  NumberList alpha;
  NoiseForm f = NoiseForm::identity;
  NumberList curve;
  std::int64_t seed = 1;
};

inline constexpr std::size_t most_octaves = 12;

/// The functions from here to noise_seed() return the table rows of these parameters.
[[nodiscard]] inline Param<NoiseSumParams> noise_octaves() {
  return Param<NoiseSumParams>{
      .member = &NoiseSumParams::octaves,
      .key = "octaves",
      .unit = Unit::count,
      .range = {1, most_octaves},
      .live = Live::yes,
      .doc =
          "Number of octaves that are added. Each octave is noise with finer structures than the octave before. It "
          "has no effect if `alpha` is not empty."};
}
[[nodiscard]] inline Param<NoiseSumParams> noise_beta() {
  return Param<NoiseSumParams>{.member = &NoiseSumParams::beta,
                               .key = "beta",
                               .label = "Octave ratio",
                               .unit = Unit::ratio,
                               .range = {1.1, 8},
                               .live = Live::yes,
                               .doc =
                                   "Ratio of the spatial frequencies of successive octaves. The value 2 halves the "
                                   "size of the structures from octave to octave."};
}
[[nodiscard]] inline Param<NoiseSumParams> noise_slope(std::string doc) {
  return Param<NoiseSumParams>{.member = &NoiseSumParams::slope,
                               .key = "slope",
                               .unit = Unit::ratio,
                               .range = {0, 8},
                               .live = Live::yes,
                               .doc = std::move(doc)};
}
[[nodiscard]] inline Param<NoiseSumParams> noise_alpha() {
  return Param<NoiseSumParams>{
      .member = &NoiseSumParams::alpha,
      .key = "alpha",
      .label = "Octave amplitudes",
      .unit = Unit::ratio,
      .range = {-1e6, 1e6},
      .live = Live::yes,
      .doc =
          "Amplitude of each octave, coarsest first. Only the ratios of the amplitudes matter. The length of the "
          "list is the number of octaves. Empty means that `octaves` and `slope` determine the amplitudes."};
}
[[nodiscard]] inline Param<NoiseSumParams> noise_f() {
  return Param<NoiseSumParams>{
      .member = &NoiseSumParams::f,
      .key = "f",
      .label = "Octave function",
      .live = Live::yes,
      .choices = {"identity", "absolute", "ridge", "curve"},
      .doc =
          "Function that is applied to the noise n of each octave before the sum. n lies between -1 and 1. identity: "
          "n. absolute: |n|. ridge: (1 - |n|)^2. curve: the function that the parameter `curve` describes."};
}
[[nodiscard]] inline Param<NoiseSumParams> noise_curve() {
  return Param<NoiseSumParams>{
      .member = &NoiseSumParams::curve,
      .key = "curve",
      .unit = Unit::ratio,
      .range = {-1e6, 1e6},
      .live = Live::yes,
      .doc =
          "Values of the function f at equal distances from n = -1 to n = 1, where n is the noise of an octave. At "
          "least two values are needed, and a smooth curve joins them. The list is used only if f = \"curve\"."};
}
[[nodiscard]] inline Param<NoiseSumParams> noise_seed() {
  return Param<NoiseSumParams>{
      .member = &NoiseSumParams::seed,
      .key = "seed",
      .range = {0, 1e15},
      .live = Live::yes,
      .doc = "Seed of the noise. A different value gives a different pattern, and so does a different `world.seed`."};
}

/// Shape function f, and the amplitudes of the octaves, normalised so that their squares sum to 1.
struct NoiseSum {
  NoiseShape shape;
  std::vector<double> amplitude;
  std::uint64_t seed = 0;  ///< Seed of the first octave. The following octaves use the next integers.
};
/// Computes the noise sum of the parameters. An error names the parameter of `self` that is invalid.
[[nodiscard]] Result<NoiseSum> make_noise_sum(const NoiseSumParams& params, const Node& self, std::uint64_t world_seed);

/// Returns the moments of f(n), where n is the noise of one octave and f is `shape`. `strength` selects the moment by
/// which the caller will divide the field. Returns an error if a user's curve makes this moment 0.
[[nodiscard]] Result<ShapeMoments> moments_to_scale_by(const NoiseSumParams& params, const Node& self,
                                                       const NoiseShape& shape, bool in_time,
                                                       double ShapeMoments::*strength);

using OctavesNow = std::array<NoiseOctave, most_octaves>;
/// Writes the octaves at `time` [s] to `now` and returns them. In `octaves`, the w of each octave must be its value at
/// 1 s. `level` selects the factor of slice_gain() that becomes the level of each octave. If it is null, levels do not
/// change.
[[nodiscard]] std::span<const NoiseOctave> octaves_at(std::span<const NoiseOctave> octaves, double time,
                                                      double SliceGain::*level, OctavesNow& now);

/// Returns the nominal spectrum of `octaves` (at least one) of the given kind of noise, valid for f = identity.
[[nodiscard]] NominalSpectrum asked_of_octaves(std::vector<NoiseOctave> octaves, NoiseSpectrum of);

}  // namespace vw
