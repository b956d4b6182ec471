// Gradient noise (Perlin 1985, "An image synthesizer"; 2002, "Improving noise" for the quintic fade) in four dimensions: value and analytic gradient.
#pragma once

#include <cstdint>

#include "sim/base/math.h"

namespace vw {

using Vec4 = Eigen::Vector4d;

struct NoiseSample {
  double value = 0;
  Vec3 gradient = Vec3::Zero();  ///< with respect to x, y, z
};

/// n(x): zero at lattice points, unit gradients by a hash of lattice point and seed, quintic fade (C2). SPEC 3.
[[nodiscard]] NoiseSample gradient_noise(const Vec3& x, std::uint64_t seed);
/// n(x, w): the same in four dimensions; w is time in units of the lattice.
[[nodiscard]] NoiseSample gradient_noise(const Vec3& x, double w, std::uint64_t seed);

/// Root mean square of one component of the curl of three independent 4-D noises (lattice units): what scales a wind to its asked strength. Measured
/// over 4e6 points; a test measures it again.
inline constexpr double curl_noise_rms = 0.586;

/// Velocity = curl of a vector of three independent noises n(x, w): divergence-free by construction (Bridson 2007, "Curl-noise for procedural fluid
/// flow").
[[nodiscard]] Vec3 curl_noise(const Vec3& x, double w, std::uint64_t seed);

}  // namespace vw
