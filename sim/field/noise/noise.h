// Gradient noise (Perlin 1985, "An image synthesizer"; 2002, "Improving noise") in two, three and four dimensions,
// evaluated at one point in double precision. This is the reference definition. perlin.h and turbulence_lanes.h
// evaluate the same noise at many points.
#pragma once

#include <cstdint>

#include "sim/base/math.h"

namespace vw {

using Vec4 = Eigen::Vector4d;

/// Constants of the lattice hash. The hash starts with noise_root() of the seed. For each coordinate i, from the last
/// to the first, h = (h ^ (i * noise_stride)) * noise_stir. The high bits of the hash select gradients. Coordinates are
/// taken modulo 2^32. The complete pattern repeats after 2^30 cells, and a tenth of the pattern already after 2^24
/// cells.
inline constexpr std::uint32_t noise_stride = 0x9E3779B1U, noise_stir = 0xCC9E2D51U;
[[nodiscard]] std::uint32_t noise_root(std::uint64_t seed);
/// A sixth of the range of the hash. If the hash is interpreted as a signed number, -noise_third and noise_third divide
/// its range into three equal intervals.
inline constexpr std::int32_t noise_third = 715827882;

template <int N>
struct NoiseSampleOf {
  double value = 0;
  Eigen::Matrix<double, N, 1> gradient = Eigen::Matrix<double, N, 1>::Zero();
};
using NoiseSample = NoiseSampleOf<3>;

/// Returns the gradient noise n(x). It is zero at lattice points. There, a hash of lattice point and seed selects a
/// unit gradient. Between lattice points, the noise is interpolated with a quintic fade function (C2). The gradients
/// are eight directions at odd multiples of 22.5 degrees (2-D), the twelve edges of a cube (3-D), or the sixteen
/// vertices of a tesseract (4-D). Each of these sets has the second moments of uniformly distributed directions. The
/// noise is NaN if x is not finite, and 0 if doubles near x cannot resolve the lattice.
[[nodiscard]] NoiseSampleOf<2> gradient_noise(double x, double y, std::uint64_t seed);
[[nodiscard]] NoiseSample gradient_noise(const Vec3& x, std::uint64_t seed);
/// Returns the noise n(x, w), with its gradient in x only. w is the time in lattice units.
[[nodiscard]] NoiseSample gradient_noise(const Vec3& x, double w, std::uint64_t seed);
/// Returns the four-dimensional noise with its gradient in all coordinates.
[[nodiscard]] NoiseSampleOf<4> gradient_noise_4d(const Vec4& x, std::uint64_t seed);

/// Returns the root mean square of gradient_noise() over all positions, for the given number of dimensions.
[[nodiscard]] double gradient_noise_rms(int dimensions);

/// Returns the white noise: one value for each cell and each integer w. The values are independent and uniformly
/// distributed in [-1, 1).
[[nodiscard]] double white_noise(const Vec3& x, double w, std::uint64_t seed);
inline constexpr double white_noise_rms = 0.57735026918962576451;

/// Three independent noises of one seed at (x, w). `value` contains the three values. Row i of `slope` contains the
/// derivatives of noise i with respect to x.
struct PotentialSample {
  Vec3 value = Vec3::Zero();
  Mat3 slope = Mat3::Zero();
};
[[nodiscard]] PotentialSample potential_noise(const Vec3& x, double w, std::uint64_t seed);

/// Returns the velocity in lattice units: the curl of the three noises of potential_noise(). It is divergence-free by
/// construction (Bridson 2007, "Curl-noise for procedural fluid flow").
[[nodiscard]] Vec3 curl_noise(const Vec3& x, double w, std::uint64_t seed);

/// Returns the root mean square of one component of curl_noise() over all positions and times.
[[nodiscard]] double curl_noise_rms();

/// Factors that give noise at a fixed time w the strength that it has on average over all times. Without them, the
/// strength at integer values of w would differ by a tenth from that midway between integers.
struct SliceGain {
  double value = 1;  ///< Factor for the noise.
  double curl = 1;   ///< Factor for the first derivatives in x.
};
[[nodiscard]] SliceGain slice_gain(double w);

}  // namespace vw
