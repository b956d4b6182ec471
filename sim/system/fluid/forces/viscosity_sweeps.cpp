// Pair sums of viscosity, compiled once for each instruction set (Highway). See viscosity_sweeps.h.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/system/fluid/forces/viscosity_sweeps.cpp"
// Compiles for scalar code and for vectors of 128, 256 and 512 bits. Other targets of the same widths are disabled.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "sim/base/parallel/parallel.h"
#include "sim/system/fluid/forces/viscosity_sweeps.h"
#include "sim/system/fluid/neighbors/force_walk-inl.h"

#ifndef VOXWAKE_VISCOSITY_SWEEPS_SHARED
#define VOXWAKE_VISCOSITY_SWEEPS_SHARED
namespace vw {
/// Factors of the weight in a sweep [1/m^2]: `rows` for pairs of particles, `walls` for pairs of a particle and a wall
/// sample.
struct ViscousScale {
  float inverse_reach = 1, rows = 1, walls = 1;
};
}  // namespace vw
#endif

HWY_BEFORE_NAMESPACE();
namespace vw {
namespace HWY_NAMESPACE {

HWY_INLINE Lanes viscous_weight(const Pair& pair) {
  const Lanes t = no_less_than_zero(all(1.0F) - pair.q);
  return t * times_plus(all(static_cast<float>(viscous_bend)), t, all(1.0F));
}
/// Returns half the harmonic mean of two viscosities, or 0 if one of them is 0.
HWY_INLINE Lanes shared_viscosity(Lanes a, Lanes b) { return a * b * inverse(a + b + all(1e-30F)); }

template <bool central, bool uniform>
void force_chunk(const ViscousPairs& pairs, const ViscousScale& scale, const PairChunk& chunk, std::span<Float4> out) {
  for (const Cluster& cluster : chunk.clusters) {
    const ListView list(chunk, cluster);
    const Lanes3 at = RowColumns(pairs.in.rows, cluster.row, cluster.rows).xyz();
    const RowColumns own(pairs.moving, cluster.row, cluster.rows);
    const Lanes3 velocity = own.xyz();
    const Lanes viscosity = own.last();
    Lanes3 force{all(0), all(0), all(0)}, drag = force;
    walk(pairs.in.rows, list.near, list.near_end, [&](const Neighbours& j, const std::uint32_t* who) HWY_ATTR {
      const Pair pair = pair_of(at, xyz_of(j), scale.inverse_reach);
      const Neighbours other = take(pairs.moving, who);
      const Lanes3 relative = xyz_of(other) - velocity;
      const Lanes weight =
          uniform ? viscous_weight(pair) : viscous_weight(pair) * shared_viscosity(viscosity, w_of(other));
      if constexpr (central) {
        const Lanes along = dot(relative, pair.apart) * (pair.inverse_r * pair.inverse_r);
        force = times_plus(weight * along, pair.apart, force);
      } else {
        force = times_plus(weight, relative, force);
      }
    });
    walk(pairs.in.walls, list.walls, list.wall_end, [&](const Neighbours& b, const std::uint32_t* who) HWY_ATTR {
      const Pair pair = pair_of(at, xyz_of(b), scale.inverse_reach);
      const Neighbours other = take(pairs.walls, who);
      drag = times_plus(w_of(b) * w_of(other) * viscous_weight(pair), xyz_of(other) - velocity, drag);
    });
    float x[4], y[4], z[4], dx[4], dy[4], dz[4];
    sum_rows(force.x, x), sum_rows(force.y, y), sum_rows(force.z, z);
    sum_rows(drag.x, dx), sum_rows(drag.y, dy), sum_rows(drag.z, dz);
    for (std::uint32_t i = 0; i < cluster.rows; ++i) {
      Float4& row = out[cluster.row + i];
      const float wall = scale.walls * own.w[i], near = uniform ? 0.5F * scale.rows * own.w[i] : scale.rows;
      row.x = near * x[i] + wall * dx[i], row.y = near * y[i] + wall * dy[i], row.z = near * z[i] + wall * dz[i];
    }
  }
}

template <bool central>
void diagonal_chunk(const ViscousPairs& pairs, const ViscousScale& scale, const PairChunk& chunk,
                    std::span<SymmetricBlock> out) {
  for (const Cluster& cluster : chunk.clusters) {
    const ListView list(chunk, cluster);
    const Lanes3 at = RowColumns(pairs.in.rows, cluster.row, cluster.rows).xyz();
    const RowColumns own(pairs.moving, cluster.row, cluster.rows);
    const Lanes viscosity = own.last();
    Lanes sums[6] = {all(0), all(0), all(0), all(0), all(0), all(0)};
    Lanes drag = all(0);
    walk(pairs.in.rows, list.near, list.near_end, [&](const Neighbours& j, const std::uint32_t* who) HWY_ATTR {
      const Pair pair = pair_of(at, xyz_of(j), scale.inverse_reach);
      const Lanes weight = viscous_weight(pair) * shared_viscosity(viscosity, w_of(take(pairs.moving, who)));
      if constexpr (central) {
        const Lanes3 axis = pair.inverse_r * pair.apart;
        const Lanes3 weighted = weight * axis;
        sums[0] = times_plus(weighted.x, axis.x, sums[0]), sums[1] = times_plus(weighted.y, axis.y, sums[1]);
        sums[2] = times_plus(weighted.z, axis.z, sums[2]), sums[3] = times_plus(weighted.x, axis.y, sums[3]);
        sums[4] = times_plus(weighted.x, axis.z, sums[4]), sums[5] = times_plus(weighted.y, axis.z, sums[5]);
      } else {
        // A particle is in its own list. A central force on itself is zero, but here the weight at distance zero must
        // be left out.
        sums[0] = sums[0] + where_less(all(1e-4F), pair.q, weight);
      }
    });
    walk(pairs.in.walls, list.walls, list.wall_end, [&](const Neighbours& b, const std::uint32_t* who) HWY_ATTR {
      const Pair pair = pair_of(at, xyz_of(b), scale.inverse_reach);
      drag = times_plus(w_of(b) * w_of(take(pairs.walls, who)), viscous_weight(pair), drag);
    });
    float sum[6][4], wall[4];
    for (int k = 0; k < 6; ++k) sum_rows(sums[k], sum[k]);
    sum_rows(drag, wall);
    for (std::uint32_t i = 0; i < cluster.rows; ++i) {
      SymmetricBlock& block = out[cluster.row + i];
      for (std::size_t k = 0; k < 6; ++k) block[k] = scale.rows * sum[central || k >= 3 ? k : 0][i];
      for (std::size_t k = 0; k < 3; ++k) block[k] += scale.walls * own.w[i] * wall[i];
    }
  }
}

void force_any(const ViscousPairs& pairs, const ViscousScale& scale, const PairChunk& chunk, std::span<Float4> out) {
  if (pairs.central)
    pairs.uniform ? force_chunk<true, true>(pairs, scale, chunk, out)
                  : force_chunk<true, false>(pairs, scale, chunk, out);
  else
    pairs.uniform ? force_chunk<false, true>(pairs, scale, chunk, out)
                  : force_chunk<false, false>(pairs, scale, chunk, out);
}
void diagonal_any(const ViscousPairs& pairs, const ViscousScale& scale, const PairChunk& chunk,
                  std::span<SymmetricBlock> out) {
  pairs.central ? diagonal_chunk<true>(pairs, scale, chunk, out) : diagonal_chunk<false>(pairs, scale, chunk, out);
}

}  // namespace HWY_NAMESPACE
}  // namespace vw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vw {
HWY_EXPORT(force_any);
HWY_EXPORT(diagonal_any);

