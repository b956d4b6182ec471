// Pair sums of forces, compiled once for each instruction set (Highway). See forces_sweeps.h.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/system/fluid/forces/forces_sweeps.cpp"
// Compiles for scalar code and for vectors of 128, 256 and 512 bits. Other targets of the same widths are disabled.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "sim/base/elementary/elementary.h"
#include "sim/base/parallel/parallel.h"
#include "sim/system/fluid/forces/forces_sweeps.h"
#include "sim/system/fluid/neighbors/force_walk-inl.h"

#ifndef VOXWAKE_FORCES_SWEEPS_SHARED
#define VOXWAKE_FORCES_SWEEPS_SHARED
namespace vw {
/// Constant factors of one sweep. V is the volume of a particle and W the kernel.
struct ForceScale {
  float inverse_reach = 1;
  float shape = 1;     ///< Factor that turns shape() into V W.
  float slope = 1;     ///< Factor that turns slope() times x_i - x_j into V grad W [1/m^2].
  float cohesion = 1;  ///< Factor of cohesion per tension [1/m^2].
  float normals = 1;
  float adhesion = 1;
};

/// Returns the curl of the velocity. `velocity` is the sum of -V (v_i - v_j) grad W^T and `place` the sum of -V (x_i -
/// x_j) grad W^T over a particle's neighbours. The inverse of `place` corrects for the arrangement of the neighbours,
/// so that the curl of a linear velocity field is exact. If the neighbours lie in a plane or on a line, `place` is
/// singular, and the uncorrected sum is used.
inline Vec3 curl_of(const Mat3& velocity, const Mat3& place) {
  constexpr double least_spread = 1e-3;
  const Mat3 slope = place.determinant() > least_spread ? Mat3(velocity * place.inverse()) : velocity;
  return {slope(2, 1) - slope(1, 2), slope(0, 2) - slope(2, 0), slope(1, 0) - slope(0, 1)};
}
}  // namespace vw
#endif

