// What can be read off a voxel body without changing it: energies, momenta, channels for pictures, and whether it is still sane.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sim/system/system.h"
#include "sim/system/voxel/bond_force.h"
#include "sim/system/voxel/lattice_load.h"
#include "sim/system/voxel/regions.h"

namespace vw {

/// A body as its measures see it.
struct BodyView {
  const LatticeTopology* topology = nullptr;
  const LatticeConstants* constants = nullptr;
  const Elements* elements = nullptr;
  BondView bonds;
  VoxelView voxels;
};

/// Energy of bonds [J] and of the volumetric part of the Poisson effect. Energy in contact springs is not counted.
[[nodiscard]] double elastic_energy(const BodyView& body);
[[nodiscard]] double kinetic_energy(const BodyView& body);
[[nodiscard]] Diagnostics measure(const BodyView& body, const Vec3& gravity);

/// Input of kinetic_energy_at_positions() beside the body itself.
struct HalfStep {
  double dt = 0;                             ///< length of the last substep [s]; velocities lag positions by half of it
  Vec3 gravity = Vec3::Zero();               ///< [m/s^2]
  const ResolvedRegions* regions = nullptr;  ///< applied loads and constraints; velocities of constrained voxels are used as they are
  std::span<const std::uint8_t> touching;    ///< 1 for each voxel in contact: the contact force is unknown here, so its velocity is used as it is
};
/// Kinetic energy [J] of the velocities at the time of the positions: v + dt/2 a(x), the velocity of the Stoermer-Verlet scheme (Hairer, Lubich &
/// Wanner 2003, Acta Numerica 12, eq. 1.4). Symplectic Euler stores velocities half a substep earlier. For undamped fast modes the difference in
/// energy is large. `loads` is scratch.
[[nodiscard]] double kinetic_energy_at_positions(const BodyView& body, const HalfStep& half, LatticeLoads& loads);

/// Of one voxel [J]: half of each of its bonds' and its own volumetric part, so that voxels sum to the body.
[[nodiscard]] double elastic_energy(const BodyView& body, std::size_t voxel);
[[nodiscard]] double kinetic_energy(const BodyView& body, std::size_t voxel);
/// Largest |lasting strain| of a voxel's bonds.
[[nodiscard]] double plastic_strain(const BodyView& body, std::size_t voxel);

/// What can be counted on a body's bonds.
struct BondTotals {
  std::size_t broken = 0;
  std::size_t yielded = 0;    ///< have a lasting strain
  double largest_strain = 0;  ///< |axial strain| of a bond, lasting part included
  double largest_stress = 0;  ///< |axial force| of a bond over s^2 [Pa]
  BondTotals& operator+=(const BondTotals& other);
};
/// Reused from call to call.
struct BondScratch {
  std::vector<double> strain;   ///< of each bond
  std::vector<double> tension;  ///< s^2 beta_v S_v [N] of each voxel; empty without a Poisson effect
};
[[nodiscard]] BondTotals bond_totals(const BodyView& body, BondScratch& scratch);

/// Longest bond over the edge of a voxel, at least 1: what turns a voxel grows with the arm of its bonds' forces, and so does the stiffness that the
/// substep must bear.
[[nodiscard]] double longest_arm(const BodyView& body);

/// Not finite, a bond stretched beyond sense, or a kinetic energy that grew beyond sense since `kinetic_before` [J].
[[nodiscard]] std::optional<HealthIssue> find_issue(const BodyView& body, double kinetic_before);

}  // namespace vw
