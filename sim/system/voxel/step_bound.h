// The largest stable substep of a lattice, from the extreme eigenvalues of its linearised stiffness and damping at rest.
#pragma once

#include <span>

#include "sim/system/voxel/constants.h"

namespace vw {

struct SpectralBounds {
  double stiffness = 0;  ///< lK: largest eigenvalue of M^-1 K [1/s^2]
  double damping = 0;    ///< lC: largest eigenvalue of M^-1 C [1/s]
  double min_mass = 0;   ///< lightest voxel that moves [kg]; 0 when all are held
};

/// Contacts that an exposed voxel may have at once, in units of one contact's spring and damper.
struct ContactSprings {
  double stiffness = 0, damping = 0;
};

/// Translations and rotations of all voxels that are not `held`; exposed voxels also hang on `contact` springs and dampers.
/// Deterministic at any thread count; about 2 x 30 evaluations of all bonds.
[[nodiscard]] SpectralBounds spectral_bounds(const LatticeTopology& topology, const LatticeConstants& constants, std::span<const std::uint8_t> held,
                                             const ContactSprings& contact);

/// Symplectic Euler with damping at the old velocity is stable while dt^2 K + 2 dt C < 4 M (SPEC 1, time step). Infinity when nothing is stiff.
/// `coupled_stiffness_npm`: sum of foreign springs [N/m] that may hang on one voxel.
[[nodiscard]] double largest_stable_dt(const SpectralBounds& bounds, double coupled_stiffness_npm);

/// Hiller & Lipson 2014: dt < 1 / (2 pi w_max), w_max the stiffest bond on its lighter voxel. Shown beside ours.
[[nodiscard]] double source_step_bound(const LatticeTopology& topology, const LatticeConstants& constants);

}  // namespace vw
