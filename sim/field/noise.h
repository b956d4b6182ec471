// Gradient noise (Perlin 1985, "An image synthesizer"; 2002, "Improving noise") in two, three and four dimensions, one
// point at a time in double. This is the reference definition. perlin.h and turbulence_lanes.h evaluate the same noise
// at many points.
#pragma once

#include <cstdint>

#include "sim/base/math.h"

namespace vw {

using Vec4 = Eigen::Vector4d;

/// Hash of the lattice: h = (h ^ i noise_stride) noise_stir for each coordinate i, beginning with the last one and with
/// the seed's root. Its high bits select gradients. Coordinates are taken modulo 2^32. Exact copies of the pattern
/// begin 2^30 cells away, and partial copies (a tenth) 2^24 cells away.
inline constexpr std::uint32_t noise_stride = 0x9E3779B1U, noise_stir = 0xCC9E2D51U;
[[nodiscard]] std::uint32_t noise_root(std::uint64_t seed);
/// A sixth of the range of a hash. Divides the hash, read as a signed number, into three parts.
inline constexpr std::int32_t noise_third = 715827882;

template <int N>
struct NoiseSampleOf {
  double value = 0;
  Eigen::Matrix<double, N, 1> gradient = Eigen::Matrix<double, N, 1>::Zero();
};
using NoiseSample = NoiseSampleOf<3>;

/// n(x): zero at lattice points, unit gradients by a hash of lattice point and seed, quintic fade (C2). The gradients
/// are eight directions at odd multiples of 22.5 degrees (2-D), the twelve edges of a cube (3-D), or the sixteen
/// vertices of a tesseract (4-D). The second moments of each set are those of a sphere. The result is NaN if x is not
/// finite, and 0 if the lattice is finer than the digits of a double.
[[nodiscard]] NoiseSampleOf<2> gradient_noise(double x, double y, std::uint64_t seed);
[[nodiscard]] NoiseSample gradient_noise(const Vec3& x, std::uint64_t seed);
/// n(x, w) with its gradient in x only (first function) or in all coordinates (second function). w is time in lattice
/// units.
[[nodiscard]] NoiseSample gradient_noise(const Vec3& x, double w, std::uint64_t seed);
[[nodiscard]] NoiseSampleOf<4> gradient_noise_4d(const Vec4& x, std::uint64_t seed);

/// Root mean square of n in N dimensions over all positions.
[[nodiscard]] double gradient_noise_rms(int dimensions);

/// White noise: one value in [-1, 1) for each cell and each integer w, uniformly distributed and independent.
[[nodiscard]] double white_noise(const Vec3& x, double w, std::uint64_t seed);
inline constexpr double white_noise_rms = 0.57735026918962576451;

/// Three independent noises of one seed at (x, w): values, and one row of derivatives in x for each.
struct PotentialSample {
  Vec3 value = Vec3::Zero();
  Mat3 slope = Mat3::Zero();
};
[[nodiscard]] PotentialSample potential_noise(const Vec3& x, double w, std::uint64_t seed);

/// Velocity: curl of the three noises of potential_noise(), in lattice units. Divergence-free by construction (Bridson
/// 2007, "Curl-noise for procedural fluid flow").
[[nodiscard]] Vec3 curl_noise(const Vec3& x, double w, std::uint64_t seed);

/// Root mean square of one component of curl_noise() over all positions and times.
[[nodiscard]] double curl_noise_rms();

/// Factor that gives a slice of four-dimensional noise at one time w the strength of the average over all times.
/// Without it, the strength differs by a tenth between lattice points and the middle between them.
struct SliceGain {
  double value = 1;  ///< For the noise.
  double curl = 1;   ///< For its first derivatives in x.
};
[[nodiscard]] SliceGain slice_gain(double w);

}  // namespace vw
