// Pair sums of forces other than pressure and viscosity. All gradients use Wendland's kernel W, scaled so that
// derivatives of linear fields are exact on the lattice. `in.kernel` has no effect on these gradients. V is the volume
// of a particle, d the spacing and H = 2 d the support radius.
#pragma once

#include <span>

#include "sim/system/fluid/pressure/sweeps.h"

namespace vw {

/// Input of smoothing_sweep(), which applies XSPH (Monaghan 1989). The output velocity is v_i + share sum 2 rho_j /
/// (rho_i + rho_j) V W (v_j - v_i). motion.w: rest density rho, which is copied to the output. `one_liquid`: all rest
/// densities are equal, so the density factor is 1.
struct Smoothing {
  float share = 0;
  bool one_liquid = false;
};
void smoothing_sweep(const SweepInput& in, const Smoothing& smoothing, std::span<Float4> out);

/// Computes surface normals n that point into the fluid: n = H sum V grad W over particles of the same phase (Akinci,
/// Akinci & Teschner 2013, sec. 3). Other phases count with the weight `miscibility`, walls with weight 1. rows.w:
/// phase number. Writes xyz of `out`.
void normal_sweep(const SweepInput& in, float miscibility, std::span<Float4> out);

struct Tension {
  const Float4* normals = nullptr;  ///< Surface normals. w: tension of the particle's phase [N/m].
  float miscibility = 0;
};
/// Computes the force by tension and adhesion per volume [N/m^3] (Akinci et al. 2013). The first term is the cohesion
/// of eq. 2, which attracts pairs beyond 0.55 d and repels closer pairs. The second term is the difference of the
/// normals of a pair (eq. 3), weighted by W. Only the component of this difference along the pair is used, so that
/// angular momentum is conserved. rows.w: phase number; wall_motion.w: adhesion [N/m]. The factors are calibrated so
/// that drops oscillate with the frequency of the requested tension. In addition to the Laplace pressure, cohesion
/// causes an interior pressure of about 1.7 sigma / d in a lattice, where sigma is the tension.
void tension_sweep(const SweepInput& in, const Tension& tension, std::span<Float4> out);
/// Returns the attraction of a particle toward one wall sample, per volume of fluid and for an adhesion of 1 N/m
/// [1/m^2], as tension_sweep() computes it. `share`: volume of the sample divided by the volume of a particle.
[[nodiscard]] double adhesion_pull(const SweepInput& in, double distance_m, double share);

/// Computes the pair sums of the micropolar model (Bender, Koschier, Kugelstadt & Weiler 2017) without its
/// coefficients. `push`: effect of the spins omega on velocities, sum V s (omega_i + omega_j) x grad W, with s = 2
/// rho_j / (rho_i + rho_j). `turn`: curl v - 2 omega. motion.w: rest density rho. `spin`: omega in xyz.
void spin_sweep(const SweepInput& in, const Float4* spin, std::span<Float4> push, std::span<Float4> turn);

/// Computes the curl of the velocity [1/s], without the contribution of walls.
void curl_sweep(const SweepInput& in, std::span<Float4> out);

/// Computes the concentration gradient: the sum of V grad W over particles and walls [1/m]. The gradient is 0 where
/// particles are evenly distributed.
void concentration_sweep(const SweepInput& in, std::span<Float4> out);

/// Computes weighted means of vectors, not divided by the sum of the weights: the sum over the neighbours j and the row
/// itself of w_j W(q_ij) n_j, with q_ij = |x_i - x_j| / H and Wendland's function W normalised to 1 at q = 0.
/// `vectors`: n in xyz, weight in w. Writes the sums to xyz of `out` and copies w. A row with w = 0 gets 0.
void vector_mean_sweep(const SweepInput& in, const Float4* vectors, std::span<Float4> out);

/// Computes the sum of w_j W(q_ij) over the neighbours j and the row itself, with q_ij = |x_i - x_j| / H and Wendland's
/// function W normalised to 1 at q = 0. rows.w: weight w. Writes x of `out`. A row with w = 0 gets 0.
void weight_sweep(const SweepInput& in, std::span<Float4> out);

}  // namespace vw
