// Turbulence sums sum_i alpha_i f(n_i) at many points: values with their gradients, and winds given by the curl of
// three such potentials. Positions are in double. The evaluation is in float vectors with the widest instruction set of
// the machine. All instruction sets give the same bits. The functions take positions and octaves, and add their results
// to the caller's arrays. Any thread may call them.
#pragma once

#include <cstdint>
#include <span>

#include "sim/field/noise/noise.h"
#include "sim/field/noise/noise_shape.h"
#include "sim/field/obstacles.h"

namespace vw {

/// One octave: gain * f(level * n(scale * x, w)), where n is the noise with the seed `seed` and f the shape function.
struct NoiseOctave {
  double scale = 1;  ///< Lattice cells per metre.
  double w = 0;      ///< Time in lattice units.
  std::uint64_t seed = 0;
  double gain = 1;    ///< Gain. The unit is [m/s] for a wind.
  double level = 1;   ///< slice_gain(w), which keeps the strength constant in time.
  double wall_m = 0;  ///< Distance from obstacles over which a wind fades to zero [m], or 0 for no fade.
};

struct TurbulenceSum {
  std::span<const NoiseOctave> octaves;
  const NoiseShape* shape = nullptr;
  double shape_mean = 0;      ///< Mean of f, which is subtracted from the potentials of a wind near walls.
  Vec3 drift = Vec3::Zero();  ///< Displacement that is subtracted from positions [m].
};

/// Adds a wind to `velocity`: for each octave, gain times the curl of f(level * n), where n are the three noises of
/// potential_noise() in lattice units. `walls` holds the nearest surface to each position, or is empty. With walls, the
/// potentials of each octave are ramped to zero over wall_m before the curl is taken, so that no air flows into a
/// surface and the flow stays divergence-free (Bridson 2007, section 2.4). The ramp applies to the whole potential,
/// whose curl is valid even where the nearest surface changes. The velocity inside obstacles is 0.
void add_turbulence(std::span<const Vec3> position, const TurbulenceSum& sum, std::span<const NearSurface> walls,
                    std::span<Vec3> velocity);

/// Adds the sum of the octaves to `value`. The noise has three dimensions, or four if `in_time`. If `gradient` is not
/// empty, the gradients [1/m] are added to `gradient`.
void add_noise(std::span<const Vec3> position, const TurbulenceSum& sum, bool in_time, std::span<double> value,
               std::span<Vec3> gradient = {});

/// Mean of f(n), root mean square of f(n) about this mean, and root mean square of a component of the curl. The values
/// are exact for the identity. Otherwise they are averages over 2^17 fixed positions, with an error of 0.5 %.
struct ShapeMoments {
  double mean = 0, rms = 1, curl = 1;
};
/// Returns the moments of `shape`. If `in_time`, the noise has four dimensions and the level of slice_gain(). Otherwise
/// it has three dimensions.
[[nodiscard]] ShapeMoments shape_moments(const NoiseShape& shape, bool in_time);

}  // namespace vw
