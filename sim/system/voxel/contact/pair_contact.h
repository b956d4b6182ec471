// Contact of two voxels that no bond joins. A voxel collides as a sphere with a radius of half the edge. The contact
// law consists of a spring that never pulls, a damper and the friction cone. The law is used within a body
// (self_contact.h) and between bodies (sim/interaction/bodies/voxels_voxels.h).
#pragma once

#include <limits>

#include "sim/system/voxel/lattice/constants.h"

namespace vw {

struct PairVoxel {
  Vec3 position, velocity, angular_velocity;
  double half_edge = 0;
  const VoxelClass* material = nullptr;
};

/// Limits for a contact in which one of the voxels belongs to a body with long substeps.
struct PairBound {
  double stiffness = std::numeric_limits<double>::infinity();  ///< largest spring stiffness [N/m]
  /// Mass on which damper and friction act [kg]. 0 means the reduced mass of the two voxels.
  double mass = 0;
};

/// Contact load: `force` on voxel a, -force on voxel b, and one moment on each. The load conserves the momentum and
/// angular momentum of the pair.
struct PairPush {
  Vec3 force = Vec3::Zero();
  Vec3 moment_a = Vec3::Zero(), moment_b = Vec3::Zero();
};

/// Returns the stiffness of the contact spring between two voxels [N/m], k = 2 k1 k2 / (k1 + k2) as for a bond. k1 and
/// k2 are the contact stiffnesses E s of the voxels.
[[nodiscard]] double pair_stiffness(const VoxelClass& a, const VoxelClass& b);

/// Returns the damping ratio of the normal motion of a pair: half the mean of the damping ratios of both materials.
[[nodiscard]] double pair_damping_ratio(const VoxelClass& a, const VoxelClass& b);

/// Writes the contact load to `push`. Returns false and leaves `push` unchanged if the voxels do not press on each
/// other. The normal force is k depth + c v_n, with the stiffness k, the damping c and the approach velocity v_n. A
/// negative force is replaced by 0. Friction removes a fraction of the slip velocity (friction_share()), but at most
/// half of this velocity in one substep, because a voxel may press on several voxels at once.
[[nodiscard]] bool pair_contact(const PairVoxel& a, const PairVoxel& b, double dt, PairPush& push,
                                const PairBound& bound = {});

}  // namespace vw
