// Strain and stress of voxels as tensors, read off their bonds without changing anything. In: a body's view. Out: tensors in the voxel's own axes
// (those of the lattice, carried along by its rotation), which a rigid motion leaves as they are.
#pragma once

#include <vector>

#include "sim/system/voxel/measures.h"

namespace vw {

/// Mechanical strain: measured from the size that the voxel has at its temperature, lasting (plastic) strain included.
/// Column k of the displacement gradient is the mean over the (one or two) bonds along axis k of r~ / s less the rest shape, each in its bond's
/// mid frame, where bending leaves no trace; the strain is its symmetric part. Along an axis without bonds nothing holds the voxel: it is strained as
/// its other axes and Poisson's ratio make it, stress free, and sheared as the bonds across say.
[[nodiscard]] Mat3 strain_tensor(const BodyView& body, std::size_t voxel);

/// Elastic loads of all bonds in the body's shape, damping left out.
struct ElasticLoads {
  std::vector<BondLoad> of_bond;
  std::vector<double> strain, tension;  ///< scratch of the Poisson effect: of bonds and of voxels
};
void find_elastic_loads(const BodyView& body, ElasticLoads& out);

/// Nominal stress (force per area at rest) [Pa], tension positive: 1 / (2 s^3) sum over bonds of r (x) F with r the bond at rest, so that each of a
/// bond's voxels has half of it (virial) and the mean over a body is its mean stress. A voxel with a face to nothing holds half the stress of its
/// bond there. Symmetrised; shear across an axis without bonds is what the bonds along the other axis carry.
[[nodiscard]] Mat3 stress_tensor(const BodyView& body, const ElasticLoads& loads, std::size_t voxel);
/// Sum of its bonds' elastic forces on a voxel, world axes [N].
[[nodiscard]] Vec3 bond_pull(const BodyView& body, const ElasticLoads& loads, std::size_t voxel);

/// Eigenvalues, ascending.
[[nodiscard]] Vec3 principal_values(const Mat3& tensor);
/// sqrt(3/2 s : s) of the deviator: F / A in uniaxial tension.
[[nodiscard]] double von_mises_stress(const Mat3& stress);
/// sqrt(2/3 e : e) of the deviator: the elongation in uniaxial tension at constant volume.
[[nodiscard]] double von_mises_strain(const Mat3& strain);

}  // namespace vw
