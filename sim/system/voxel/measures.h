// Measures of a voxel body that do not change it: energies, momenta, totals over bonds, and the health check.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sim/system/system.h"
#include "sim/system/voxel/bond_force.h"
#include "sim/system/voxel/lattice_load.h"
#include "sim/system/voxel/regions.h"

namespace vw {

/// A body as the measures read it.
struct BodyView {
  const LatticeTopology* topology = nullptr;
  const LatticeConstants* constants = nullptr;
  const Elements* elements = nullptr;
  BondView bonds;
  VoxelView voxels;
};

/// Elastic energy of the bonds and of the volumetric part of the Poisson effect [J]. Excludes contact springs.
[[nodiscard]] double elastic_energy(const BodyView& body);
[[nodiscard]] double kinetic_energy(const BodyView& body);
/// Mass, centre of mass, momenta and energies; `gravity` [m/s^2] gives the potential energy.
[[nodiscard]] Diagnostics measure(const BodyView& body, const Vec3& gravity);

/// Input of kinetic_energy_at_positions() beside the body itself.
struct HalfStep {
  double dt = 0;                ///< length of the last substep [s]; velocities lag positions by half of it
  Vec3 gravity = Vec3::Zero();  ///< [m/s^2]
  /// Applied loads and constraints. Velocities of constrained voxels are used unchanged.
  const ResolvedRegions* regions = nullptr;
  /// 1 for each voxel in contact: the contact force is unknown here, so the voxel's velocity is used unchanged.
  std::span<const std::uint8_t> touching;
};
/// Kinetic energy [J] of the velocities at the time of the positions: v + dt/2 a(x), the velocity of the
/// Stoermer-Verlet scheme (Hairer, Lubich & Wanner 2003, Acta Numerica 12, eq. 1.4). Symplectic Euler stores velocities
/// half a substep earlier. For undamped fast modes the difference in energy is large. `loads` is scratch.
[[nodiscard]] double kinetic_energy_at_positions(const BodyView& body, const HalfStep& half, LatticeLoads& loads);

/// Elastic energy of one voxel [J]: half of each of its bonds and its own volumetric part, so that voxels sum to the
/// body.
[[nodiscard]] double elastic_energy(const BodyView& body, std::size_t voxel);
[[nodiscard]] double kinetic_energy(const BodyView& body, std::size_t voxel);
/// Largest |plastic strain| of a voxel's bonds.
[[nodiscard]] double plastic_strain(const BodyView& body, std::size_t voxel);

/// Totals over a body's bonds.
struct BondTotals {
  std::size_t broken = 0;
  std::size_t yielded = 0;    ///< bonds with a plastic strain
  double largest_strain = 0;  ///< |axial strain| of a bond, plastic part included
  double largest_stress = 0;  ///< |axial force| of a bond over s^2 [Pa]
  BondTotals& operator+=(const BondTotals& other);
};
/// Scratch of bond_totals(), reused from call to call.
struct BondScratch {
  std::vector<double> strain;   ///< of each bond
  std::vector<double> tension;  ///< s^2 beta_v S_v [N] of each voxel; empty without a Poisson effect
};
[[nodiscard]] BondTotals bond_totals(const BodyView& body, BondScratch& scratch);

/// Largest distance of bonded voxels over the edge, at least 1. It is the growth of the lever arm by which bond forces
/// turn a voxel, and so of the stiffness that limits the substep.
[[nodiscard]] double largest_stretch_ratio(const BodyView& body);

/// Finds a value that is not finite, a bond stretched 20-fold, or a kinetic energy that no load can have given the body
/// since it was `kinetic_before` [J].
[[nodiscard]] std::optional<HealthIssue> find_issue(const BodyView& body, double kinetic_before);

}  // namespace vw
