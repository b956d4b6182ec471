// What the materials make of a lattice: masses of voxels, stiffness and damping constants of bonds. Recomputed when a material changes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/collision/collider.h"
#include "sim/system/voxel/topology.h"

namespace vw {

/// Whether poissons_ratio > 0 makes a body contract across (the importer warns where it does not).
inline constexpr bool voxel_body_supports_poisson = true;

/// Everything that voxels of one material and stiffness share.
struct VoxelClass {
  double youngs = 0;             ///< E [Pa]
  double shear = 0;              ///< G = E / (2 (1 + nu)) [Pa]
  double lame = 0;               ///< lambda = E nu / ((1 + nu)(1 - 2 nu)) [Pa]
  double mass = 0;               ///< rho s^3 [kg]
  double inertia = 0;            ///< m s^2 / 6 [kg m^2]
  double cte = 0;                ///< [1/K]
  double bond_damping = 0;       ///< zeta
  double drag = 0;               ///< global damping of translation [N s/m]
  double spin_drag = 0;          ///< global damping of rotation [N m s]
  double contact_stiffness = 0;  ///< E s [N/m]
  double contact_damping = 0;    ///< 2 zeta sqrt(m E s) [N s/m]
  SurfaceMaterial surface;
};

/// Stiffness and damping of a bond along and across its axis, in twist and in bending.
struct BondConstants {
  double axial = 0, lateral = 0;                  ///< a1, b1 [N/m]
  double twist = 0, bend = 0;                     ///< a2, b3 / 2 [N m]
  double axial_damping = 0, lateral_damping = 0;  ///< [N s/m]
  double twist_damping = 0, bend_damping = 0;     ///< [N m s]
};

/// The row of a table that each of many things has: no memory where that is row 0 for all.
class RowOf {
 public:
  RowOf() = default;
  explicit RowOf(std::vector<std::uint32_t> rows) {
    if (std::any_of(rows.begin(), rows.end(), [](std::uint32_t row) { return row != 0; })) rows_ = std::move(rows);
  }
  [[nodiscard]] bool uniform() const { return rows_.empty(); }
  [[nodiscard]] std::uint32_t operator[](std::size_t i) const { return rows_.empty() ? 0 : rows_[i]; }
  friend bool operator==(const RowOf&, const RowOf&) = default;

 private:
  std::vector<std::uint32_t> rows_;
};

struct LatticeConstants {
  static constexpr std::size_t padding = 16;  ///< rows that vectors may read beyond the last voxel
  double edge_m = 0;
  std::vector<VoxelClass> classes;
  RowOf class_of;  ///< a voxel's row of classes
  std::vector<BondConstants> bonds;
  RowOf bond_constants_of;               ///< a bond's row of bonds
  std::vector<double> volume_stiffness;  ///< s^2 beta_v [N] of each voxel, and `padding` zeros; empty when every nu is 0
  bool damped = false;                   ///< some bond has damping
  bool thermal = false;                  ///< some voxel expands
  bool dragged = false;                  ///< some voxel has global damping
  [[nodiscard]] const VoxelClass& of(std::size_t voxel) const { return classes[class_of[voxel]]; }
};
[[nodiscard]] LatticeConstants make_constants(const VoxelLattice& lattice, const LatticeTopology& topology);

/// s^2 beta_v of each voxel anew, after bonds broke.
void refresh_volume_stiffness(const LatticeTopology& topology, LatticeConstants& constants);

/// Whether two sets have the same spectrum: nothing that enters the step bound differs.
[[nodiscard]] bool same_dynamics(const LatticeConstants& a, const LatticeConstants& b);

/// Elastic modulus that a material's model starts with: youngs_modulus, or the slope to the first point of its data.
[[nodiscard]] double elastic_modulus(const VoxelMaterial& material);

/// Joins the stiffness constants of two voxels in series (SPEC 1: E = 2 E1 E2 / (E1 + E2), likewise G).
[[nodiscard]] BondConstants make_bond_constants(const VoxelClass& a, const VoxelClass& b, double edge_m);

}  // namespace vw
