// Energies, momenta and totals over the bonds of a voxel body, and the health check. The functions change nothing.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sim/system/system.h"
#include "sim/system/voxel/explicit/bond_force.h"
#include "sim/system/voxel/lattice/lattice_load.h"
#include "sim/system/voxel/lattice/regions.h"

namespace vw {

/// Data of a voxel body that the functions of this file read.
struct BodyView {
  const LatticeTopology* topology = nullptr;
  const LatticeConstants* constants = nullptr;
  const Elements* elements = nullptr;
  BondView bonds;
  VoxelView voxels;
};

/// Returns the elastic energy of the bonds and of the volumetric part of the Poisson effect [J]. Contact springs are
/// excluded.
[[nodiscard]] double elastic_energy(const BodyView& body);
[[nodiscard]] double kinetic_energy(const BodyView& body);
/// Computes mass, centre of mass, momenta and energies of the body. `gravity` [m/s^2] is needed for the potential
/// energy.
[[nodiscard]] Diagnostics measure(const BodyView& body, const Vec3& gravity);

/// Input of kinetic_energy_at_positions() besides the body.
struct HalfStep {
  double dt = 0;                ///< length of the last substep [s]; velocities lag behind the positions by dt / 2
  Vec3 gravity = Vec3::Zero();  ///< [m/s^2]
  /// Applied loads and constraints. Velocities of constrained voxels are used unchanged.
  const ResolvedRegions* regions = nullptr;
  /// 1 for each voxel in contact. Velocities of these voxels are used unchanged, because contact forces are unknown
  /// here.
  std::span<const std::uint8_t> touching;
};
/// Returns the kinetic energy [J] at the time of the positions. Symplectic Euler stores velocities v that belong to a
/// time half a substep earlier. The velocity at the time of the positions x is v + dt/2 a(x), with the acceleration a,
/// as in the Stoermer-Verlet scheme (Hairer, Lubich & Wanner 2003, Acta Numerica 12, eq. 1.4). For undamped fast modes,
/// the kinetic energies of v and of the corrected velocity differ greatly. `loads` is scratch memory.
[[nodiscard]] double kinetic_energy_at_positions(const BodyView& body, const HalfStep& half, LatticeLoads& loads);

/// Returns the elastic energy of one voxel [J]: the volumetric energy of the voxel and half the energy of each of the
/// voxel's bonds. The sum over all voxels is the elastic energy of the body.
[[nodiscard]] double elastic_energy(const BodyView& body, std::size_t voxel);
[[nodiscard]] double kinetic_energy(const BodyView& body, std::size_t voxel);
/// Returns the largest magnitude of the plastic strain among a voxel's bonds.
[[nodiscard]] double plastic_strain(const BodyView& body, std::size_t voxel);

/// Totals over a body's bonds.
struct BondTotals {
  std::size_t broken = 0;
  std::size_t yielded = 0;    ///< bonds with a plastic strain
  double largest_strain = 0;  ///< largest |axial strain| of a bond, plastic part included
  double largest_stress = 0;  ///< largest |axial force| / s^2 of a bond [Pa], with the voxel edge s
  BondTotals& operator+=(const BondTotals& other);
};
/// Scratch memory of bond_totals(), reused from call to call.
struct BondScratch {
  std::vector<double> strain;   ///< axial strain of each bond
  std::vector<double> tension;  ///< VoxelView::volume_tension [N] of each voxel; empty without a Poisson effect
};
[[nodiscard]] BondTotals bond_totals(const BodyView& body, BondScratch& scratch);

/// Returns the ratio of the largest distance between bonded voxels to the voxel edge, at least 1. The lever arms by
/// which bond forces rotate a voxel grow by this ratio, which increases the stiffness that limits the substep.
[[nodiscard]] double largest_stretch_ratio(const BodyView& body);

/// Returns an issue if a value is not finite, if a bond is stretched to more than 20 times its rest length, or if the
/// kinetic energy has grown implausibly since the start of the step. `kinetic_before` is the kinetic energy at the
/// start of the step [J].
[[nodiscard]] std::optional<HealthIssue> find_issue(const BodyView& body, double kinetic_before);

}  // namespace vw
