// Scalar double-precision reference of the bond between two voxels. A running body evaluates the same law in vector
// code (sweep.h). Forces and moments derive from one energy. The law is symmetric in the two voxels and conserves
// momentum and angular momentum exactly at any stretch and bend. For small deformations it is the Euler-Bernoulli beam
// of Hiller & Lipson 2014.
//
// Notation: x and q are the position and orientation of a voxel, and r = x2 - x1. Q is the mid rotation of q1 and q2
// (bond_frame.h), and r~ = Q^T r. phi is the rotation vector of q1^-1 q2 in the mid frame, theta = |phi| / 2 and
// a = phi / |phi|. In subscripts, x is the bond's axis. L0 is the rest length. The stiffnesses a1, b1, a2 and b3/2 are
// axial, lateral, twist and bend of BondConstants.
//   U = 1/2 a1 (r~x - L0)^2 + 1/2 b1 (r~y^2 + r~z^2) + 1/2 a2 phix^2 + 1/2 (b3/2) (phiy^2 + phiz^2)   elastic energy
//   f = (a1 (r~x - L0), b1 r~y, b1 r~z)      derivative of U with respect to r~
//   g = (a2 phix, b3/2 phiy, b3/2 phiz)      derivative of U with respect to phi
//   S^-1 g = g / c + (1 - 1/c) a (a . g), c = sin(theta) / theta      moment that belongs to g
//   D = 1/2 tan(theta/2) (a x T) - S^-1 g, T = r~ x f
//   Loads on the voxels: F1 = Q f, F2 = -F1, M1 = -1/2 r x F2 - Q D, M2 = -1/2 r x F2 + Q D
// The energy is singular at |phi| = 2 pi. A bond breaks when |phi| exceeds pi.
#pragma once

#include <cstdint>
#include <span>

#include "sim/system/voxel/lattice/constants.h"

namespace vw {

/// Voxel data that bond functions read, one row per voxel.
struct VoxelView {
  std::span<const Vec3> position;
  std::span<const Quat> orientation;
  std::span<const Vec3> velocity;
  std::span<const Vec3> angular_velocity;
  /// Half edge of the unloaded voxel at its temperature and muscle strain [m]. The rest length L0 of a bond is the sum
  /// of the half edges of both voxels.
  std::span<const double> half_edge;
  /// Contribution s^2 beta_v S_v of each voxel to the axial force of its bonds under the Poisson effect [N]. S_v is the
  /// sum of the strains of the voxel's bonds. For s^2 beta_v, see LatticeConstants::volume_stiffness. Empty without a
  /// Poisson effect.
  std::span<const double> volume_tension;
};

struct BondView {
  std::span<const Bond> bonds;
  const RowOf* constants_of = nullptr;  ///< index into `constants` of each bond
  std::span<const BondConstants> constants;
  std::array<Range, 3> axis_bonds;
  /// Plastic elongation of each bond [m], at index axis * (number of voxels) + Bond::a. Empty if no bond has yielded.
  std::span<const double> slack = {};
  [[nodiscard]] const BondConstants& constants_at(std::size_t bond) const { return constants[(*constants_of)[bond]]; }
  [[nodiscard]] double slack_of(std::size_t axis, std::size_t voxels, std::int32_t a) const {
    return slack.empty() ? 0 : slack[axis * voxels + static_cast<std::size_t>(a)];
  }
};

/// Load that a bond exerts on its voxels: `force` on voxel a, -force on voxel b, and one moment on each voxel. The
/// moments always satisfy moment_a + moment_b = r x force.
struct BondLoad {
  Vec3 force;     ///< [N]
  Vec3 moment_a;  ///< [N m]
  Vec3 moment_b;  ///< [N m]
};

/// Writes the load of each bond in `range` to the bond's row of `out`. If `damped`, local damping is added. Damping
/// acts on v2 - v1 - 1/2 (w1 + w2) x r and on w2 - w1, which vanish in a rigid motion.
void bond_forces(const BondView& bonds, const VoxelView& voxels, bool damped, std::span<BondLoad> out, Range range);

/// Writes the elastic axial strain (r~x - L0 - slack) / s of each bond in `range` to the bond's row of `out`, with the
/// voxel edge s = `edge_m`.
void bond_strains(const BondView& bonds, const VoxelView& voxels, double edge_m, std::span<double> out, Range range);

/// Deformation of one bond, from which output values and energies are computed. For r~ and phi, see the head of this
/// file.
struct BondDeformation {
  /// Vector r~ minus the rest length L0 (without plastic elongation) along the bond's axis [m]. Its components refer to
  /// the bond's mid frame, in the order of the lattice's axes.
  Vec3 stretch = Vec3::Zero();
  double elongation = 0;       ///< elastic elongation r~x - L0 - slack [m]
  double lateral_squared = 0;  ///< r~y^2 + r~z^2 [m^2]
  double twist = 0;            ///< phi_x [rad]
  double bend_squared = 0;     ///< phi_y^2 + phi_z^2 [rad^2]
  double length = 0;           ///< |r| [m]
  /// Returns the elastic energy of the bond without the volumetric part of the Poisson effect [J].
  [[nodiscard]] double energy(const BondConstants& k) const {
    return 0.5 * (k.axial * elongation * elongation + k.lateral * lateral_squared + k.twist * twist * twist +
                  k.bend * bend_squared);
  }
};
[[nodiscard]] BondDeformation bond_deformation(const BondView& bonds, const VoxelView& voxels, std::size_t bond);

}  // namespace vw
