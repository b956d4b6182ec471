// Largest stable substep of a lattice, from the extreme eigenvalues of its stiffness and damping, linearised at rest.
#pragma once

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
/// and dampers are added to exposed voxels. The result does not depend on the number of threads. The cost is about 30
/// evaluations of all bonds for the stiffness and 30 for the damping.
[[nodiscard]] SpectralBounds spectral_bounds(const LatticeTopology& topology, const LatticeConstants& constants,
                                             std::span<const std::uint8_t> held, const ContactSprings& contact);

/// Largest substep [s] at which symplectic Euler with damping at the old velocity is stable. The condition
/// dt^2 K + 2 dt C < 4 M gives dt = (-lC + sqrt(lC^2 + 4 lK)) / lK. The result is infinity if there is neither
/// stiffness nor damping. `coupled_stiffness_npm` is the total stiffness of springs of other systems [N/m] that may act
/// on one voxel.
[[nodiscard]] double largest_stable_dt(const SpectralBounds& bounds, double coupled_stiffness_npm);

/// Bound dt < 1 / (2 pi w_max) of Hiller & Lipson 2014 [s]. w_max^2 is the largest ratio of a bond's axial stiffness to
/// the mass of the bond's lighter voxel. This bound is only displayed for comparison.
[[nodiscard]] double source_step_bound(const LatticeTopology& topology, const LatticeConstants& constants);

}  // namespace vw