namespace {

double weight_at(double q) {
  const double t = std::max(0.0, 1 - q);
  return t * (1 + viscous_bend * t);
}

/// Returns the factors, computed from a lattice of spacing 1 and support radius 2. In a liquid of viscosity 1, the
/// velocity u_x = y^2 / 2 must cause the force 1. A pair has the shared viscosity 1 / 2, so the force is a quarter of
/// the sum of w (x y / r)^2 (central forces) or of w y^2 (forces along the velocity difference), with the weight w.
ViscousFactors lattice_factors() {
  double fourth = 0, second = 0, sum = 0, axial = 0;
  for (int x = -2; x <= 2; ++x)
    for (int y = -2; y <= 2; ++y)
      for (int z = -2; z <= 2; ++z) {
        const double squared = x * x + y * y + z * z, w = weight_at(std::sqrt(squared) / 2);
        if (squared == 0) continue;
        fourth += w * x * x * y * y / squared;
        second += w * x * x;
        sum += w;
        axial += w * x * x / squared;
      }
  // The largest eigenvalue belongs to particles that move against all their neighbours. The force on such a particle is
  // twice the force of the diagonal entry.
  ViscousFactors factors{4 / fourth, 4 / second, 0};
  factors.bound = std::max(factors.central * axial, factors.along * sum);
  return factors;
}

ViscousScale scale_of(const ViscousPairs& pairs) {
  const ViscousFactors& factors = viscous_factors();
  const double d = pairs.in.reach_m / 2;
  // A wall represents the mirror image of the particle. The velocity of the image differs from the velocity of the
  // particle by twice the difference between wall and particle. The wall sums contain the single difference and the
  // whole viscosity of the particle, instead of the double difference and half the viscosity.
  return {static_cast<float>(1 / pairs.in.reach_m),
          static_cast<float>((pairs.central ? factors.central : factors.along) / (d * d)),
          static_cast<float>(factors.along / (d * d))};
}

template <class F>
void each_chunk(const SweepInput& in, F f) {
  const auto chunks = in.lists->chunks();
  parallel_for(chunks.size(), 1, [&](Range range, std::size_t) {
    for (std::size_t c = range.begin; c < range.end; ++c) f(chunks[c]);
  });
}

}  // namespace

const ViscousFactors& viscous_factors() {
  static const ViscousFactors factors = lattice_factors();
  return factors;
}

void viscous_sweep(const ViscousPairs& pairs, std::span<Float4> out) {
  const ViscousScale scale = scale_of(pairs);
  each_chunk(pairs.in, [&](const PairChunk& chunk) { HWY_DYNAMIC_DISPATCH(force_any)(pairs, scale, chunk, out); });
}
void viscous_diagonal_sweep(const ViscousPairs& pairs, std::span<SymmetricBlock> out) {
  const ViscousScale scale = scale_of(pairs);
  each_chunk(pairs.in, [&](const PairChunk& chunk) { HWY_DYNAMIC_DISPATCH(diagonal_any)(pairs, scale, chunk, out); });
}
double skin_weight(const SweepInput& in, double distance_m) {
  const double d = in.reach_m / 2;
  return viscous_factors().along / (d * d) * weight_at(distance_m / in.reach_m);
}

}  // namespace vw
#endif
