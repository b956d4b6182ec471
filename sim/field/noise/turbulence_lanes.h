// Turbulence sums sum_i alpha_i f(n_i) at many points: values with gradients, and winds that are the curl of three such
// sums (potentials). Positions are doubles. The evaluation uses float vectors with the widest instruction set of the
// machine, and all instruction sets give the same bits. Results are added to the caller's arrays. Any thread may call
// these functions.
#pragma once

#include <cstdint>
#include <span>

#include "sim/field/noise/noise.h"
#include "sim/field/noise/noise_shape.h"
#include "sim/field/obstacles.h"

namespace vw {

/// One octave: gain * f(level * n(scale * x, w)), where n is the noise with seed `seed`, and f the shape function.
struct NoiseOctave {
  double scale = 1;  ///< Lattice cells per metre.
  double w = 0;      ///< Time in lattice units.
  std::uint64_t seed = 0;
  double gain = 1;    ///< Gain. The unit is [m/s] for a wind.
  double level = 1;   ///< slice_gain(w), which keeps the strength constant in time.
  double wall_m = 0;  ///< Distance from obstacles within which a wind fades to zero [m]. 0 means no fading.
};

struct TurbulenceSum {
  std::span<const NoiseOctave> octaves;
  const NoiseShape* shape = nullptr;
  double shape_mean = 0;      ///< Mean of f. It is subtracted from the potentials of a wind near walls.
  Vec3 drift = Vec3::Zero();  ///< Displacement of the pattern, which is subtracted from positions [m].
};

/// Adds a wind to `velocity`: for each octave, gain times the curl of f(level * n), where n are the three noises of
/// potential_noise(), in lattice units. `walls` contains the surface nearest to each position, or is empty. With walls,
/// a ramp over the distance wall_m first reduces the potentials of each octave to zero at the wall. No air then flows
/// into a surface, and the flow stays divergence-free (Bridson 2007, section 2.4). The ramp multiplies the complete
/// potential, not only its tangential component. Its curl then stays valid where the nearest surface changes. Inside
/// obstacles, the velocity is 0.
void add_turbulence(std::span<const Vec3> position, const TurbulenceSum& sum, std::span<const NearSurface> walls,
                    std::span<Vec3> velocity);

/// Adds the sum of the octaves to `value`, and its gradients [1/m] to `gradient` unless `gradient` is empty. The noise
/// has three dimensions, or four if `in_time`.
void add_noise(std::span<const Vec3> position, const TurbulenceSum& sum, bool in_time, std::span<double> value,
               std::span<Vec3> gradient = {});

/// Mean of f(n), root mean square of f(n) about this mean, and root mean square of a component of the curl. The values
/// are exact for the identity. Otherwise, they are averages over 2^17 fixed positions with an error of 0.5 %.
struct ShapeMoments {
  double mean = 0, rms = 1, curl = 1;
};
/// Returns the moments of `shape`. If `in_time`, they refer to noise in four dimensions with the level of slice_gain(),
/// otherwise to noise in three dimensions.
[[nodiscard]] ShapeMoments shape_moments(const NoiseShape& shape, bool in_time);

}  // namespace vw
