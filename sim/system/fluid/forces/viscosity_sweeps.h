// Pair sums of viscosity. The weight is not the kernel's slope but a function of the same support whose second and
// fourth moments on the cubic lattice equal the moments of an isotropic liquid. With some thirty neighbours, the slope
// of Wendland's kernel would make shear along the lattice's axes 40 % too weak.
#pragma once

#include <array>
#include <span>

#include "sim/system/fluid/pressure/sweeps.h"

namespace vw {

/// Coefficient `bend` of the weight t (1 + bend t), where t = 1 - r / H. The weight is zero beyond the support radius H
/// = 2 d. With this coefficient the lattice's moments are isotropic, and differ by at most 0.3 % from the moments of
/// evenly distributed particles.
inline constexpr double viscous_bend = 1.2906;
/// Dimensionless factors of the weight for which a lattice of spacing d has the requested viscosity. `central` is for
/// central forces, `along` for forces along the velocity difference.
struct ViscousFactors {
  double central = 1, along = 1;
  double bound = 1;  ///< The largest eigenvalue of the operator is bound * mu / d^2, with the viscosity mu.
};
/// Returns the factors, which are computed once by sums over the lattice.
[[nodiscard]] const ViscousFactors& viscous_factors();

/// Input of the viscous sweeps.
struct ViscousPairs {
  SweepInput in;                   ///< Lists and positions. The kernel has no effect.
  const Float4* moving = nullptr;  ///< Velocities of the particles. w: viscosity [Pa s].
  /// Velocities of the wall samples. w: fraction of the viscosity that acts at the wall.
  const Float4* walls = nullptr;
  bool central = true;
  bool uniform = false;  ///< True if all particles have the same viscosity, which saves a division per pair.
};

/// Writes the viscous force on each particle per volume [N/m^3] to xyz of `out`. w is unchanged. Pairs of unequal
/// viscosity use the harmonic mean. Walls represent fluid that moves as the mirror image of the particle, so that the
/// velocity at the surface, half way between the two, is the velocity of the wall.
void viscous_sweep(const ViscousPairs& pairs, std::span<Float4> out);

/// Symmetric 3 x 3 matrix, stored as xx, yy, zz, xy, xz, yz.
using SymmetricBlock = std::array<float, 6>;
/// Writes minus the derivative of the force on each particle with respect to its own velocity [N s/m^4].
void viscous_diagonal_sweep(const ViscousPairs& pairs, std::span<SymmetricBlock> out);

/// Returns the weight of a wall sample in a particle's force [N s/m^4] for a viscosity of 1 Pa s, a sample volume of V
/// and friction 1. Uses the formula of viscous_sweep().
[[nodiscard]] double skin_weight(const SweepInput& in, double distance_m);

}  // namespace vw
