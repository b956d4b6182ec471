// The bond between two voxels, from one energy: symmetric in its voxels, exact in momentum and angular momentum at any stretch and bend.
// In: positions, orientations, velocities, rest lengths. Out: one row of loads a bond, read later by its two voxels in index order.
#pragma once

#include <cstdint>
#include <span>

#include "sim/system/voxel/constants.h"

namespace vw {

/// The voxels as bonds see them.
struct VoxelView {
  std::span<const Vec3> position;
  std::span<const Quat> orientation;
  std::span<const Vec3> velocity;
  std::span<const Vec3> angular_velocity;
  std::span<const double> half_edge;       ///< of the unloaded voxel at its temperature [m]: a bond's rest length is the sum of two
  std::span<const double> volume_tension;  ///< s^2 beta_v S_v [N] (SPEC 1, Poisson effect); empty when no voxel has any
};

struct BondView {
  std::span<const Bond> bonds;
  const RowOf* constants_of = nullptr;
  std::span<const BondConstants> constants;
  std::array<Range, 3> axis_bonds;
  std::span<const double> slack = {};  ///< lasting elongation [m] of a yielded bond, by axis * voxels + a; empty: none has yielded
  [[nodiscard]] const BondConstants& constants_at(std::size_t bond) const { return constants[(*constants_of)[bond]]; }
  [[nodiscard]] double slack_of(std::size_t axis, std::size_t voxels, std::int32_t a) const {
    return slack.empty() ? 0 : slack[axis * voxels + static_cast<std::size_t>(a)];
  }
};

/// What a bond does to its voxels: `force` on a, -force on b; a moment on each. moment_a + moment_b = r x force, always.
struct BondLoad {
  Vec3 force;     ///< [N]
  Vec3 moment_a;  ///< [N m]
  Vec3 moment_b;  ///< [N m]
};

/// Loads of bonds [begin, end), each written to its own row. SPEC 1, "The form to implement", and local damping when `damped`.
void bond_forces(const BondView& bonds, const VoxelView& voxels, bool damped, std::span<BondLoad> out, Range range);

/// Axial strain (r~x - L0) / s of bonds [begin, end), less the lasting part.
void bond_strains(const BondView& bonds, const VoxelView& voxels, double edge_m, std::span<double> out, Range range);

/// How far one bond is deformed, for pictures and energies.
struct BondDeformation {
  Vec3 stretch = Vec3::Zero();  ///< r~ less the rest length along the bond's axis [m], in the bond's frame, axes as the lattice's
  double elongation = 0;        ///< r~x - L0 less the lasting part [m]: what the bond feels
  double lateral_squared = 0;   ///< r~y^2 + r~z^2 [m^2]
  double twist = 0;             ///< phi_x [rad]
  double bend_squared = 0;      ///< phi_y^2 + phi_z^2 [rad^2]
  double length = 0;            ///< |r| [m]
  /// U of SPEC 1 without the volumetric part.
  [[nodiscard]] double energy(const BondConstants& k) const {
    return 0.5 * (k.axial * elongation * elongation + k.lateral * lateral_squared + k.twist * twist * twist + k.bend * bend_squared);
  }
};
[[nodiscard]] BondDeformation bond_deformation(const BondView& bonds, const VoxelView& voxels, std::size_t bond);

}  // namespace vw
