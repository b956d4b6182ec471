// What bonds remember: lasting elongation of those that yielded, and which broke. Bilinear and data materials are plastic: stress follows E up to the
// yield stress, which grows with the plastic strain done (isotropic hardening, in tension and compression alike); unloading follows E.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sim/system/voxel/constants.h"

namespace vw {

/// When a bond between two voxel classes yields and breaks.
struct BondLaw {
  /// Yield stress [Pa] over the plastic strain done: points, linear between them, constant after the last. Empty: never yields.
  std::vector<std::pair<double, double>> yield;
  double failure_stress = std::numeric_limits<double>::infinity();  ///< [Pa] of tension
  double failure_strain = std::numeric_limits<double>::infinity();  ///< elongation, lasting part included
  [[nodiscard]] bool matters() const { return !yield.empty() || failure_stress < 1e300 || failure_strain < 1e300; }
  /// Plastic strain that brings |stress| back to the yield stress, when each unit of it relieves `stiffness` [Pa]; 0 while elastic.
  [[nodiscard]] double flow(double stress, double done, double stiffness) const;
};

/// Of a bond inside one material, or between two: the weaker one yields, over half the bond; the weaker one breaks.
[[nodiscard]] BondLaw make_bond_law(const VoxelMaterial& a, const VoxelMaterial& b, bool same);

/// Laws of a lattice's bonds, and the bonds that have one.
struct LatticeLaws {
  std::vector<BondLaw> laws;
  struct Row {
    std::uint32_t bond = 0, slot = 0, law = 0;  ///< slot: axis * voxels + a
  };
  std::vector<Row> rows;  ///< of bonds whose law matters
};
[[nodiscard]] LatticeLaws make_laws(const VoxelLattice& lattice, const LatticeTopology& topology);

/// State of the bonds. Sized only when some law matters; empty arrays mean that nothing ever happened.
struct BondMemory {
  std::vector<double> slack;         ///< lasting elongation [m], by slot
  std::vector<double> flowed;        ///< plastic strain done, by slot
  std::vector<std::uint8_t> broken;  ///< 1 = broken, by bond
};

struct LawInput {
  const LatticeTopology* topology = nullptr;
  const LatticeConstants* constants = nullptr;
  std::span<const double> strain;     ///< elastic axial strain, by slot
  std::span<const double> tension;    ///< s^2 beta_v S_v [N] by voxel; empty without a Poisson effect
  std::span<const double> half_edge;  ///< of each voxel, at its temperature [m]
};
/// Lets bonds [begin, end) of laws.rows flow, and appends the bonds that break to `broken`. Plastic flow and breaking are judged on the stress of the
/// substep's start. With a Poisson effect, bonds that share a voxel flow by their share of what relieves all of them: the yield stress is reached
/// over some calls. Returns the largest flow (strain).
double apply_laws(const LatticeLaws& laws, const LawInput& in, BondMemory& memory, std::vector<std::uint32_t>& broken, Range range);

}  // namespace vw
