// Largest stable substep of a lattice, from the extreme eigenvalues of its stiffness and damping, linearised at rest.
#pragma once

#include <span>

#include "sim/system/voxel/constants.h"

namespace vw {

struct SpectralBounds {
  double stiffness = 0;  ///< lK: largest eigenvalue of M^-1 K [1/s^2]
  double damping = 0;    ///< lC: largest eigenvalue of M^-1 C [1/s]
  double min_mass = 0;   ///< mass of the lightest voxel that moves [kg]; 0 if all are held
};

/// Contacts that an exposed voxel may have at once, in units of one contact's spring and damper.
struct ContactSprings {
  double stiffness = 0, damping = 0;
};

/// Eigenvalues over the translations and rotations of all voxels whose `held` is 0. Exposed voxels also carry the
/// `contact` springs and dampers. Deterministic at any number of threads. Costs about 2 x 30 evaluations of all bonds.
[[nodiscard]] SpectralBounds spectral_bounds(const LatticeTopology& topology, const LatticeConstants& constants,
                                             std::span<const std::uint8_t> held, const ContactSprings& contact);

/// Largest substep [s] at which symplectic Euler with damping at the old velocity is stable: dt^2 K + 2 dt C < 4 M, so
/// that dt = (-lC + sqrt(lC^2 + 4 lK)) / lK. Infinity if there is no stiffness. `coupled_stiffness_npm`: sum of other
/// systems' springs [N/m] that may act on one voxel.
[[nodiscard]] double largest_stable_dt(const SpectralBounds& bounds, double coupled_stiffness_npm);

/// Bound of Hiller & Lipson 2014 [s]: dt < 1 / (2 pi w_max), w_max from the stiffest bond and its lighter voxel. It is
/// only displayed beside the bound above.
[[nodiscard]] double source_step_bound(const LatticeTopology& topology, const LatticeConstants& constants);

}  // namespace vw
