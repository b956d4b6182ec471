// What a voxel-step costs at least, so that a rate can be told as a share of the machine's peak. Counted from the formulas of the kernel by hand: an
// addition, a multiplication, a division or a root counts one, a fused multiply-add two.
#pragma once

namespace vw::bench {

inline constexpr double flop_per_bond = 400;            ///< frame, stretch, force, moments, damping (SPEC 1, "The form to implement")
inline constexpr double flop_per_bond_strain = 100;     ///< first pass over the bonds where there is a Poisson effect
inline constexpr double flop_per_voxel = 100;           ///< sums, weight, ground, velocities, position, orientation
inline constexpr double byte_per_voxel = 2 * 13 * 8;    ///< state (position, velocity, orientation, spin) read and written once, all in double
inline constexpr double byte_per_voxel_strain = 7 * 8;  ///< position and orientation read once more for the strains

[[nodiscard]] constexpr double flop_per_voxel_step(double bonds_per_voxel, bool poisson) {
  return bonds_per_voxel * (flop_per_bond + (poisson ? flop_per_bond_strain : 0)) + flop_per_voxel;
}
[[nodiscard]] constexpr double byte_per_voxel_step(bool poisson) { return byte_per_voxel + (poisson ? byte_per_voxel_strain : 0); }

}  // namespace vw::bench
