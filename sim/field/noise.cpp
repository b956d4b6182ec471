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

/// The lattice's coordinate of a cell. Places beyond 64 bits, and those that are no number, share cell 0: their noise means nothing any more.
std::int64_t lattice_index(double cell) {
  constexpr double edge = 9.2e18;
  return std::abs(cell) < edge ? static_cast<std::int64_t>(cell) : 0;
}

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

/// The 32 gradients of four dimensions (Perlin 2002): one component zero, three of equal size, all signs.
struct Gradients4 {
  double g[32][4] = {};
  constexpr Gradients4() {
    constexpr double c = 0.57735026918962576451;
    for (int h = 0; h < 32; ++h)
      for (int a = 0, bit = 2; a < 4; ++a)
        if (a != (h & 3)) g[h][a] = (h >> bit++ & 1) != 0 ? c : -c;
  }
};
constexpr Gradients4 gradients4;

Vec4 lattice_gradient(const Lattice<4>& point, std::uint64_t seed) {
  const auto& g = gradients4.g[lattice_hash<4>(point, seed) >> 59];
  return {g[0], g[1], g[2], g[3]};
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
    base[static_cast<std::size_t>(a)] = lattice_index(cell);
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

namespace {

/// One axis of a cell: offsets from, weights of and slopes at its two ends.
struct AxisCell {
  std::int64_t base;
  double offset[2], weight[2], slope[2];
  explicit AxisCell(double x) {
    const double cell = std::floor(x), f = x - cell;
    base = lattice_index(cell);
    offset[0] = f;
    offset[1] = f - 1;
    weight[1] = fade(f);
    weight[0] = 1 - weight[1];
    slope[1] = fade_slope(f);
    slope[0] = -slope[1];
  }
};

/// One more coordinate into a lattice hash: corners that share a prefix share its mixing.
std::uint64_t extend(std::uint64_t h, std::int64_t i) { return mix(h + static_cast<std::uint64_t>(i) * 0xD1342543DE82EF95ULL); }

/// The derivatives that a curl needs, of three noises a, b, c.
struct CurlTerms {
  double a_y = 0, a_z = 0, b_x = 0, b_z = 0, c_x = 0, c_y = 0;
};

/// Adds one lattice corner: gradient of weight x ramp by the product rule. The three noises take their gradients from separate bits of one hash.
void add_corner(std::uint64_t hash, const double (&o)[4], double weight, const double (&slope)[3], CurlTerms& sum) {
  const auto& a = gradients4.g[hash >> 59];
  const auto& b = gradients4.g[hash >> 54 & 31];
  const auto& c = gradients4.g[hash >> 49 & 31];
  const double ramp_a = a[0] * o[0] + a[1] * o[1] + a[2] * o[2] + a[3] * o[3];
  const double ramp_b = b[0] * o[0] + b[1] * o[1] + b[2] * o[2] + b[3] * o[3];
  const double ramp_c = c[0] * o[0] + c[1] * o[1] + c[2] * o[2] + c[3] * o[3];
  sum.a_y += weight * a[1] + slope[1] * ramp_a;
  sum.a_z += weight * a[2] + slope[2] * ramp_a;
  sum.b_x += weight * b[0] + slope[0] * ramp_b;
  sum.b_z += weight * b[2] + slope[2] * ramp_b;
  sum.c_x += weight * c[0] + slope[0] * ramp_c;
  sum.c_y += weight * c[1] + slope[1] * ramp_c;
}

}  // namespace

Vec3 curl_noise(const Vec3& x, double w, std::uint64_t seed) {
  const AxisCell ax(x[0]), ay(x[1]), az(x[2]), aw(w);
  const std::uint64_t root = seed * 0x9E3779B97F4A7C15ULL + 0x632BE59BD9B4E019ULL;
  CurlTerms sum;
  for (int i = 0; i < 2; ++i) {
    const std::uint64_t hi = extend(root, ax.base + i);
    for (int j = 0; j < 2; ++j) {
      const std::uint64_t hij = extend(hi, ay.base + j);
      for (int k = 0; k < 2; ++k) {
        const std::uint64_t hijk = extend(hij, az.base + k);
        const double xy = ax.weight[i] * ay.weight[j], yz = ay.weight[j] * az.weight[k], zx = az.weight[k] * ax.weight[i];
        for (int l = 0; l < 2; ++l) {
          const double t = aw.weight[l];
          add_corner(extend(hijk, aw.base + l), {ax.offset[i], ay.offset[j], az.offset[k], aw.offset[l]}, xy * az.weight[k] * t,
                     {ax.slope[i] * yz * t, ay.slope[j] * zx * t, az.slope[k] * xy * t}, sum);
        }
      }
    }
  }
  return {sum.c_y - sum.b_z, sum.a_z - sum.c_x, sum.b_x - sum.a_y};
}

}  // namespace vw
