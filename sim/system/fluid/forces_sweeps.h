// Pair sums of forces other than pressure and viscosity. All slopes are of Wendland's kernel, scaled so that the lattice gives linear fields their
// right derivatives; `in.kernel` does not count.
#pragma once

#include <span>

#include "sim/system/fluid/sweeps.h"

namespace vw {

/// XSPH (Monaghan 1989): velocities and a share of the mean difference to the neighbours', v + share sum 2 rho_j / (rho_i + rho_j) V W (v_j - v_i);
/// motion.w: rest density, which comes with it. `one_liquid`: all have the same, so that the densities' part is 1.
struct Smoothing {
  float share = 0;
  bool one_liquid = false;
};
void smoothing_sweep(const SweepInput& in, const Smoothing& smoothing, std::span<Float4> out);

/// Normals into the fluid, n = H sum V grad W over rows of the same phase (Akinci, Akinci & Teschner 2013, sec. 3), other phases counted as
/// `miscibility`, walls fully. rows.w: the phase's number. xyz of out.
void normal_sweep(const SweepInput& in, float miscibility, std::span<Float4> out);

struct Tension {
  const Float4* normals = nullptr;  ///< w: tension of the row's phase [N/m]
  float miscibility = 0;
};
/// Force by tension and adhesion per volume [N/m^3]: the cohesion of Akinci et al. 2013, eq. 2, which pulls two rows together beyond some 0.8 d and
/// apart below, and their normals' difference (eq. 3), of which only what is along the same line, so that spin is kept. rows.w: the phase's number;
/// wall_motion.w: adhesion [N/m]. The factors make drops swing as the tension asked for would;
/// besides Laplace's pressure, cohesion leaves one of about 1.8 sigma / d inside.
void tension_sweep(const SweepInput& in, const Tension& tension, std::span<Float4> out);
/// Pull of one sample of a wall on a row per volume and adhesion [1/m^2], toward the sample: as in tension_sweep.
[[nodiscard]] double adhesion_pull(const SweepInput& in, double distance_m, double share);

/// Micropolar rows (Bender, Koschier, Kugelstadt & Weiler 2017), without a factor: what spins give velocities, sum V s (w_i + w_j) x grad W, with
/// s = 2 rho_j / (rho_i + rho_j), into `push`, and curl v - 2 w, into `turn`; motion.w: rest density; xyz of spin.
void spin_sweep(const SweepInput& in, const Float4* spin, std::span<Float4> push, std::span<Float4> turn);

/// Curl of the velocity [1/s]. Walls do not count.
void curl_sweep(const SweepInput& in, std::span<Float4> out);

/// Slope of the concentration, sum V grad W over rows and walls [1/m]; where it is evenly filled, 0.
void concentration_sweep(const SweepInput& in, std::span<Float4> out);

}  // namespace vw