HWY_BEFORE_NAMESPACE();
namespace vw {
namespace HWY_NAMESPACE {

HWY_INLINE Lanes3 none() { return {all(0), all(0), all(0)}; }
HWY_INLINE Lanes3 cross(const Lanes3& a, const Lanes3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/// shape() returns the kernel W, and slope() returns (dW/dr) / r, without constant factors (see ForceScale).
HWY_INLINE Lanes shape(const Pair& pair) { return shape_of<SphKernel::wendland>(pair); }
HWY_INLINE Lanes slope(const Pair& pair) { return slope_of<SphKernel::wendland>(pair, 1); }
/// Returns the weight 2 rho_j / (rho_i + rho_j) of a pair with the rest densities rho_i and rho_j. With this weight the
/// forces on the two particles are equal and opposite.
HWY_INLINE Lanes others_share(Lanes own, Lanes other) { return (other + other) * inverse(own + other + all(1e-30F)); }
/// Returns 1 for two particles of the same phase, `miscibility` for particles of different phases.
HWY_INLINE Lanes likeness(Lanes phase, Lanes other, Lanes miscibility) {
  const Lanes apart = phase - other;
  return miscibility + where_less(apart * apart, all(0.25F), all(1.0F) - miscibility);
}

void store(const Lanes3& sum, float factor, const Cluster& cluster, std::span<Float4> out) {
  float x[4], y[4], z[4];
  sum_rows(sum.x, x), sum_rows(sum.y, y), sum_rows(sum.z, z);
  for (std::uint32_t i = 0; i < cluster.rows; ++i) {
    Float4& row = out[cluster.row + i];
    row.x = factor * x[i], row.y = factor * y[i], row.z = factor * z[i];
  }
}

template <bool one_liquid>
void smoothing_of(const SweepInput& in, const ForceScale& scale, float share, const PairChunk& chunk,
                  std::span<Float4> out) {
  fetch(in.rows, chunk);
  fetch(in.motion, chunk);
  for (const Cluster& cluster : chunk.clusters) {
    const ListView list(chunk, cluster);
    const Lanes3 at = RowColumns(in.rows, cluster.row, cluster.rows).xyz();
    const RowColumns own(in.motion, cluster.row, cluster.rows);
    const Lanes3 velocity = own.xyz();
    const Lanes density = own.last();
    Lanes3 sum = none();
    walk(in.rows, list.near, list.near_end, [&](const Neighbours& j, const std::uint32_t* who) HWY_ATTR {
      const Neighbours other = take(in.motion, who);
      Lanes weight = shape(pair_of(at, xyz_of(j), scale.inverse_reach));
      if constexpr (!one_liquid) weight = weight * others_share(density, w_of(other));
      sum = times_plus(weight, xyz_of(other) - velocity, sum);
    });
    store(sum, share * scale.shape, cluster, out);
    for (std::uint32_t i = cluster.row; i < cluster.row + cluster.rows; ++i) {
      const Float4& was = in.motion[i];
      out[i] = {was.x + out[i].x, was.y + out[i].y, was.z + out[i].z, was.w};
    }
  }
}
void smoothing_chunk(const SweepInput& in, const ForceScale& scale, const Smoothing& smoothing, const PairChunk& chunk,
                     std::span<Float4> out) {
  smoothing.one_liquid ? smoothing_of<true>(in, scale, smoothing.share, chunk, out)
                       : smoothing_of<false>(in, scale, smoothing.share, chunk, out);
}

void normal_chunk(const SweepInput& in, const ForceScale& scale, float miscibility, const PairChunk& chunk,
                  std::span<Float4> out) {
  for (const Cluster& cluster : chunk.clusters) {
    const ListView list(chunk, cluster);
    const RowColumns own(in.rows, cluster.row, cluster.rows);
    const Lanes3 at = own.xyz();
    const Lanes phase = own.last();
    Lanes3 sum = none();
    walk(in.rows, list.near, list.near_end, [&](const Neighbours& j, const std::uint32_t*) HWY_ATTR {
      const Pair pair = pair_of(at, xyz_of(j), scale.inverse_reach);
      sum = times_plus(slope(pair) * likeness(phase, w_of(j), all(miscibility)), pair.apart, sum);
    });
    walk(in.walls, list.walls, list.wall_end, [&](const Neighbours& b, const std::uint32_t*) HWY_ATTR {
      const Pair pair = pair_of(at, xyz_of(b), scale.inverse_reach);
      sum = times_plus(slope(pair) * w_of(b), pair.apart, sum);
    });
    store(sum, scale.slope / scale.inverse_reach, cluster, out);
  }
}

/// Returns the cohesion of Akinci et al. 2013, eq. 2, scaled to a maximum of 1 at half the support radius.
HWY_INLINE Lanes cohesion(const Pair& pair) {
  const Lanes q = lesser_of(pair.q, all(1.0F));
  const Lanes t = (all(1.0F) - q) * q;
  const Lanes pull = all(64.0F) * (t * t * t);
  return pull + where_less(q, all(0.5F), pull - all(1.0F));
}
/// Returns the adhesion of Akinci et al. 2013, eq. 7, scaled to a maximum of 1: (16 (1 - q) (q - 1/2))^(1/4) beyond
/// half the support radius.
HWY_INLINE Lanes adhesion(const Pair& pair) {
  const Lanes q = lesser_of(pair.q, all(1.0F));
  const Lanes bump = no_less_than_zero(all(16.0F) * ((all(1.0F) - q) * (q - all(0.5F))));
  const Lanes root = bump * inverse_root(greater_of(bump, all(1e-12F)));
  return root * inverse_root(greater_of(root, all(1e-6F)));
}

void tension_chunk(const SweepInput& in, const ForceScale& scale, const Tension& tension, const PairChunk& chunk,
                   std::span<Float4> out) {
  for (const Cluster& cluster : chunk.clusters) {
    const ListView list(chunk, cluster);
    const RowColumns own(in.rows, cluster.row, cluster.rows);
    const RowColumns own_normal(tension.normals, cluster.row, cluster.rows);
    const Lanes3 at = own.xyz(), normal = own_normal.xyz();
    const Lanes phase = own.last(), own_tension = own_normal.last();
    Lanes3 force = none();
    walk(in.rows, list.near, list.near_end, [&](const Neighbours& j, const std::uint32_t* who) HWY_ATTR {
      const Pair pair = pair_of(at, xyz_of(j), scale.inverse_reach);
      const Neighbours other = take(tension.normals, who);
      const Lanes3 axis = pair.inverse_r * pair.apart;
      const Lanes strength =
          all(-0.5F) * (own_tension + w_of(other)) * likeness(phase, w_of(j), all(tension.miscibility));
      const Lanes bend = dot(normal - xyz_of(other), axis) * shape(pair);
      force = times_plus(strength * (all(scale.normals) * bend + all(scale.cohesion) * cohesion(pair)), axis, force);
    });
    walk(in.walls, list.walls, list.wall_end, [&](const Neighbours& b, const std::uint32_t* who) HWY_ATTR {
      const Pair pair = pair_of(at, xyz_of(b), scale.inverse_reach);
      const Lanes strength = all(-scale.adhesion) * (w_of(b) * w_of(take(in.wall_motion, who)));
      force = times_plus(strength * adhesion(pair), pair.inverse_r * pair.apart, force);
    });
    store(force, 1, cluster, out);
  }
}

void spin_chunk(const SweepInput& in, const ForceScale& scale, const Float4* spin, const PairChunk& chunk,
                std::span<Float4> push, std::span<Float4> turn) {
  for (const Cluster& cluster : chunk.clusters) {
    const ListView list(chunk, cluster);
    const Lanes3 at = RowColumns(in.rows, cluster.row, cluster.rows).xyz();
    const RowColumns own(in.motion, cluster.row, cluster.rows);
    const Lanes3 velocity = own.xyz();
    const Lanes density = own.last();
    const Lanes3 own_spin = RowColumns(spin, cluster.row, cluster.rows).xyz();
    Lanes3 pushed = none(), curl = none();
    walk(in.rows, list.near, list.near_end, [&](const Neighbours& j, const std::uint32_t* who) HWY_ATTR {
      const Pair pair = pair_of(at, xyz_of(j), scale.inverse_reach);
      const Neighbours other = take(in.motion, who);
      const Lanes3 gradient = slope(pair) * pair.apart;
      const Lanes3 weighted = others_share(density, w_of(other)) * gradient;
      pushed = pushed + cross(own_spin + xyz_of(take(spin, who)), weighted);
      curl = curl + cross(velocity - xyz_of(other), gradient);
    });
    store(pushed, scale.slope, cluster, push);
    store(curl, scale.slope, cluster, turn);
    for (std::uint32_t i = cluster.row; i < cluster.row + cluster.rows; ++i)
      turn[i].x -= 2 * spin[i].x, turn[i].y -= 2 * spin[i].y, turn[i].z -= 2 * spin[i].z;
  }
}

void curl_chunk(const SweepInput& in, const ForceScale& scale, const PairChunk& chunk, std::span<Float4> out) {
  for (const Cluster& cluster : chunk.clusters) {
    const ListView list(chunk, cluster);
    const Lanes3 at = RowColumns(in.rows, cluster.row, cluster.rows).xyz();
    const Lanes3 velocity = RowColumns(in.motion, cluster.row, cluster.rows).xyz();
    Lanes3 by_x = none(), by_y = none(), by_z = none(), squares = none(), products = none();
    walk(in.rows, list.near, list.near_end, [&](const Neighbours& j, const std::uint32_t* who) HWY_ATTR {
      const Pair pair = pair_of(at, xyz_of(j), scale.inverse_reach);
      const Lanes3 relative = velocity - xyz_of(take(in.motion, who)), gradient = slope(pair) * pair.apart;
      by_x = times_plus(gradient.x, relative, by_x), by_y = times_plus(gradient.y, relative, by_y),
      by_z = times_plus(gradient.z, relative, by_z);
      squares = squares + Lanes3{gradient.x * pair.apart.x, gradient.y * pair.apart.y, gradient.z * pair.apart.z};
      products = products + Lanes3{gradient.x * pair.apart.y, gradient.x * pair.apart.z, gradient.y * pair.apart.z};
    });
    float sum[5][3][4];
    const Lanes3* const sums[] = {&by_x, &by_y, &by_z, &squares, &products};
    for (std::size_t k = 0; k < 5; ++k)
      sum_rows(sums[k]->x, sum[k][0]), sum_rows(sums[k]->y, sum[k][1]), sum_rows(sums[k]->z, sum[k][2]);
    for (std::uint32_t i = 0; i < cluster.rows; ++i) {
      const auto s = [&](std::size_t k, std::size_t axis) {
        return -static_cast<double>(scale.slope * sum[k][axis][i]);
      };
      Mat3 by_velocity, by_place;
      by_velocity << s(0, 0), s(1, 0), s(2, 0), s(0, 1), s(1, 1), s(2, 1), s(0, 2), s(1, 2), s(2, 2);
      by_place << s(3, 0), s(4, 0), s(4, 1), s(4, 0), s(3, 1), s(4, 2), s(4, 1), s(4, 2), s(3, 2);
      const Vec3f curl = curl_of(by_velocity, by_place).cast<float>();
      out[cluster.row + i] = {curl.x(), curl.y(), curl.z(), 0};
    }
  }
}

void concentration_chunk(const SweepInput& in, const ForceScale& scale, const PairChunk& chunk, std::span<Float4> out) {
  for (const Cluster& cluster : chunk.clusters) {
    const ListView list(chunk, cluster);
    const Lanes3 at = RowColumns(in.rows, cluster.row, cluster.rows).xyz();
    Lanes3 sum = none();
    walk(in.rows, list.near, list.near_end, [&](const Neighbours& j, const std::uint32_t*) HWY_ATTR {
      const Pair pair = pair_of(at, xyz_of(j), scale.inverse_reach);
      sum = times_plus(slope(pair), pair.apart, sum);
    });
    walk(in.walls, list.walls, list.wall_end, [&](const Neighbours& b, const std::uint32_t*) HWY_ATTR {
      const Pair pair = pair_of(at, xyz_of(b), scale.inverse_reach);
      sum = times_plus(slope(pair) * w_of(b), pair.apart, sum);
    });
    store(sum, scale.slope, cluster, out);
  }
}

/// Returns whether a row of the cluster has a weight above 0.
inline bool has_weight(const RowColumns& rows, const Cluster& cluster) {
  return std::any_of(rows.w, rows.w + cluster.rows, [](float w) { return w > 0; });
}

void vector_mean_chunk(const SweepInput& in, const ForceScale& scale, const Float4* vectors, const PairChunk& chunk,
                       std::span<Float4> out) {
  for (const Cluster& cluster : chunk.clusters) {
    const RowColumns own(vectors, cluster.row, cluster.rows);
    Lanes3 sum = none();
    if (has_weight(own, cluster)) {
      const ListView list(chunk, cluster);
      const Lanes3 at = RowColumns(in.rows, cluster.row, cluster.rows).xyz();
      walk(in.rows, list.near, list.near_end, [&](const Neighbours& j, const std::uint32_t* who) HWY_ATTR {
        const Neighbours other = take(vectors, who);
        sum = times_plus(w_of(other) * shape(pair_of(at, xyz_of(j), scale.inverse_reach)), xyz_of(other), sum);
      });
    }
    store(sum, 1, cluster, out);
    for (std::uint32_t i = 0; i < cluster.rows; ++i) {
      Float4& row = out[cluster.row + i];
      if (own.w[i] > 0)
        row.w = own.w[i];
      else
        row = {};
    }
  }
}

void weight_chunk(const SweepInput& in, const ForceScale& scale, const PairChunk& chunk, std::span<Float4> out) {
  for (const Cluster& cluster : chunk.clusters) {
    const RowColumns own(in.rows, cluster.row, cluster.rows);
    Lanes sum = all(0);
    if (has_weight(own, cluster)) {
      const ListView list(chunk, cluster);
      const Lanes3 at = own.xyz();
      walk(in.rows, list.near, list.near_end, [&](const Neighbours& j, const std::uint32_t*) HWY_ATTR {
        sum = times_plus(w_of(j), shape(pair_of(at, xyz_of(j), scale.inverse_reach)), sum);
      });
    }
    float sums[4];
    sum_rows(sum, sums);
    for (std::uint32_t i = 0; i < cluster.rows; ++i) out[cluster.row + i].x = own.w[i] > 0 ? sums[i] : 0;
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace vw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vw {
HWY_EXPORT(smoothing_chunk);
HWY_EXPORT(normal_chunk);
HWY_EXPORT(tension_chunk);
HWY_EXPORT(spin_chunk);
HWY_EXPORT(curl_chunk);
HWY_EXPORT(concentration_chunk);
HWY_EXPORT(vector_mean_chunk);
HWY_EXPORT(weight_chunk);

namespace {

/// Strengths of the cohesion and of the normals' term (see tension_sweep()). The unit is the strength at which the
/// cohesion alone would produce the requested tension (tension_of()). The values were calibrated so that a drop of 16
/// particles across oscillates with the frequency of its tension (Rayleigh 1879; tests/fluid/flows/tension_test.cpp).
/// Cohesion alone contracts the interior as much as the surface, so the interior freezes. The normals' term separates
/// the surface layer from the interior and leaves the tension along the surface.
constexpr double cohesion_share = 0.35, normals_share = 4.0;

/// Returns the surface tension of pair attractions F between evenly distributed particles: (pi / 8) n^2 times the
/// integral of F r^4 dr, with the number density n = 1 / d^3 (Rayleigh 1890; Rowlinson & Widom 1982, eq. 1.19). For F =
/// d shape(q) and the support radius H = 2 d, the tension is 4 pi times the integral of shape q^4 over q.
template <class F>
double tension_of(F shape) {
  constexpr int parts = 2000;
  double sum = 0;
  for (int k = 0; k < parts; ++k) {
    const double q = (k + 0.5) / parts;
    sum += shape(q) * q * q * q * q / parts;
  }
  return 4 * std::numbers::pi * sum;
}
double cohesion_at(double q) {
  const double t = (1 - q) * q, pull = 64 * t * t * t;
  return q < 0.5 ? 2 * pull - 1 : pull;
}
double adhesion_at(double q) { return elementary::pow(std::max(0.0, 16 * (1 - q) * (q - 0.5)), 0.25); }
/// Factors of cohesion() and adhesion() in the force per volume, for a tension of 1 N/m and a spacing of 1 m.
struct TensionFactors {
  double cohesion, adhesion;
};
const TensionFactors& tension_factors() {
  static const TensionFactors factors{cohesion_share / tension_of(cohesion_at), 1 / tension_of(adhesion_at)};
  return factors;
}

/// Returns the sum of t^3 x^2 over the lattice, with t = 1 - r / H, the support radius H, and x in spacings. All
/// gradients are divided by minus this sum, so that derivatives of linear fields are exact on the lattice.
double lattice_second_moment() {
  double sum = 0;
  for (int x = -2; x <= 2; ++x)
    for (int y = -2; y <= 2; ++y)
      for (int z = -2; z <= 2; ++z) {
        const double t = std::max(0.0, 1 - std::sqrt(x * x + y * y + z * z) / 2);
        sum += t * t * t * x * x;
      }
  return sum;
}

ForceScale scale_of(const SweepInput& in) {
  static const double second_moment = lattice_second_moment();
  const double d = in.reach_m / 2, h = in.reach_m;
  ForceScale scale;
  scale.inverse_reach = static_cast<float>(1 / h);
  scale.shape = static_cast<float>(in.volume_m3 / (h * h * h) * kernel_shape(SphKernel::wendland, 0) *
                                   lattice_factor(SphKernel::wendland));
  scale.slope = static_cast<float>(-1 / (second_moment * d * d));
  scale.cohesion = static_cast<float>(tension_factors().cohesion / (d * d));
  scale.normals = static_cast<float>(normals_share / cohesion_share) * scale.cohesion;
  scale.adhesion = static_cast<float>(tension_factors().adhesion / (d * d));
  return scale;
}

template <class F>
void each_chunk(const SweepInput& in, F f) {
  const auto chunks = in.lists->chunks();
  const ForceScale scale = scale_of(in);
  parallel_for(chunks.size(), 1, [&](Range range, std::size_t) {
    for (std::size_t c = range.begin; c < range.end; ++c) f(scale, chunks[c]);
  });
}

}  // namespace

void smoothing_sweep(const SweepInput& in, const Smoothing& smoothing, std::span<Float4> out) {
  each_chunk(in, [&](const ForceScale& scale, const PairChunk& chunk) {
    HWY_DYNAMIC_DISPATCH(smoothing_chunk)(in, scale, smoothing, chunk, out);
  });
}
void normal_sweep(const SweepInput& in, float miscibility, std::span<Float4> out) {
  each_chunk(in, [&](const ForceScale& scale, const PairChunk& chunk) {
    HWY_DYNAMIC_DISPATCH(normal_chunk)(in, scale, miscibility, chunk, out);
  });
}
void tension_sweep(const SweepInput& in, const Tension& tension, std::span<Float4> out) {
  each_chunk(in, [&](const ForceScale& scale, const PairChunk& chunk) {
    HWY_DYNAMIC_DISPATCH(tension_chunk)(in, scale, tension, chunk, out);
  });
}
double adhesion_pull(const SweepInput& in, double distance_m, double share) {
  const double d = in.reach_m / 2;
  return tension_factors().adhesion / (d * d) * share * adhesion_at(std::min(1.0, distance_m / in.reach_m));
}
void spin_sweep(const SweepInput& in, const Float4* spin, std::span<Float4> push, std::span<Float4> turn) {
  each_chunk(in, [&](const ForceScale& scale, const PairChunk& chunk) {
    HWY_DYNAMIC_DISPATCH(spin_chunk)(in, scale, spin, chunk, push, turn);
  });
}
void curl_sweep(const SweepInput& in, std::span<Float4> out) {
  each_chunk(in, [&](const ForceScale& scale, const PairChunk& chunk) {
    HWY_DYNAMIC_DISPATCH(curl_chunk)(in, scale, chunk, out);
  });
}
void concentration_sweep(const SweepInput& in, std::span<Float4> out) {
  each_chunk(in, [&](const ForceScale& scale, const PairChunk& chunk) {
    HWY_DYNAMIC_DISPATCH(concentration_chunk)(in, scale, chunk, out);
  });
}
void vector_mean_sweep(const SweepInput& in, const Float4* vectors, std::span<Float4> out) {
  each_chunk(in, [&](const ForceScale& scale, const PairChunk& chunk) {
    HWY_DYNAMIC_DISPATCH(vector_mean_chunk)(in, scale, vectors, chunk, out);
  });
}
void weight_sweep(const SweepInput& in, std::span<Float4> out) {
  each_chunk(in, [&](const ForceScale& scale, const PairChunk& chunk) {
    HWY_DYNAMIC_DISPATCH(weight_chunk)(in, scale, chunk, out);
  });
}

}  // namespace vw
#endif
