// How a lattice's loads change with its shape: the symmetric tangent stiffness at its current configuration, a 6 x 6 block a voxel and a bond.
// In: topology, constants, positions, orientations, rest lengths. Out: a matrix that multiplies, or its entries as a sparse one.
// Six freedoms a voxel: a displacement u and a small rotation w, q <- exp(w) q, both in the world frame; row 6 v + i, u first.
// Bonds that are absent from topology.bond_at (broken ones) have no part in it.
#pragma once

#include <span>
#include <vector>

#include <Eigen/SparseCore>

#include "sim/system/voxel/bond_force.h"

namespace vw {

inline constexpr std::size_t voxel_freedoms = 6;
using Block6 = Eigen::Matrix<double, 6, 6>;

/// Which terms of a bond's second derivative count beside the material's (which alone is never indefinite).
enum class GeometricStiffness {
  none,  ///< rigid rotations of the whole cost nothing; always positive semidefinite
  full   ///< of the bonds' forces and moments: the tangent of Newton's method, of vibration under load and of buckling; may be indefinite
};

struct TangentOptions {
  GeometricStiffness geometric = GeometricStiffness::full;
  double damping_factor = 0;      ///< [1/s]: adds this times the damping matrix of the bonds; 1/h in an implicit step
  std::span<const double> slack;  ///< as in BondView: lasting elongation; may be empty
  bool stiffness = true;          ///< false: only the damping part (damping_factor = 1 gives C itself)
};

/// A bond's blocks: with R the mid frame, d = u2 - u1 + r x (w1 + w2) / 2 and p = w2 - w1,
///   stretch = Ka;  couple = K_(u2, w) = Ka [r]x / 2 - [F]x / 2;  turn = [r]x^T Ka [r]x / 4 + geometric part;  bend = Kr;  K_(w1, w2) = turn - bend +
///   [G]x / 2
struct BondTangent {
  Mat3 stretch = Mat3::Zero();
  Mat3 couple = Mat3::Zero();
  Mat3 turn = Mat3::Zero();
  Mat3 bend = Mat3::Zero();
  Vec3 half_moment = Vec3::Zero();  ///< G / 2
  /// K of (voxel a, voxel b); the transpose is K of (b, a).
  [[nodiscard]] Block6 across() const;
  /// K of (a, a) or of (b, b).
  [[nodiscard]] Block6 own(bool first) const;
};

/// Gradient of a bond's axial strain by the freedoms of its voxel b is (along, arm) and of its voxel a (-along, arm) [1/m, 1/rad].
struct StrainGradient {
  Vec3 along = Vec3::Zero();
  Vec3 arm = Vec3::Zero();
};

class TangentStiffness {
 public:
  /// Fills all blocks at the shape that `voxels` has. `topology` and `constants` must outlive this object's use.
  void assemble(const LatticeTopology& topology, const LatticeConstants& constants, const VoxelView& voxels, const TangentOptions& options = {});

  /// y = K x, 6 doubles a voxel; the same bits at any thread count.
  void multiply(std::span<const double> x, std::span<double> y) const;

  [[nodiscard]] std::size_t voxel_count() const { return topology_ == nullptr ? 0 : topology_->voxel_count(); }
  [[nodiscard]] std::size_t freedom_count() const { return voxel_freedoms * voxel_count(); }
  /// The voxel's own block, volumetric part (Poisson effect) included.
  [[nodiscard]] Block6 diagonal(std::size_t voxel) const;
  [[nodiscard]] const BondTangent& bond(std::size_t bond) const { return bonds_[bond]; }
  [[nodiscard]] const StrainGradient& strain_gradient(std::size_t bond) const { return gradients_[bond]; }
  /// s^2 beta_v / s times its square of strains' sum: U = 1/2 weight (sum e)^2. Empty without a Poisson effect.
  [[nodiscard]] std::span<const double> volume_weight() const { return volume_weight_; }
  [[nodiscard]] const LatticeTopology& topology() const { return *topology_; }

  /// The matrix over the freedoms whose entry of `row_of` is not negative, as both triangles; row_of[6 v + i] is its row among `rows`.
  /// `volume` leaves the second neighbours of the Poisson effect out where false (their share of the own and neighbours' blocks stays out, too).
  [[nodiscard]] Eigen::SparseMatrix<double> sparse(std::span<const std::int32_t> row_of, std::int32_t rows, bool volume = true) const;

 private:
  void multiply_voxels(std::span<const double> x, std::span<double> y, Range range) const;

  const LatticeTopology* topology_ = nullptr;
  std::vector<BondTangent> bonds_;
  std::vector<StrainGradient> gradients_;  ///< empty without a Poisson effect
  std::vector<double> volume_weight_;
  mutable std::vector<double> volume_sum_;
};

/// Rows of the freedoms that `held` leaves free (bit i of held[v]: freedom i of voxel v is held): -1 where held. Returns their number.
std::int32_t number_freedoms(std::span<const std::uint8_t> held, std::vector<std::int32_t>& row_of);

/// Masses and inertias of the freedoms, 6 a voxel.
[[nodiscard]] std::vector<double> freedom_masses(const LatticeConstants& constants, std::size_t voxels);

}  // namespace vw
