// Pair sums of viscosity. The weight is not the kernel's slope but a function of the same support whose second and
// fourth moments on the cubic lattice are those of an isotropic liquid. With some thirty neighbours, the slope of
// Wendland's kernel would make shear along the lattice's axes 40 % too weak.
#pragma once

#include <array>
#include <span>

#include "sim/system/fluid/sweeps.h"

namespace vw {

/// Weight t (1 + bend t) with t = 1 - r / H; zero beyond the support H = 2 d. With this bend the lattice's moments are
/// isotropic, and within 0.3 % those of evenly distributed rows.
inline constexpr double viscous_bend = 1.2906;
/// Factors of the weight [1] for which a lattice of spacing d has the requested viscosity: for central forces, and for
/// forces along the velocity difference.
struct ViscousFactors {
  double central = 1, along = 1;
  double bound = 1;  ///< The largest eigenvalue of the operator is this times mu / d^2.
};
/// Computed once by sums over the lattice.
[[nodiscard]] const ViscousFactors& viscous_factors();

/// Input of the viscous sweeps.
struct ViscousPairs {
  SweepInput in;                   ///< Positions; the kernel has no effect.
  const Float4* moving = nullptr;  ///< Velocities of the rows; w: viscosity [Pa s].
  const Float4* walls = nullptr;   ///< Velocities of the wall rows; w: friction share.
  bool central = true;
  bool uniform = false;  ///< One viscosity everywhere: saves a division per pair.
};

/// Viscous force on each row per volume [N/m^3]. Writes xyz of `out`; w is unchanged. Pairs of unequal viscosity use
/// the harmonic mean. Walls represent fluid that moves as the mirror image of the row, so that the velocity at the
/// surface, half way, is that of the wall.
void viscous_sweep(const ViscousPairs& pairs, std::span<Float4> out);

/// xx, yy, zz, xy, xz, yz.
using SymmetricBlock = std::array<float, 6>;
/// Minus the derivative of a row's own force by its velocity [N s/m^4].
void viscous_diagonal_sweep(const ViscousPairs& pairs, std::span<SymmetricBlock> out);

/// Weight of a wall sample in a row's force [N s/m^4 for viscosity 1, share 1 and friction 1]; the same arithmetic as
/// viscous_sweep().
[[nodiscard]] double skin_weight(const SweepInput& in, double distance_m);

}  // namespace vw
