// Yielding and failure of bonds, and their history. Bilinear and data materials are plastic: stress follows E up to the
// yield stress, which grows with the accumulated plastic strain (isotropic hardening, alike in tension and
// compression). Unloading follows E.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sim/system/voxel/constants.h"

namespace vw {

/// Yield and failure criteria of a bond.
struct BondLaw {
  /// Yield stress [Pa] over accumulated plastic strain: points with linear interpolation, constant after the last.
  /// Empty: never yields.
  std::vector<std::pair<double, double>> yield;
  double failure_stress = std::numeric_limits<double>::infinity();  ///< tensile stress [Pa]
  double failure_strain = std::numeric_limits<double>::infinity();  ///< tensile strain, plastic part included
  /// True if the bond can yield or break.
  [[nodiscard]] bool matters() const { return !yield.empty() || failure_stress < 1e300 || failure_strain < 1e300; }
  /// Plastic strain increment that brings |stress| back to the yield stress. `done`: accumulated plastic strain;
  /// `stiffness`: stress that a unit of plastic strain relieves [Pa]. 0 while elastic.
  [[nodiscard]] double flow(double stress, double done, double stiffness) const;
};

/// Law of a bond inside one material (`same`) or between two. Between two, the weaker one yields, over half the bond,
/// and the weaker one breaks.
[[nodiscard]] BondLaw make_bond_law(const VoxelMaterial& a, const VoxelMaterial& b, bool same);

/// Laws of a lattice's bonds, and the bonds that can yield or break.
struct LatticeLaws {
  std::vector<BondLaw> laws;
  struct Row {
    std::uint32_t bond = 0, slot = 0, law = 0;  ///< slot: axis * voxels + a
  };
  std::vector<Row> rows;  ///< bonds that can yield or break
};
[[nodiscard]] LatticeLaws make_laws(const VoxelLattice& lattice, const LatticeTopology& topology);

/// History of the bonds. Empty arrays mean that no bond has yielded or broken.
struct BondMemory {
  std::vector<double> slack;         ///< plastic elongation [m], by slot
  std::vector<double> flowed;        ///< accumulated plastic strain, by slot
  std::vector<std::uint8_t> broken;  ///< 1 = broken, by bond
};

/// Input of apply_laws(); slot = axis * voxels + a.
struct LawInput {
  const LatticeTopology* topology = nullptr;
  const LatticeConstants* constants = nullptr;
  std::span<const double> strain;     ///< elastic axial strain, by slot
  std::span<const double> tension;    ///< s^2 beta_v S_v [N] by voxel; empty without a Poisson effect
  std::span<const double> half_edge;  ///< half edge of each voxel at its temperature [m]
};
/// Applies plastic flow to the bonds laws.rows[range] and appends the bonds that break to `broken`. Both are judged on
/// the stress at the start of the substep. With a Poisson effect, bonds that share a voxel relieve each other's stress,
/// and each takes only its share of the flow; the yield stress is then reached over several calls. Returns the largest
/// plastic strain increment.
double apply_laws(const LatticeLaws& laws, const LawInput& in, BondMemory& memory, std::vector<std::uint32_t>& broken,
                  Range range);

}  // namespace vw
