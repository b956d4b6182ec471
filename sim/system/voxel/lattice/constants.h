// Constants of a lattice that follow from its materials: masses of voxels, stiffness and damping of bonds. The
// constants are recomputed when a material changes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/collision/collider.h"
#include "sim/system/voxel/lattice/topology.h"

namespace vw {

/// Constants of all voxels that share a material and a Young's modulus. rho is the density, nu Poisson's ratio and s
/// the edge of a voxel at the base temperature.
struct VoxelClass {
  double youngs = 0;             ///< Young's modulus E [Pa]
  double shear = 0;              ///< shear modulus G = E / (2 (1 + nu)) [Pa]
  double lame = 0;               ///< first Lame parameter lambda = E nu / ((1 + nu)(1 - 2 nu)) [Pa]
  double mass = 0;               ///< mass m = rho s^3 [kg]
  double inertia = 0;            ///< moment of inertia m s^2 / 6 [kg m^2]
  double cte = 0;                ///< coefficient of thermal expansion [1/K]
  double bond_damping = 0;       ///< damping ratio zeta of the bonds
  double drag = 0;               ///< damping coefficient of translation relative to the world [N s/m]
  double spin_drag = 0;          ///< damping coefficient of rotation relative to the world [N m s]
  double contact_stiffness = 0;  ///< stiffness of the contact spring, E s [N/m]
  double contact_damping = 0;    ///< 2 zeta sqrt(m E s) [N s/m], zeta = VoxelMaterial::contact_damping
  SurfaceMaterial surface;
};

/// Axial, lateral (across the axis), twist and bending stiffness and damping of a bond. The symbols a1, b1, a2 and b3
/// are taken from Hiller & Lipson 2014.
struct BondConstants {
  double axial = 0, lateral = 0;                  ///< a1, b1 [N/m]
  double twist = 0, bend = 0;                     ///< a2, b3 / 2 [N m]
  double axial_damping = 0, lateral_damping = 0;  ///< [N s/m]
  double twist_damping = 0, bend_damping = 0;     ///< [N m s]
};

/// Table row of each item, such as the material class of each voxel. If all items have row 0, no array is stored.
class RowOf {
 public:
  RowOf() = default;
  explicit RowOf(std::vector<std::uint32_t> rows) {
    if (std::any_of(rows.begin(), rows.end(), [](std::uint32_t row) { return row != 0; })) rows_ = std::move(rows);
  }
  /// True if all items have row 0.
  [[nodiscard]] bool uniform() const { return rows_.empty(); }
  [[nodiscard]] std::uint32_t operator[](std::size_t i) const { return rows_.empty() ? 0 : rows_[i]; }
  friend bool operator==(const RowOf&, const RowOf&) = default;

 private:
  std::vector<std::uint32_t> rows_;
};

struct LatticeConstants {
  /// Number of array entries beyond the last voxel that vector code may read.
  static constexpr std::size_t padding = 16;
  double edge_m = 0;
  std::vector<VoxelClass> classes;
  RowOf class_of;  ///< row in `classes` of each voxel
  std::vector<BondConstants> bonds;
  RowOf bond_constants_of;  ///< row in `bonds` of each bond
  /// Volumetric stiffness s^2 beta_v of each voxel [N], followed by `padding` zeros. It describes how strongly the
  /// bonds of a voxel resist a change of its volume. s is the edge of a voxel. For beta_v [Pa] see constants.cpp. Empty
  /// if every Poisson's ratio is 0.
  std::vector<double> volume_stiffness;
  bool damped = false;      ///< at least one bond has damping
  bool sizes_vary = false;  ///< temperature or muscles may change the rest size of at least one voxel
  bool dragged = false;     ///< at least one voxel has global damping
  [[nodiscard]] const VoxelClass& of(std::size_t voxel) const { return classes[class_of[voxel]]; }
};
[[nodiscard]] LatticeConstants make_constants(const VoxelLattice& lattice, const LatticeTopology& topology);

/// Recomputes the volumetric stiffness of each voxel after bonds broke.
void refresh_volume_stiffness(const LatticeTopology& topology, LatticeConstants& constants);

/// True if `a` and `b` agree in all constants on which the largest stable substep depends.
[[nodiscard]] bool same_dynamics(const LatticeConstants& a, const LatticeConstants& b);

/// Returns the initial elastic modulus of a material [Pa]: youngs_modulus or, for StressModel::data, the slope from the
/// origin to the first point of the table.
[[nodiscard]] double elastic_modulus(const VoxelMaterial& material);

/// Computes the constants of a bond between voxels of classes a and b. Young's moduli act in series, E = 2 E1 E2 / (E1
/// + E2), and shear moduli are combined by the same formula.
[[nodiscard]] BondConstants make_bond_constants(const VoxelClass& a, const VoxelClass& b, double edge_m);

}  // namespace vw
