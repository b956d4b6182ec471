// Scalar double-precision reference of the bond between two voxels; a running body uses the same physics as vector code
// (sweep.h). The bond derives from one energy. It is symmetric in its voxels and conserves momentum and angular
// momentum exactly at any stretch and bend. For small deformations it is the Euler-Bernoulli beam of Hiller & Lipson
// 2014.
//
// With r = x2 - x1, Q the mid rotation of q1 and q2, r~ = Q^T r, phi the rotation vector of q1^-1 q2 in that frame,
// theta = |phi| / 2, a = phi / |phi|, x the bond's axis and a1, b1, a2, b3/2 the constants of BondConstants:
//   U = 1/2 a1 (r~x - L0)^2 + 1/2 b1 (r~y^2 + r~z^2) + 1/2 a2 phix^2 + 1/2 (b3/2) (phiy^2 + phiz^2)
//   f = (a1 (r~x - L0), b1 r~y, b1 r~z)        g = (a2 phix, b3/2 phiy, b3/2 phiz)
//   c = sin(theta) / theta                      S^-1 g = g / c + (1 - 1/c) a (a . g)
//   T = r~ x f                                  D = 1/2 tan(theta/2) (a x T) - S^-1 g
//   on the voxels:  F1 = Q f,  F2 = -F1,  M1 = -1/2 r x F2 - Q D,  M2 = -1/2 r x F2 + Q D
// The energy is singular at |phi| = 2 pi; a bond breaks when it is bent past pi.
#pragma once

#include <cstdint>
#include <span>

#include "sim/system/voxel/constants.h"

namespace vw {

/// The voxels as bonds see them, one row per voxel.
struct VoxelView {
  std::span<const Vec3> position;
  std::span<const Quat> orientation;
  std::span<const Vec3> velocity;
  std::span<const Vec3> angular_velocity;
  /// Half edge of the unloaded voxel at its temperature [m]. A bond's rest length is the sum of its voxels' two.
  std::span<const double> half_edge;
  /// s^2 beta_v S_v, with S_v the sum of the strains of the voxel's bonds [N]: its part of the axial bond force under
  /// the Poisson effect. Empty if no voxel has any.
  std::span<const double> volume_tension;
};

struct BondView {
  std::span<const Bond> bonds;
  const RowOf* constants_of = nullptr;  ///< index into `constants` of each bond
  std::span<const BondConstants> constants;
  std::array<Range, 3> axis_bonds;
  /// Plastic elongation of each bond [m], by axis * voxels + a. Empty: no bond has yielded.
  std::span<const double> slack = {};
  [[nodiscard]] const BondConstants& constants_at(std::size_t bond) const { return constants[(*constants_of)[bond]]; }
  [[nodiscard]] double slack_of(std::size_t axis, std::size_t voxels, std::int32_t a) const {
    return slack.empty() ? 0 : slack[axis * voxels + static_cast<std::size_t>(a)];
  }
};

/// Load of a bond on its voxels: `force` on a, -force on b, and a moment on each. moment_a + moment_b = r x force
/// always.
struct BondLoad {
  Vec3 force;     ///< [N]
  Vec3 moment_a;  ///< [N m]
  Vec3 moment_b;  ///< [N m]
};

/// Loads of the bonds in `range`, each written to its own row of `out`. If `damped`, local damping is added. It acts on
/// v2 - v1 - 1/2 (w1 + w2) x r and on w2 - w1, so that rigid motion is not damped.
void bond_forces(const BondView& bonds, const VoxelView& voxels, bool damped, std::span<BondLoad> out, Range range);

/// Elastic axial strain (r~x - L0 - slack) / s of the bonds in `range`, each written to its own row of `out`.
void bond_strains(const BondView& bonds, const VoxelView& voxels, double edge_m, std::span<double> out, Range range);

/// Deformation of one bond, for output and energies.
struct BondDeformation {
  /// r~ less the rest length along the bond's axis [m], in the bond's mid frame; components in the order of the
  /// lattice's axes.
  Vec3 stretch = Vec3::Zero();
  double elongation = 0;       ///< elastic elongation r~x - L0 - slack [m]
  double lateral_squared = 0;  ///< r~y^2 + r~z^2 [m^2]
  double twist = 0;            ///< phi_x [rad]
  double bend_squared = 0;     ///< phi_y^2 + phi_z^2 [rad^2]
  double length = 0;           ///< |r| [m]
  /// Elastic energy of the bond without the volumetric part of the Poisson effect [J].
  [[nodiscard]] double energy(const BondConstants& k) const {
    return 0.5 * (k.axial * elongation * elongation + k.lateral * lateral_squared + k.twist * twist * twist +
                  k.bend * bend_squared);
  }
};
[[nodiscard]] BondDeformation bond_deformation(const BondView& bonds, const VoxelView& voxels, std::size_t bond);

}  // namespace vw
