// Strain-rate sweeps, compiled once for each instruction set (Highway). See strain.h.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sim/system/fluid/forces/strain.cpp"
// Compiles for scalar code and for vectors of 128, 256 and 512 bits. Other targets of the same widths are disabled.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "sim/base/parallel/parallel.h"
#include "sim/system/fluid/forces/strain.h"
#include "sim/system/fluid/forces/viscosity_sweeps.h"
#include "sim/system/fluid/neighbors/force_walk-inl.h"

#ifndef VOXWAKE_STRAIN_SHARED
#define VOXWAKE_STRAIN_SHARED
namespace vw {

/// Sums over a particle's neighbours, with the particle volume V and the kernel W. `velocity`: -V (v_i - v_j) grad W^T.
/// `place`: -V (x_i - x_j) grad W^T. `lean`: -V grad W.
struct StrainSums {
  Mat3 velocity, place;
  Vec3 lean;
};
/// Thresholds of d |sum V grad W|, with the spacing d: interior particles lie below the first, particles at a flat
/// surface above the second.
constexpr double leans_inside = 0.2, leans_outside = 0.4;

inline StrainRow strain_of(const StrainSums& sums, double spacing_m) {
  const double inside =
      std::clamp((leans_outside - sums.lean.norm() * spacing_m) / (leans_outside - leans_inside), 0.0, 1.0);
  if (!(inside > 0) || !(sums.place.determinant() > 1e-3)) return {};
  const Mat3 slope = sums.velocity * sums.place.inverse();
  const double third = slope.trace() / 3, virial = sums.place.trace() / 3;
  const auto f = [](double x) { return static_cast<float>(x); };
  StrainRow row;
  row.xx = f(slope(0, 0) - third), row.yy = f(slope(1, 1) - third), row.zz = f(slope(2, 2) - third);
  row.xy = f(0.5 * (slope(0, 1) + slope(1, 0))), row.xz = f(0.5 * (slope(0, 2) + slope(2, 0))),
  row.yz = f(0.5 * (slope(1, 2) + slope(2, 1)));
  row.spurious = f(inside * (3 * third * virial - sums.velocity.trace()));
  row.inside = f(inside);
  return row;
}

/// Constants of the viscosity correction.
struct Evening {
  float inverse_reach = 1;
  float lattice = 1;  ///< Ratio of the dissipation sum in the lattice to the squared strain rate [m^2].
  float least = 0;    ///< Squared strain rate below which the correction fades out [1/s^2].
};
constexpr float most_evened = 2;

}  // namespace vw
#endif

