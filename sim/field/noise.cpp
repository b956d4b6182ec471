// Lattice gradients by an integer hash, so that any seed and any place in a 64-bit lattice costs the same and nothing is stored.
#include "sim/field/noise.h"

#include <array>
#include <cmath>

namespace vw {
namespace {

/// Finaliser of SplitMix64 (Steele, Lea, Flood 2014): every input bit reaches every output bit.
std::uint64_t mix(std::uint64_t h) {
  h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9ULL;
  h = (h ^ (h >> 27)) * 0x94D049BB133111EBULL;
  return h ^ (h >> 31);
}

template <int N>
using Lattice = std::array<std::int64_t, N>;

template <int N>
std::uint64_t lattice_hash(const Lattice<N>& point, std::uint64_t seed) {
  std::uint64_t h = seed * 0x9E3779B97F4A7C15ULL + 0x632BE59BD9B4E019ULL;
  for (const std::int64_t i : point) h = mix(h + static_cast<std::uint64_t>(i) * 0xD1342543DE82EF95ULL);
  return h;
}

/// Gradients: the edge midpoints of a cube (12) or the cells of a 24-cell's dual in four dimensions (32), all of one length, scaled to unit length.
Vec3 lattice_gradient(const Lattice<3>& point, std::uint64_t seed) {
  static constexpr double c = 0.70710678118654752440;
  static constexpr double g[12][3] = {{c, c, 0},  {-c, c, 0},  {c, -c, 0}, {-c, -c, 0}, {c, 0, c},  {-c, 0, c},
                                      {c, 0, -c}, {-c, 0, -c}, {0, c, c},  {0, -c, c},  {0, c, -c}, {0, -c, -c}};
  const auto& row = g[(lattice_hash<3>(point, seed) >> 32) % 12];
  return {row[0], row[1], row[2]};
}

Vec4 lattice_gradient(const Lattice<4>& point, std::uint64_t seed) {
  static constexpr double c = 0.57735026918962576451;
  const std::uint64_t h = lattice_hash<4>(point, seed) >> 59;  // 32 of them: which component is zero, and three signs
  Vec4 g((h & 4) != 0 ? c : -c, (h & 8) != 0 ? c : -c, (h & 16) != 0 ? c : -c, c);
  const auto zero = static_cast<Eigen::Index>(h & 3);
  g[3] = g[zero] > 0 ? c : -c;
  g[zero] = 0;
  if (zero == 3) g[3] = 0;
  return g;
}

double fade(double t) { return t * t * t * (t * (t * 6 - 15) + 10); }
double fade_slope(double t) { return 30 * t * t * (t * (t - 2) + 1); }

template <int N>
struct Sample {
  double value = 0;
  Eigen::Matrix<double, N, 1> gradient = Eigen::Matrix<double, N, 1>::Zero();
};

/// sum over corners c of w_c(f) g_c . (f - c), w_c the product of fades; its gradient by the product rule.
template <int N>
Sample<N> noise_at(const Eigen::Matrix<double, N, 1>& x, std::uint64_t seed) {
  using Vec = Eigen::Matrix<double, N, 1>;
  Lattice<N> base{};
  Vec f, s, ds;
  for (int a = 0; a < N; ++a) {
    const double cell = std::floor(x[a]);
    base[static_cast<std::size_t>(a)] = static_cast<std::int64_t>(cell);
    f[a] = x[a] - cell;
    s[a] = fade(f[a]);
    ds[a] = fade_slope(f[a]);
  }
  Sample<N> out;
  for (int corner = 0; corner < 1 << N; ++corner) {
    Lattice<N> point = base;
    Vec offset = f, weight, slope;
    for (int a = 0; a < N; ++a) {
      const bool upper = (corner >> a & 1) != 0;
      if (upper) ++point[static_cast<std::size_t>(a)];
      offset[a] -= upper ? 1 : 0;
      weight[a] = upper ? s[a] : 1 - s[a];
      slope[a] = upper ? ds[a] : -ds[a];
    }
    const Vec g = lattice_gradient(point, seed);
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

}  // namespace

NoiseSample gradient_noise(const Vec3& x, std::uint64_t seed) {
  const auto sample = noise_at<3>(x, seed);
  return {sample.value, sample.gradient};
}

NoiseSample gradient_noise(const Vec3& x, double w, std::uint64_t seed) {
  const auto sample = noise_at<4>(Vec4(x[0], x[1], x[2], w), seed);
  return {sample.value, sample.gradient.head<3>()};
}

Vec3 curl_noise(const Vec3& x, double w, std::uint64_t seed) {
  const Vec3 a = gradient_noise(x, w, seed * 3 + 0).gradient;
  const Vec3 b = gradient_noise(x, w, seed * 3 + 1).gradient;
  const Vec3 c = gradient_noise(x, w, seed * 3 + 2).gradient;
  return {c[1] - b[2], a[2] - c[0], b[0] - a[1]};
}

}  // namespace vw
