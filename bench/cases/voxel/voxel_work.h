// Minimum work of one substep per voxel. With this work, a measured rate is converted to a fraction of the machine's
// peak. The operations were counted by hand in the formulas of the kernel. Each addition, multiplication, division and
// square root counts as one operation. A fused multiply-add counts as two operations.
#pragma once

namespace vw::bench {

inline constexpr double flop_per_bond = 400;         ///< frame, stretch, force, moments, damping
inline constexpr double flop_per_bond_strain = 100;  ///< first pass over the bonds, which the Poisson effect requires
inline constexpr double flop_per_voxel = 100;        ///< sums, weight, ground, velocities, position, orientation
/// Position, velocity, orientation and spin are read and written once, in double precision.
inline constexpr double byte_per_voxel = 2 * 13 * 8;
inline constexpr double byte_per_voxel_strain = 7 * 8;  ///< position and orientation are read once more for the strains

[[nodiscard]] constexpr double flop_per_voxel_step(double bonds_per_voxel, bool poisson) {
  return bonds_per_voxel * (flop_per_bond + (poisson ? flop_per_bond_strain : 0)) + flop_per_voxel;
}
[[nodiscard]] constexpr double byte_per_voxel_step(bool poisson) {
  return byte_per_voxel + (poisson ? byte_per_voxel_strain : 0);
}

}  // namespace vw::bench
