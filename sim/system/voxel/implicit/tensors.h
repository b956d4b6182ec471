// Strain and stress tensors of voxels, computed from the voxels' bonds. Input: the view of a body. Output: tensors in
// the axes of the lattice, rotated with the voxel. Rigid motion does not change these tensors.
#pragma once

#include <vector>

#include "sim/system/voxel/analysis/measures.h"

namespace vw {

/// Returns the mechanical strain of a voxel, relative to the voxel's size at its temperature and muscle strain. Plastic
/// strain is included. Column k of the displacement gradient is the mean of BondDeformation::stretch / s over the one
/// or two bonds along axis k, in the mid frame of each bond, where bending has no effect. The strain is the symmetric
/// part of this gradient. Along an axis without bonds the voxel is free of stress. The normal strain along such an axis
/// follows from the other axes and Poisson's ratio, and the shear from the bonds along the other axes.
[[nodiscard]] Mat3 strain_tensor(const BodyView& body, std::size_t voxel);

/// Elastic loads of all bonds at the body's shape, without damping.
struct ElasticLoads {
  std::vector<BondLoad> of_bond;
  /// Strain of each bond and volumetric tension of each voxel [N]. Used only with a Poisson effect.
  std::vector<double> strain, tension;
};
void find_elastic_loads(const BodyView& body, ElasticLoads& out);

/// Returns the nominal stress of a voxel (force per area at rest) [Pa], with tension positive. The stress is the virial
/// 1 / (2 s^3) sum of r (x) F over the voxel's bonds, with the voxel edge s, the bond's rest vector r, the bond's force
/// F and the tensor product (x). Half of a bond's virial is assigned to each of its voxels, so that the mean over all
/// voxels is the mean stress of the body. Along an axis with one bond and one free face, the stress of the voxel is
/// half the stress of the bond. The tensor is symmetrised. Shear terms for an axis without bonds are taken from the
/// bonds along the other axes.
[[nodiscard]] Mat3 stress_tensor(const BodyView& body, const ElasticLoads& loads, std::size_t voxel);
/// Returns the sum of the elastic bond forces on a voxel, in world axes [N].
[[nodiscard]] Vec3 bond_pull(const BodyView& body, const ElasticLoads& loads, std::size_t voxel);

/// Returns the eigenvalues of a symmetric tensor in ascending order.
[[nodiscard]] Vec3 principal_values(const Mat3& tensor);
/// Returns the von Mises stress sqrt(3/2 s : s), where s is the deviator of the stress. In uniaxial tension with force
/// F on the cross-section A, the von Mises stress equals F / A.
[[nodiscard]] double von_mises_stress(const Mat3& stress);
/// Returns the von Mises strain sqrt(2/3 e : e), where e is the deviator of the strain. In uniaxial tension at constant
/// volume, the von Mises strain equals the axial strain.
[[nodiscard]] double von_mises_strain(const Mat3& strain);

}  // namespace vw
