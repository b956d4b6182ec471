// Pair sums of forces other than pressure and viscosity. All gradients use Wendland's kernel, scaled so that
// derivatives of linear fields are exact on the lattice. `in.kernel` has no effect on these gradients.
#pragma once

#include <span>

#include "sim/system/fluid/pressure/sweeps.h"

namespace vw {

/// XSPH (Monaghan 1989). The output velocity is v_i + share sum 2 rho_j / (rho_i + rho_j) V W (v_j - v_i). motion.w:
/// rest density rho, which is copied to the output. `one_liquid`: all rest densities are equal, so the density factor
/// is 1.
struct Smoothing {
  float share = 0;
  bool one_liquid = false;
};
void smoothing_sweep(const SweepInput& in, const Smoothing& smoothing, std::span<Float4> out);

/// Surface normals that point into the fluid, n = H sum V grad W over rows of the same phase (Akinci, Akinci & Teschner
/// 2013, sec. 3). Other phases count with the weight `miscibility`, walls with weight 1. rows.w: phase number. Writes
/// xyz of `out`.
void normal_sweep(const SweepInput& in, float miscibility, std::span<Float4> out);

struct Tension {
  const Float4* normals = nullptr;  ///< Surface normals. w: tension of the row's phase [N/m].
  float miscibility = 0;
};
/// Force by tension and adhesion per volume [N/m^3] (Akinci et al. 2013). The first term is the cohesion of eq. 2,
/// which attracts pairs beyond about 0.8 d and repels closer ones. The second term is the difference of the normals of
/// a pair (eq. 3). Only the component of this difference along the pair is used, so that angular momentum is conserved.
/// rows.w: phase number; wall_motion.w: adhesion [N/m]. The factors are calibrated so that drops oscillate with the
/// frequency of the requested tension. In addition to the Laplace pressure, cohesion causes an interior pressure of
/// about 1.8 sigma / d, where sigma is the tension.
void tension_sweep(const SweepInput& in, const Tension& tension, std::span<Float4> out);
/// Attraction of a row toward one wall sample, per volume and adhesion [1/m^2], as tension_sweep() computes it.
/// `share`: volume of the sample / V.
[[nodiscard]] double adhesion_pull(const SweepInput& in, double distance_m, double share);

/// Pair sums of the micropolar model (Bender, Koschier, Kugelstadt & Weiler 2017) without its coefficients. `push`:
/// effect of the spins w on velocities, sum V s (w_i + w_j) x grad W, with s = 2 rho_j / (rho_i + rho_j). `turn`: curl
/// v - 2 w. motion.w: rest density. `spin`: spins in xyz.
void spin_sweep(const SweepInput& in, const Float4* spin, std::span<Float4> push, std::span<Float4> turn);

/// Curl of the velocity [1/s], without the contribution of walls.
void curl_sweep(const SweepInput& in, std::span<Float4> out);

/// Concentration gradient: sum of V grad W over rows and walls [1/m]. It is 0 where particles are evenly distributed.
void concentration_sweep(const SweepInput& in, std::span<Float4> out);

}  // namespace vw