HWY_BEFORE_NAMESPACE();
namespace vw {
namespace HWY_NAMESPACE {

template <SphKernel kernel>
void strain_chunk(const SweepInput& in, std::span<const DensityRow> density, const PairChunk& chunk,
                  std::span<StrainRow> out) {
  fetch(in.rows, chunk);
  fetch(in.motion, chunk);
  const auto reach = static_cast<float>(in.reach_m);
  const float inverse_reach = 1 / reach;
  const double factor = -in.volume_m3 * static_cast<double>(kernel_scale<kernel>(in.reach_m, in.factor).slope);
  for (const Cluster& cluster : chunk.clusters) {
    const ListView list(chunk, cluster);
    const Lanes3 at = RowColumns(in.rows, cluster.row, cluster.rows).xyz();
    const Lanes3 motion = RowColumns(in.motion, cluster.row, cluster.rows).xyz();
    const Lanes3 none{all(0), all(0), all(0)};
    Lanes3 by_x = none, by_y = none, by_z = none, squares = none, products = none, lean = none;
    walk(in.rows, list.near, list.near_end, [&](const Neighbours& j, const std::uint32_t* who) HWY_ATTR {
      const Pair pair = pair_of(at, xyz_of(j), inverse_reach);
      const Lanes3 relative = motion - xyz_of(take(in.motion, who)), slope = slope_of<kernel>(pair, reach) * pair.apart;
      by_x = times_plus(slope.x, relative, by_x), by_y = times_plus(slope.y, relative, by_y),
      by_z = times_plus(slope.z, relative, by_z);
      squares = {times_plus(slope.x, pair.apart.x, squares.x), times_plus(slope.y, pair.apart.y, squares.y),
                 times_plus(slope.z, pair.apart.z, squares.z)};
      products = {times_plus(slope.x, pair.apart.y, products.x), times_plus(slope.x, pair.apart.z, products.y),
                  times_plus(slope.y, pair.apart.z, products.z)};
      lean = lean + slope;
    });
    float sum[18][4];
    const Lanes3* const all_sums[] = {&by_x, &by_y, &by_z, &squares, &products, &lean};
    for (std::size_t k = 0; k < 6; ++k) {
      sum_rows(all_sums[k]->x, sum[3 * k]);
      sum_rows(all_sums[k]->y, sum[3 * k + 1]);
      sum_rows(all_sums[k]->z, sum[3 * k + 2]);
    }
    for (std::uint32_t i = 0; i < cluster.rows; ++i) {
      if (density[cluster.row + i].wall_density > 0) {
        out[cluster.row + i] = {};
        continue;
      }
      const auto s = [&](std::size_t k) { return factor * static_cast<double>(sum[k][i]); };
      StrainSums sums;
      sums.velocity << s(0), s(3), s(6), s(1), s(4), s(7), s(2), s(5), s(8);
      sums.place << s(9), s(12), s(13), s(12), s(10), s(14), s(13), s(14), s(11);
      sums.lean = {s(15), s(16), s(17)};
      out[cluster.row + i] = strain_of(sums, 0.5 * in.reach_m);
    }
  }
}
void strain_any(const SweepInput& in, std::span<const DensityRow> density, const PairChunk& chunk,
                std::span<StrainRow> out) {
  in.kernel == SphKernel::wendland ? strain_chunk<SphKernel::wendland>(in, density, chunk, out)
                                   : strain_chunk<SphKernel::cubic>(in, density, chunk, out);
}

void even_chunk(const SweepInput& in, const Evening& evening, const PairChunk& chunk, std::span<const StrainRow> strain,
                std::span<float> viscosity) {
  fetch(in.rows, chunk);
  for (const Cluster& cluster : chunk.clusters) {
    const ListView list(chunk, cluster);
    const Lanes3 at = RowColumns(in.rows, cluster.row, cluster.rows).xyz();
    alignas(16) float part[6][4], squared[4];
    for (std::uint32_t i = 0; i < 4; ++i) {
      const StrainRow& e = strain[cluster.row + std::min(i, cluster.rows - 1)];
      part[0][i] = e.xx, part[1][i] = e.yy, part[2][i] = e.zz, part[3][i] = e.xy, part[4][i] = e.xz, part[5][i] = e.yz;
      squared[i] = e.xx * e.xx + e.yy * e.yy + e.zz * e.zz + 2 * (e.xy * e.xy + e.xz * e.xz + e.yz * e.yz);
    }
    const Lanes3 x{of_rows(part[0]), of_rows(part[3]), of_rows(part[4])},
        y{of_rows(part[3]), of_rows(part[1]), of_rows(part[5])},
        z{of_rows(part[4]), of_rows(part[5]), of_rows(part[2])};
    Lanes taken = all(0);
    walk(in.rows, list.near, list.near_end, [&](const Neighbours& j, const std::uint32_t*) HWY_ATTR {
      const Pair pair = pair_of(at, xyz_of(j), evening.inverse_reach);
      const Lanes3 turned{dot(x, pair.apart), dot(y, pair.apart), dot(z, pair.apart)};
      const Lanes along = dot(turned, pair.apart) * pair.inverse_r;
      const Lanes t = no_less_than_zero(all(1.0F) - pair.q);
      const Lanes weight = t * times_plus(all(static_cast<float>(viscous_bend)), t, all(1.0F));
      taken = times_plus(weight * along, along, taken);
    });
    float sum[4];
    sum_rows(taken, sum);
    for (std::uint32_t i = 0; i < cluster.rows; ++i) {
      const float least = evening.lattice * evening.least,
                  ratio = (evening.lattice * squared[i] + least) / (sum[i] + least + 1e-30F);
      viscosity[cluster.row + i] *=
          1 + strain[cluster.row + i].inside * (std::clamp(ratio, 1 / most_evened, most_evened) - 1);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace vw
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace vw {
HWY_EXPORT(strain_any);
HWY_EXPORT(even_chunk);

namespace {

template <class F>
void each_chunk(const SweepInput& in, F f) {
  const auto chunks = in.lists->chunks();
  parallel_for(chunks.size(), 1, [&](Range range, std::size_t) {
    for (std::size_t c = range.begin; c < range.end; ++c) f(chunks[c]);
  });
}

/// Returns the dissipation sum of the lattice of spacing 1, divided by the squared strain rate. The flow (x, -y, 0) has
/// the sum of w (x^2 - y^2)^2 / r^2 over the lattice, with the viscous weight w, and the squared strain rate 2. With
/// viscous_bend, all strain rates of equal magnitude have the same sum.
double lattice_take() {
  double sum = 0;
  for (int x = -2; x <= 2; ++x)
    for (int y = -2; y <= 2; ++y)
      for (int z = -2; z <= 2; ++z) {
        const double squared = x * x + y * y + z * z, t = std::max(0.0, 1 - std::sqrt(squared) / 2),
                     across = x * x - y * y;
        if (squared > 0) sum += t * (1 + viscous_bend * t) * across * across / squared;
      }
  return sum / 2;
}

/// Returns the mean squared strain rate [1/s^2].
double mean_square(std::span<const StrainRow> strain) {
  const double sum = ordered_sum(strain.size(), 4096, 0.0, [&](Range range) {
    double part = 0;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      const StrainRow& e = strain[i];
      part +=
          static_cast<double>(e.xx * e.xx + e.yy * e.yy + e.zz * e.zz + 2 * (e.xy * e.xy + e.xz * e.xz + e.yz * e.yz));
    }
    return part;
  });
  return sum / static_cast<double>(std::max<std::size_t>(1, strain.size()));
}

}  // namespace

void strain_sweep(const SweepInput& in, std::span<const DensityRow> density, std::span<StrainRow> out) {
  each_chunk(in, [&](const PairChunk& chunk) { HWY_DYNAMIC_DISPATCH(strain_any)(in, density, chunk, out); });
}

void correct_viscosity_sweep(const SweepInput& in, std::span<const StrainRow> strain, std::span<float> viscosity) {
  static const double take = lattice_take();
  const double d = in.reach_m / 2;
  // The correction fades out for particles whose squared strain rate is below a thousandth of the mean, because their
  // strain rates give no information about the arrangement of their neighbours.
  const Evening evening{static_cast<float>(1 / in.reach_m), static_cast<float>(take * d * d),
                        static_cast<float>(1e-3 * mean_square(strain))};
  each_chunk(in, [&](const PairChunk& chunk) {
    HWY_DYNAMIC_DISPATCH(even_chunk)(in, evening, chunk, strain, viscosity);
  });
}

}  // namespace vw
#endif
