// Symmetric tangent stiffness of a lattice at the current shape, with a 6 x 6 block per voxel and per bond. Input:
// topology, constants, positions, orientations, rest lengths. Output: products of the matrix with a vector, or a sparse
// matrix. A voxel has six degrees of freedom in the world frame: a displacement u and a small rotation w, which changes
// the orientation q to exp(w) q. Rows 6 v to 6 v + 2 are the displacement of voxel v, rows 6 v + 3 to 6 v + 5 the
// rotation. Broken bonds (absent from topology.bond_at) do not contribute.
#pragma once

#include <span>
#include <vector>

#include <Eigen/SparseCore>

#include "sim/system/voxel/explicit/bond_force.h"

namespace vw {

inline constexpr std::size_t voxel_freedoms = 6;
using Block6 = Eigen::Matrix<double, 6, 6>;

/// Terms of the second derivative of the energy that are added to the material stiffness.
enum class GeometricStiffness {
  none,  ///< material stiffness only, which is always positive semidefinite
  /// Adds the terms that depend on the bonds' forces and moments. The sum is the tangent of Newton's method, of
  /// vibration under load and of buckling. The sum may be indefinite.
  full
};

struct TangentOptions {
  GeometricStiffness geometric = GeometricStiffness::full;
  /// Factor [1/s] with which the damping matrix C of the bonds is added to the stiffness. In an implicit step of length
  /// h the factor is 1/h.
  double damping_factor = 0;
  std::span<const double> slack;  ///< plastic elongation of the bonds [m] (BondView::slack); empty means 0
  bool stiffness = true;          ///< if false, the matrix is damping_factor * C only
};

/// Blocks of one bond in the world frame. The deformations of the bond are d = u2 - u1 + r x (w1 + w2) / 2 and p = w2 -
/// w1. Ka is the axial and lateral stiffness with respect to d, and Kr the twist and bending stiffness with respect to
/// p. F and G are the derivatives of the energy with respect to d and p. [r]x is the cross-product matrix of r.
///   stretch = Ka
///   couple = K_(u2, w) = Ka [r]x / 2 - [F]x / 2
///   turn = [r]x^T Ka [r]x / 4 + geometric part
///   bend = Kr
///   K_(w1, w2) = turn - bend + [G]x / 2
struct BondTangent {
  Mat3 stretch = Mat3::Zero();
  Mat3 couple = Mat3::Zero();
  Mat3 turn = Mat3::Zero();
  Mat3 bend = Mat3::Zero();
  Vec3 half_moment = Vec3::Zero();  ///< G / 2
  /// Returns the off-diagonal block of K in the rows of voxel a and the columns of voxel b. The block of (b, a) is the
  /// transpose.
  [[nodiscard]] Block6 across() const;
  /// Returns the contribution of the bond to the diagonal block of voxel a if `first`, otherwise of voxel b.
  [[nodiscard]] Block6 own(bool first) const;
};

/// Gradient of a bond's axial strain [1/m, 1/rad]. The gradient is (along, arm) with respect to the degrees of freedom
/// of voxel b, and (-along, arm) with respect to the degrees of freedom of voxel a.
struct StrainGradient {
  Vec3 along = Vec3::Zero();
  Vec3 arm = Vec3::Zero();
};

class TangentStiffness {
 public:
  /// Computes all blocks at the shape of `voxels`. `topology` must outlive the use of this object.
  void assemble(const LatticeTopology& topology, const LatticeConstants& constants, const VoxelView& voxels,
                const TangentOptions& options = {});

  /// Computes y = K x, with 6 doubles per voxel. The result is bitwise independent of the number of threads.
  void multiply(std::span<const double> x, std::span<double> y) const;

  [[nodiscard]] std::size_t voxel_count() const { return topology_ == nullptr ? 0 : topology_->voxel_count(); }
  [[nodiscard]] std::size_t freedom_count() const { return voxel_freedoms * voxel_count(); }
  /// Returns the diagonal block of a voxel, including the volumetric part of the Poisson effect.
  [[nodiscard]] Block6 diagonal(std::size_t voxel) const;
  [[nodiscard]] const BondTangent& bond(std::size_t bond) const { return bonds_[bond]; }
  [[nodiscard]] const StrainGradient& strain_gradient(std::size_t bond) const { return gradients_[bond]; }
  /// Returns the weight s^3 beta_v of each voxel in the volumetric energy U = 1/2 weight (sum e)^2, where e are the
  /// strains of the voxel's bonds. Empty without a Poisson effect.
  [[nodiscard]] std::span<const double> volume_weight() const { return volume_weight_; }
  [[nodiscard]] const LatticeTopology& topology() const { return *topology_; }

  /// Returns a sparse `rows` x `rows` matrix with both triangles. row_of[6 v + i] is the row of degree of freedom i of
  /// voxel v. Degrees of freedom with a negative row are left out. If `volume` is false, the volumetric part of the
  /// Poisson effect, which couples second neighbours, is left out.
  [[nodiscard]] Eigen::SparseMatrix<double> sparse(std::span<const std::int32_t> row_of, std::int32_t rows,
                                                   bool volume = true) const;

 private:
  void multiply_voxels(std::span<const double> x, std::span<double> y, Range range) const;

  const LatticeTopology* topology_ = nullptr;
  std::vector<BondTangent> bonds_;
  std::vector<StrainGradient> gradients_;  ///< empty without a Poisson effect
  std::vector<double> volume_weight_;
  mutable std::vector<double> volume_sum_;
};

/// Numbers the unconstrained degrees of freedom. row_of[6 v + i] is the row of degree of freedom i of voxel v, or -1 if
/// bit i of held[v] is set. Returns the number of rows.
std::int32_t number_freedoms(std::span<const std::uint8_t> held, std::vector<std::int32_t>& row_of);

/// Returns the mass [kg] or moment of inertia [kg m^2] of each degree of freedom, 6 values per voxel.
[[nodiscard]] std::vector<double> freedom_masses(const LatticeConstants& constants, std::size_t voxels);

}  // namespace vw
