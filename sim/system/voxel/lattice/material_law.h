// Yielding and failure of bonds, and the accumulated plastic strain and breakage of each bond. Materials with
// StressModel::bilinear or StressModel::data are plastic: loading follows the slope E up to the yield stress, and
// unloading follows the slope E. The yield stress is a function of the accumulated plastic strain and is the same in
// tension and compression (isotropic hardening).
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sim/system/voxel/lattice/constants.h"

namespace vw {

/// Yield and failure criteria of a bond.
struct BondLaw {
  /// Points (accumulated plastic strain, yield stress [Pa]). The yield stress is interpolated linearly between points
  /// and constant beyond the last point. Empty if the bond never yields.
  std::vector<std::pair<double, double>> yield;
  double failure_stress = std::numeric_limits<double>::infinity();  ///< tensile stress at failure [Pa]
  /// Total (elastic + plastic) tensile strain at failure.
  double failure_strain = std::numeric_limits<double>::infinity();
  /// True if the bond can yield or break.
  [[nodiscard]] bool matters() const { return !yield.empty() || failure_stress < 1e300 || failure_strain < 1e300; }
  /// Returns the plastic strain increment that brings |stress| back to the yield stress, or 0 if the stress is elastic.
  /// `done` is the accumulated plastic strain. `stiffness` is the stress relief per unit of plastic strain [Pa].
  [[nodiscard]] double flow(double stress, double done, double stiffness) const;
};

/// Makes the law of a bond inside one material (`same`) or between two different materials. Between two materials, only
/// the half of the bond in the material with the lower yield stress yields. The bond breaks at the lower failure stress
/// or strain of the two materials.
[[nodiscard]] BondLaw make_bond_law(const VoxelMaterial& a, const VoxelMaterial& b, bool same);

/// Laws of a lattice's bonds, and the bonds that can yield or break.
struct LatticeLaws {
  std::vector<BondLaw> laws;
  struct Row {
    /// `bond` is a row of LatticeTopology::bonds, and `law` is a row of `laws`. `slot` is axis * (number of voxels) +
    /// Bond::a, with the axis 0, 1 or 2 of the bond.
    std::uint32_t bond = 0, slot = 0, law = 0;
  };
  std::vector<Row> rows;  ///< one row for each bond that can yield or break
};
[[nodiscard]] LatticeLaws make_laws(const VoxelLattice& lattice, const LatticeTopology& topology);

/// History of the bonds. Empty arrays mean that no bond has yielded or broken. The slot of a bond is axis * (number of
/// voxels) + Bond::a.
struct BondMemory {
  std::vector<double> slack;         ///< plastic elongation [m], indexed by slot
  std::vector<double> flowed;        ///< accumulated plastic strain, indexed by slot
  std::vector<std::uint8_t> broken;  ///< 1 for each broken bond, indexed by bond
};

/// Input of apply_laws(). The slot of a bond is axis * (number of voxels) + Bond::a.
struct LawInput {
  const LatticeTopology* topology = nullptr;
  const LatticeConstants* constants = nullptr;
  std::span<const double> strain;     ///< elastic axial strain of each bond, indexed by slot
  std::span<const double> tension;    ///< VoxelView::volume_tension [N]; empty without a Poisson effect
  std::span<const double> half_edge;  ///< half edge of each voxel [m], as in VoxelView
};
/// Applies plastic flow to the bonds laws.rows[range], appends the bonds that break to `broken`, and returns the
/// largest plastic strain increment. Yielding and failure are determined by the stress at the start of the substep.
/// Under a Poisson effect, flow in one bond also relieves the stress of the bonds that share a voxel with it. The
/// increment of each bond is therefore reduced, and several calls are needed to reach the yield stress.
double apply_laws(const LatticeLaws& laws, const LawInput& in, BondMemory& memory, std::vector<std::uint32_t>& broken,
                  Range range);

}  // namespace vw
