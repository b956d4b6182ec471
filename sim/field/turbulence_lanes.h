// Turbulence sums at many points, sum_i alpha_i f(n_i): as a value, with its gradient, and the winds made of it by the curl of three such potentials.
// In float vectors from places in double, by the widest instruction set of the machine, the same bits on each. In: places, octaves. Out: what is
// added. Any thread.
#pragma once

#include <cstdint>
#include <span>

#include "sim/field/noise.h"
#include "sim/field/noise_shape.h"
#include "sim/field/obstacles.h"

namespace vw {

/// gain f(level n(scale x, w)), n being the noise of `seed`.
struct NoiseOctave {
  double scale = 1;  ///< lattice cells a metre
  double w = 0;      ///< time in lattice units
  std::uint64_t seed = 0;
  double gain = 1;    ///< of a wind [m/s]
  double level = 1;   ///< slice_gain(w): what keeps the strength the same at all times
  double wall_m = 0;  ///< of a wind: the distance from obstacles in which it comes to rest; 0: it does not
};

struct TurbulenceSum {
  std::span<const NoiseOctave> octaves;
  const NoiseShape* shape = nullptr;
  double shape_mean = 0;      ///< the mean of f, which a wind's potentials are measured from; of no account without walls
  Vec3 drift = Vec3::Zero();  ///< [m] subtracted from places
};

/// velocity[i] += sum of gain * curl of f(level n) of three noises (potential_noise) in lattice units. With `walls` (the nearest surface to each
/// place; or empty) potentials are ramped to zero over each octave's wall_m before the curl, so that no air flows into a surface and none is made or
/// lost: Bridson 2007, section 2.4, for the whole potential, whose curl is sound also where the nearest surface changes. None blows within obstacles.
void add_turbulence(std::span<const Vec3> position, const TurbulenceSum& sum, std::span<const NearSurface> walls, std::span<Vec3> velocity);

/// value[i] += sum of the octaves, of noise in three dimensions, or in four with `in_time`; `gradient` [1/m] likewise, or empty.
void add_noise(std::span<const Vec3> position, const TurbulenceSum& sum, bool in_time, std::span<double> value, std::span<Vec3> gradient = {});

/// Mean and root mean square about it of f(n), and the root mean square of a component of the curl: of identity exact, else over 2^17 fixed places
/// (0.5 %).
struct ShapeMoments {
  double mean = 0, rms = 1, curl = 1;
};
/// `in_time`: of noise in four dimensions, at level slice_gain.
[[nodiscard]] ShapeMoments shape_moments(const NoiseShape& shape, bool in_time);

}  // namespace vw
