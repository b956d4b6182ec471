// Gradient noise (Perlin 1985, "An image synthesizer"; 2002, "Improving noise") in two, three and four dimensions, one point at a time in double:
// what the noise is. perlin.h and turbulence_lanes.h have the same for many points.
#pragma once

#include <cstdint>

#include "sim/base/math.h"

namespace vw {

using Vec4 = Eigen::Vector4d;

/// The lattice's hash: h = (h ^ i noise_stride) noise_stir for each coordinate i, the last first, from the seed's root. Its high bits choose
/// gradients. Coordinates count modulo 2^32; copies begin 2^30 cells away, ghosts of a tenth 2^24.
inline constexpr std::uint32_t noise_stride = 0x9E3779B1U, noise_stir = 0xCC9E2D51U;
[[nodiscard]] std::uint32_t noise_root(std::uint64_t seed);
/// A sixth of the range of a hash: what divides it, read as a signed number, into three.
inline constexpr std::int32_t noise_third = 715827882;

template <int N>
struct NoiseSampleOf {
  double value = 0;
  Eigen::Matrix<double, N, 1> gradient = Eigen::Matrix<double, N, 1>::Zero();
};
using NoiseSample = NoiseSampleOf<3>;

/// n(x): zero at lattice points, unit gradients by a hash of lattice point and seed, quintic fade (C2). SPEC 3. Gradients are eight directions at odd
/// multiples of 22.5 degrees, the twelve edges of a cube, the sixteen vertices of a tesseract: each set's second moments are those of a sphere. NaN
/// where x is no number or infinite, 0 where the lattice is finer than a double's digits.
[[nodiscard]] NoiseSampleOf<2> gradient_noise(double x, double y, std::uint64_t seed);
[[nodiscard]] NoiseSample gradient_noise(const Vec3& x, std::uint64_t seed);
/// n(x, w) with its gradient in x alone, w being time in units of the lattice; and with all of it.
[[nodiscard]] NoiseSample gradient_noise(const Vec3& x, double w, std::uint64_t seed);
[[nodiscard]] NoiseSampleOf<4> gradient_noise_4d(const Vec4& x, std::uint64_t seed);

/// Root mean square of n in N dimensions over all places.
[[nodiscard]] double gradient_noise_rms(int dimensions);

/// White noise: one value in [-1, 1) for each cell and each whole w, evenly spread and independent.
[[nodiscard]] double white_noise(const Vec3& x, double w, std::uint64_t seed);
inline constexpr double white_noise_rms = 0.57735026918962576451;

/// Three independent noises of one seed at (x, w): values, and rows of derivatives in x.
struct PotentialSample {
  Vec3 value = Vec3::Zero();
  Mat3 slope = Mat3::Zero();
};
[[nodiscard]] PotentialSample potential_noise(const Vec3& x, double w, std::uint64_t seed);

/// Velocity = curl of those three, in lattice units: divergence-free by construction (Bridson 2007, "Curl-noise for procedural fluid flow").
[[nodiscard]] Vec3 curl_noise(const Vec3& x, double w, std::uint64_t seed);

/// Root mean square of one component of curl_noise over all places and times.
[[nodiscard]] double curl_noise_rms();

/// What four-dimensional noise at one time w is to be multiplied by so that it has at every time the strength that it has on average: without it that
/// differs by a tenth between lattice points and halfway between them.
struct SliceGain {
  double value = 1;  ///< of the noise
  double curl = 1;   ///< of its first derivatives in x
};
[[nodiscard]] SliceGain slice_gain(double w);

}  // namespace vw
