// Largest stable substep of a lattice, from the largest eigenvalues of stiffness and damping, linearised at rest.
#pragma once

#include <optional>
#include <span>

#include "sim/system/voxel/lattice/constants.h"

namespace vw {

struct SpectralBounds {
  double stiffness = 0;  ///< largest eigenvalue lK of M^-1 K [1/s^2]
  double damping = 0;    ///< largest eigenvalue lC of M^-1 C [1/s]
  double min_mass = 0;   ///< mass of the lightest voxel that can move [kg]; 0 if all voxels are constrained
};

/// Stiffness and damping of all contacts that an exposed voxel may have at once, in units of the stiffness and damping
/// of one contact.
struct ContactSprings {
  double stiffness = 0, damping = 0;
};

/// Computes the eigenvalues over the translations and rotations of all voxels with `held` = 0. The `contact` springs
/// and dampers are added to exposed voxels. The result does not depend on the number of threads. For bodies of 20,000
/// or more voxels with few materials, block_bounds() is used, for all others iterated_bounds().
[[nodiscard]] SpectralBounds spectral_bounds(const LatticeTopology& topology, const LatticeConstants& constants,
                                             std::span<const std::uint8_t> held, const ContactSprings& contact);
/// Computes the eigenvalues by Lanczos iteration over all voxels, with an error of at most 0.2 %. The cost is about 30
/// evaluations of all bonds for the stiffness and 30 for the damping.
[[nodiscard]] SpectralBounds iterated_bounds(const LatticeTopology& topology, const LatticeConstants& constants,
                                             std::span<const std::uint8_t> held, const ContactSprings& contact);
/// Estimates the eigenvalues from blocks of 10 x 10 x 10 voxels around the stiffest voxels (lattice_block.h). The
/// stiffest modes of a lattice have wavelengths of a few voxels, so that a block contains them almost unchanged. The
/// error of the eigenvalues is between -3 % and 2 % for Poisson's ratios up to 0.45. The resulting error of the step is
/// at most 1.5 %. Returns nothing if stiffest_voxels() returns nothing.
[[nodiscard]] std::optional<SpectralBounds> block_bounds(const LatticeTopology& topology,
                                                         const LatticeConstants& constants,
                                                         std::span<const std::uint8_t> held,
                                                         const ContactSprings& contact);

/// Returns the largest substep [s] at which symplectic Euler with damping at the old velocity is stable. The condition
/// dt^2 K + 2 dt C < 4 M gives dt = (-lC + sqrt(lC^2 + 4 lK)) / lK. The result is infinity if there is neither
/// stiffness nor damping, or if all voxels are constrained. `coupled_stiffness_npm` is the total stiffness of springs
/// of other systems [N/m] that may act on one voxel.
[[nodiscard]] double largest_stable_dt(const SpectralBounds& bounds, double coupled_stiffness_npm);

/// Returns the bound 1 / (2 pi w_max) of the substep by Hiller & Lipson 2014 [s]. w_max^2 is the largest ratio of a
/// bond's axial stiffness to the mass of the bond's lighter voxel. Only tests use this bound.
[[nodiscard]] double source_step_bound(const LatticeTopology& topology, const LatticeConstants& constants);

}  // namespace vw
