// The tensors of a voxel depend only on the voxel's bonds, so voxels can be evaluated in any order and on any thread.
#include "sim/system/voxel/implicit/tensors.h"

#include <cmath>

#include "sim/base/parallel/parallel.h"
#include "sim/base/rotation.h"
#include "sim/system/voxel/explicit/load_sums.h"

namespace vw {
namespace {

constexpr std::size_t tensor_bond_grain = 1024;

/// Sums over the bonds along each axis of one voxel.
struct AxisSums {
  Mat3 stretch = Mat3::Zero();  ///< column k: sum of BondDeformation::stretch over the bonds along axis k [m]
  Vec3 elastic = Vec3::Zero();  ///< sums of the elastic elongations [m]
  Vec3 bonds = Vec3::Zero();    ///< number of bonds along each axis, 0 to 2
};

AxisSums sum_axes(const BodyView& body, std::size_t voxel) {
  AxisSums sums;
  for (int face = 0; face < face_count; ++face) {
    const std::int32_t bond = body.topology->bond_at[voxel][static_cast<std::size_t>(face)];
    if (bond < 0) continue;
    const BondDeformation shape = bond_deformation(body.bonds, body.voxels, static_cast<std::size_t>(bond));
    sums.stretch.col(face / 2) += shape.stretch;
    sums.elastic[face / 2] += shape.elongation;
    sums.bonds[face / 2] += 1;
  }
  return sums;
}

/// Completes a symmetric tensor: in the columns of axes without bonds, sets the off-diagonal terms to the terms on the
/// other side of the diagonal.
void complete_shear(const Vec3& bonds, Mat3& columns) {
  for (int k = 0; k < 3; ++k)
    for (int other = 0; other < 3; ++other)
      if (bonds[k] == 0 && other != k) columns(other, k) = columns(k, other);
}

Mat3 symmetric(const Mat3& m) { return 0.5 * (m + m.transpose()); }
Mat3 deviator(const Mat3& m) { return m - m.trace() / 3 * Mat3::Identity(); }

}  // namespace

Mat3 strain_tensor(const BodyView& body, std::size_t voxel) {
  const AxisSums sums = sum_axes(body, voxel);
  Mat3 gradient = Mat3::Zero();
  // Sum of the elastic strains along axes with bonds, and number of axes without bonds.
  double held = 0, free = 0;
  for (int k = 0; k < 3; ++k) {
    if (sums.bonds[k] == 0) {
      ++free;
      continue;
    }
    gradient.col(k) = sums.stretch.col(k) / (sums.bonds[k] * body.constants->edge_m);
    held += sums.elastic[k] / (sums.bonds[k] * body.constants->edge_m);
  }
  complete_shear(sums.bonds, gradient);
  // Solves 0 = lambda (held + free e) + 2 G e for the strain e along an axis without bonds, with the Lame constants
  // lambda and G.
  const VoxelClass& c = body.constants->of(voxel);
  for (int k = 0; k < 3; ++k)
    if (sums.bonds[k] == 0) gradient(k, k) = -c.lame * held / (2 * c.shear + free * c.lame);
  return symmetric(gradient);
}

void find_elastic_loads(const BodyView& body, ElasticLoads& out) {
  const std::size_t bonds = body.bonds.bonds.size(), n = body.elements->size();
  VoxelView voxels = body.voxels;
  voxels.volume_tension = {};
  if (!body.constants->volume_stiffness.empty()) {
    out.strain.resize(bonds);
    out.tension.resize(n);
    parallel_for(bonds, tensor_bond_grain, [&](Range range, std::size_t) {
      bond_strains(body.bonds, voxels, body.constants->edge_m, out.strain, range);
    });
    parallel_for(n, tensor_bond_grain, [&](Range range, std::size_t) {
      sum_volume_tension(*body.topology, out.strain, body.constants->volume_stiffness, out.tension, range);
    });
    voxels.volume_tension = out.tension;
  }
  out.of_bond.resize(bonds);
  parallel_for(bonds, tensor_bond_grain,
               [&](Range range, std::size_t) { bond_forces(body.bonds, voxels, false, out.of_bond, range); });
}

Mat3 stress_tensor(const BodyView& body, const ElasticLoads& loads, std::size_t voxel) {
  Mat3 force = Mat3::Zero();
  Vec3 bonds = Vec3::Zero();
  for (int face = 0; face < face_count; ++face) {
    const std::int32_t bond = body.topology->bond_at[voxel][static_cast<std::size_t>(face)];
    if (bond < 0) continue;
    // The tensor product of bond vector and force is the same for both voxels of a bond, because both signs are
    // reversed at voxel b.
    force.col(face / 2) += loads.of_bond[static_cast<std::size_t>(bond)].force;
    bonds[face / 2] += 1;
  }
  const double s = body.constants->edge_m;
  Mat3 stress = body.voxels.orientation[voxel].toRotationMatrix().transpose() * force / (2 * s * s);
  complete_shear(bonds, stress);
  return symmetric(stress);
}

Vec3 bond_pull(const BodyView& body, const ElasticLoads& loads, std::size_t voxel) {
  Vec3 force = Vec3::Zero();
  for (std::size_t face = 0; face < face_count; ++face) {
    const std::int32_t bond = body.topology->bond_at[voxel][face];
    if (bond >= 0) force += (face % 2 == 0 ? -1 : 1) * loads.of_bond[static_cast<std::size_t>(bond)].force;
  }
  return force;
}

Vec3 principal_values(const Mat3& tensor) { return symmetric_eigenvalues(tensor); }

double von_mises_stress(const Mat3& stress) { return std::sqrt(1.5) * deviator(stress).norm(); }
double von_mises_strain(const Mat3& strain) { return std::sqrt(2.0 / 3) * deviator(strain).norm(); }

}  // namespace vw
