// The pair sums of viscosity. Their weight is not the kernel's slope but a function of the same support whose second and fourth moments on the cubic
// lattice are those of an isotropic liquid: with some thirty neighbours Wendland's own would make shear along the lattice's axes 40 % too weak.
#pragma once

#include <array>
#include <span>

#include "sim/system/fluid/sweeps.h"

namespace vw {

/// t (1 + bend t), t = 1 - r / H; zero beyond the support H = 2 d. With this bend the lattice's moments are isotropic, and within 0.3 % those of rows
/// strewn evenly.
inline constexpr double viscous_bend = 1.2906;
/// Factors of the weight [1] so that a lattice of spacing d has the viscosity asked for: of central forces, and of those along the velocity.
struct ViscousFactors {
  double central = 1, along = 1;
  double bound = 1;  ///< the greatest eigenvalue of the operator is this times mu / d^2
};
/// Found once by summing over the lattice.
[[nodiscard]] const ViscousFactors& viscous_factors();

struct ViscousPairs {
  SweepInput in;                   ///< places; the kernel does not count
  const Float4* moving = nullptr;  ///< velocities of the rows; w: viscosity [Pa s]
  const Float4* walls = nullptr;   ///< velocities of the wall rows; w: share of the viscosity that the skin feels
  bool central = true;
  bool uniform = false;  ///< one viscosity everywhere: a division a pair is saved
};

/// Force on each row per volume [N/m^3]; xyz of out. w is left. Pairs of unlike viscosity take the harmonic mean; walls stand for fluid that moves
/// as the mirror image of the row, so that velocities agree half way: at the surface.
void viscous_sweep(const ViscousPairs& pairs, std::span<Float4> out);

/// xx, yy, zz, xy, xz, yz.
using SymmetricBlock = std::array<float, 6>;
/// Minus the derivative of a row's own force by its velocity [N s/m^4].
void viscous_diagonal_sweep(const ViscousPairs& pairs, std::span<SymmetricBlock> out);

/// Weight of a wall's sample in a row's force [N s/m^4 for viscosity 1, share 1 and friction 1]; the arithmetic of viscous_sweep.
[[nodiscard]] double skin_weight(const SweepInput& in, double distance_m);

}  // namespace vw
