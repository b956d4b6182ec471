// Gradient noise. An integer hash yields the gradients at lattice points. Nothing is stored, and the cost is the same
// for any seed and position.
#include "sim/field/noise/noise.h"

#include <array>
#include <cmath>
#include <limits>

#include "sim/base/elementary/elementary.h"

namespace vw {
namespace {

/// Computes the last step of SplitMix64 (Steele, Lea, Flood 2014): every bit of the input affects every bit of the
/// output.
std::uint64_t mix(std::uint64_t h) {
  h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9ULL;
  h = (h ^ (h >> 27)) * 0x94D049BB133111EBULL;
  return h ^ (h >> 31);
}

double fade(double t) { return t * t * t * (t * (t * 6 - 15) + 10); }
double fade_slope(double t) { return 30 * t * t * (t * (t - 2) + 1); }

template <int N>
using VecN = Eigen::Matrix<double, N, 1>;

/// Lattice cell of a position, and the position within the cell.
template <int N>
struct Cell {
  std::array<std::uint32_t, N> base{};
  /// For each axis: `offset` is the position within the cell, `weight` is the fade function there, which is the weight
  /// of the upper end, and `slope` is the derivative of the fade function.
  VecN<N> offset, weight, slope;
  explicit Cell(const VecN<N>& x) {
    constexpr double finest = 0x1p50;
    for (int a = 0; a < N; ++a) {
      const bool known = std::abs(x[a]) < finest;
      const double cell = known ? std::floor(x[a]) : 0;
      base[static_cast<std::size_t>(a)] = static_cast<std::uint32_t>(static_cast<std::int64_t>(cell));
      offset[a] = known ? x[a] - cell : 0 * x[a];
      weight[a] = fade(offset[a]);
      slope[a] = fade_slope(offset[a]);
    }
  }
};

template <int N>
std::uint32_t lattice_hash(const Cell<N>& cell, int corner, std::uint32_t root) {
  std::uint32_t h = root;
  for (int a = N; a-- > 0;)
    h = (h ^ (cell.base[static_cast<std::size_t>(a)] + static_cast<std::uint32_t>(corner >> a & 1)) * noise_stride) *
        noise_stir;
  return h;
}

/// Returns the sign from one bit of the hash. Bit 0 is the highest bit.
double sign_of(std::uint32_t hash, int bit) { return (hash << bit >> 31) != 0 ? -1 : 1; }

Eigen::Vector2d lattice_gradient(std::uint32_t hash, VecN<2>*) {
  static const double c = elementary::cos(pi / 8), s = elementary::sin(pi / 8);
  const bool steep = (hash << 2 >> 31) != 0;
  return {sign_of(hash, 0) * (steep ? s : c), sign_of(hash, 1) * (steep ? c : s)};
}

/// Returns the gradient at a lattice point in three dimensions, along one of the twelve edges of a cube. Two bits of
/// the hash determine the signs. The remaining bits lie in one of three equal ranges, which determines the component
/// that is zero.
Vec3 lattice_gradient(std::uint32_t hash, VecN<3>*) {
  constexpr double c = 0.70710678118654752440;
  const auto third = static_cast<std::int32_t>(hash << 2);
  const double first = c * sign_of(hash, 0), second = c * sign_of(hash, 1);
  if (third < -noise_third) return {0, first, second};
  if (third > noise_third) return {first, second, 0};
  return {first, 0, second};
}

/// Returns the gradient at a lattice point, for noise number `which` (0 to 2). The signs use every other bit of the
/// hash, so that the SIMD code can interleave the bits of two lattice points (the two ends of a cell in time) in one
/// word.
Vec4 lattice_gradient(std::uint32_t hash, int which) {
  const std::uint32_t h = hash ^ hash >> 15;
  const auto component = [&](int a) { return 0.5 * sign_of(h, 2 * (4 * which + a)); };
  return {component(0), component(1), component(2), component(3)};
}
Vec4 lattice_gradient(std::uint32_t hash, VecN<4>*) { return lattice_gradient(hash, 0); }

/// Returns the noise in a cell: the sum over the corners c of w_c(f) g_c . (f - c). f is the position within the cell,
/// g_c is the gradient at the corner, and w_c is the product of the fade functions. The gradient of the noise is
/// computed with the product rule.
template <int N, class Gradient>
NoiseSampleOf<N> noise_in(const Cell<N>& cell, std::uint32_t root, const Gradient& gradient) {
  NoiseSampleOf<N> out;
  for (int corner = 0; corner < 1 << N; ++corner) {
    VecN<N> offset = cell.offset, weight, slope;
    for (int a = 0; a < N; ++a) {
      const bool upper = (corner >> a & 1) != 0;
      offset[a] -= upper ? 1 : 0;
      weight[a] = upper ? cell.weight[a] : 1 - cell.weight[a];
      slope[a] = upper ? cell.slope[a] : -cell.slope[a];
    }
    const VecN<N> g = gradient(lattice_hash<N>(cell, corner, root));
    const double ramp = g.dot(offset);
    const double product = weight.prod();
    out.value += product * ramp;
    out.gradient += product * g;
    for (int a = 0; a < N; ++a) {
      double others = slope[a];
      for (int b = 0; b < N; ++b) others *= b == a ? 1 : weight[b];
      out.gradient[a] += others * ramp;
    }
  }
  return out;
}

template <int N>
NoiseSampleOf<N> noise_at(const VecN<N>& x, std::uint64_t seed) {
  return noise_in<N>(Cell<N>(x), noise_root(seed),
                     [](std::uint32_t hash) { return lattice_gradient(hash, static_cast<VecN<N>*>(nullptr)); });
}

// Mean squares over a cell, along one axis, of noise whose lattice gradients have variance 1 per component. At the
// distance t from a corner along the axis, K = 1 - fade(t) is the weight of the corner, and L = K t. The values are
// integrals that contain the quintic fade function. The contributions of both ends of the cell are added.
constexpr double mean_k2 = 181.0 / 231;   // Mean square of K.
constexpr double mean_l2 = 535.0 / 9009;  // Mean square of L.
constexpr double mean_dk2 = 20.0 / 7;     // Mean square of K'.
constexpr double mean_dl2 = 60.0 / 77;    // Mean square of L'.

/// Returns the mean square over x of four-dimensional noise at a fixed time. `k2` and `l2` are K^2 and L^2 of the time
/// axis, at this time or averaged over all times.
double slice_value(double k2, double l2) { return 0.25 * mean_k2 * mean_k2 * (3 * mean_l2 * k2 + mean_k2 * l2); }
/// Returns the mean square of a derivative of this noise with respect to x. For the arguments, see slice_value().
double slice_slope(double k2, double l2) {
  return 0.25 * mean_k2 * ((2 * mean_l2 * mean_dk2 + mean_k2 * mean_dl2) * k2 + mean_k2 * mean_dk2 * l2);
}

}  // namespace

std::uint32_t noise_root(std::uint64_t seed) {
  return static_cast<std::uint32_t>(mix(seed * 0x9E3779B97F4A7C15ULL + 0x632BE59BD9B4E019ULL) >> 32);
}

NoiseSampleOf<2> gradient_noise(double x, double y, std::uint64_t seed) { return noise_at<2>({x, y}, seed); }
NoiseSample gradient_noise(const Vec3& x, std::uint64_t seed) { return noise_at<3>(x, seed); }
NoiseSampleOf<4> gradient_noise_4d(const Vec4& x, std::uint64_t seed) { return noise_at<4>(x, seed); }

NoiseSample gradient_noise(const Vec3& x, double w, std::uint64_t seed) {
  const auto sample = noise_at<4>(Vec4(x[0], x[1], x[2], w), seed);
  return {sample.value, sample.gradient.head<3>()};
}

double white_noise(const Vec3& x, double w, std::uint64_t seed) {
  const Cell<4> cell(Vec4(x[0], x[1], x[2], w));
  std::uint32_t h = lattice_hash<4>(cell, 0, noise_root(seed));
  h = (h ^ h >> 15) * noise_stir;  // The result uses all bits, so all bits must be mixed, not only the high ones.
  return cell.offset.allFinite() ? 0x1p-31 * (h ^ h >> 16) - 1 : std::numeric_limits<double>::quiet_NaN();
}

PotentialSample potential_noise(const Vec3& x, double w, std::uint64_t seed) {
  const Cell<4> cell(Vec4(x[0], x[1], x[2], w));
  const std::uint32_t root = noise_root(seed);
  PotentialSample out;
  for (int which = 0; which < 3; ++which) {
    const auto noise = noise_in<4>(cell, root, [which](std::uint32_t hash) { return lattice_gradient(hash, which); });
    out.value[which] = noise.value;
    out.slope.row(which) = noise.gradient.head<3>().transpose();
  }
  return out;
}

Vec3 curl_noise(const Vec3& x, double w, std::uint64_t seed) {
  const Mat3 d = potential_noise(x, w, seed).slope;
  return {d(2, 1) - d(1, 2), d(0, 2) - d(2, 0), d(1, 0) - d(0, 1)};
}

double gradient_noise_rms(int dimensions) { return std::sqrt(mean_l2 * elementary::pow(mean_k2, dimensions - 1)); }
double curl_noise_rms() { return std::sqrt(2 * slice_slope(mean_k2, mean_l2)); }

SliceGain slice_gain(double w) {
  const double t = std::abs(w) < 0x1p50 ? w - std::floor(w) : 0;
  const double upper = fade(t), lower = 1 - upper;
  const double k2 = lower * lower + upper * upper, l2 = lower * lower * t * t + upper * upper * (1 - t) * (1 - t);
  return {std::sqrt(slice_value(mean_k2, mean_l2) / slice_value(k2, l2)),
          std::sqrt(slice_slope(mean_k2, mean_l2) / slice_slope(k2, l2))};
}

}  // namespace vw
