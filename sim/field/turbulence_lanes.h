// Turbulence sums sum_i alpha_i f(n_i) at many points: values with their gradients, and winds given by the curl of
// three such potentials. Float vectors from positions in double, with the widest instruction set of the machine; all
// instruction sets give the same bits. Input: positions and octaves. Output: added to the caller's arrays. Any thread.
#pragma once

#include <cstdint>
#include <span>

#include "sim/field/noise.h"
#include "sim/field/noise_shape.h"
#include "sim/field/obstacles.h"

namespace vw {

/// One octave: gain f(level n(scale x, w)), where n is the noise of `seed`.
struct NoiseOctave {
  double scale = 1;  ///< Lattice cells per metre.
  double w = 0;      ///< Time in lattice units.
  std::uint64_t seed = 0;
  double gain = 1;    ///< For a wind in [m/s].
  double level = 1;   ///< slice_gain(w), which keeps the strength constant in time.
  double wall_m = 0;  ///< For a wind: distance from obstacles over which it fades to zero [m]; 0: no fade.
};

struct TurbulenceSum {
  std::span<const NoiseOctave> octaves;
  const NoiseShape* shape = nullptr;
  double shape_mean = 0;      ///< Mean of f, which is subtracted from a wind's potentials. Only used with walls.
  Vec3 drift = Vec3::Zero();  ///< Subtracted from positions [m].
};

/// velocity[i] += sum of gain * curl of f(level n) of three noises (potential_noise()) in lattice units. `walls`: the
/// nearest surface to each position, or empty. With walls, the potentials are ramped to zero over each octave's wall_m
/// before the curl is taken, so that no air flows into a surface and the flow stays divergence-free (Bridson 2007,
/// section 2.4). The ramp applies to the whole potential, whose curl is valid even where the nearest surface changes.
/// The velocity inside obstacles is 0.
void add_turbulence(std::span<const Vec3> position, const TurbulenceSum& sum, std::span<const NearSurface> walls,
                    std::span<Vec3> velocity);

/// value[i] += sum of the octaves, with noise in three dimensions, or in four if `in_time`. `gradient` [1/m]: the
/// gradients are added likewise; may be empty.
void add_noise(std::span<const Vec3> position, const TurbulenceSum& sum, bool in_time, std::span<double> value,
               std::span<Vec3> gradient = {});

/// Mean of f(n), its root mean square about the mean, and the root mean square of a component of the curl. Exact for
/// the identity, otherwise over 2^17 fixed positions (0.5 %).
struct ShapeMoments {
  double mean = 0, rms = 1, curl = 1;
};
/// `in_time`: of noise in four dimensions, with the level of slice_gain().
[[nodiscard]] ShapeMoments shape_moments(const NoiseShape& shape, bool in_time);

}  // namespace vw
