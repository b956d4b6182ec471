// Strain and stress tensors of voxels, computed from their bonds. In: a body's view. Out: tensors in the voxel's own
// axes (those of the lattice, rotated with the voxel), which a rigid motion leaves unchanged.
#pragma once

#include <vector>

#include "sim/system/voxel/measures.h"

namespace vw {

/// Mechanical strain: relative to the voxel's size at its temperature, plastic strain included. Column k of the
/// displacement gradient is the mean of r~ / s less its rest value over the one or two bonds along axis k, each in its
/// bond's mid frame, where bending has no effect. The strain is the symmetric part. Along an axis without bonds the
/// voxel is free of stress: its normal strain there follows from the other axes and Poisson's ratio, its shear from the
/// bonds across that axis.
[[nodiscard]] Mat3 strain_tensor(const BodyView& body, std::size_t voxel);

/// Elastic loads of all bonds at the body's shape, without damping.
struct ElasticLoads {
  std::vector<BondLoad> of_bond;
  std::vector<double> strain, tension;  ///< of bonds and of voxels: scratch of the Poisson effect
};
void find_elastic_loads(const BodyView& body, ElasticLoads& out);

/// Nominal stress (force per area at rest) [Pa], tension positive: the virial 1 / (2 s^3) sum over bonds of r (x) F,
/// with r the bond at rest. Each of a bond's voxels has half of it, so that the mean over the voxels is the mean stress
/// of the body. Along an axis with one bond and one free face, a voxel has half the stress of the bond. The tensor is
/// symmetrised; shear across an axis without bonds is that of the bonds along the other axis.
[[nodiscard]] Mat3 stress_tensor(const BodyView& body, const ElasticLoads& loads, std::size_t voxel);
/// Sum of the elastic bond forces on a voxel, in world axes [N].
[[nodiscard]] Vec3 bond_pull(const BodyView& body, const ElasticLoads& loads, std::size_t voxel);

/// Eigenvalues in ascending order.
[[nodiscard]] Vec3 principal_values(const Mat3& tensor);
/// Von Mises stress, sqrt(3/2 s : s) with s the deviator: F / A in uniaxial tension.
[[nodiscard]] double von_mises_stress(const Mat3& stress);
/// Von Mises strain, sqrt(2/3 e : e) with e the deviator: the elongation in uniaxial tension at constant volume.
[[nodiscard]] double von_mises_strain(const Mat3& strain);

}  // namespace vw
