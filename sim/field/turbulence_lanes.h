// Octaves of curl noise at many points: the wind of a million particles. In: points, octaves. Out: velocities, added. Any thread.
#pragma once

#include <cstdint>
#include <span>

#include "sim/base/math.h"

namespace vw {

/// gain curl_noise(scale x, w, seed).
struct CurlOctave {
  double scale = 1;  ///< lattice cells a metre
  double w = 0;      ///< time in lattice units
  std::uint64_t seed = 0;
  double gain = 1;  ///< [m/s]
};

/// velocity[i] += mean + (sum of the octaves at position[i] - drift). In vectors of points, with the operations of curl_noise() in their order: the
/// same bits as point by point, on any instruction set.
void add_turbulence(std::span<const Vec3> position, const Vec3& drift, std::span<const CurlOctave> octaves, const Vec3& mean,
                    std::span<Vec3> velocity);

}  // namespace vw
