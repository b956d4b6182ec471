// Contact of two voxels that no bond joins: balls of half their edge, with a spring that never pulls, a damper and the
// friction cone. Used within a body (self_contact.h) and between bodies (sim/interaction/voxels_voxels.h).
#pragma once

#include <limits>

#include "sim/system/voxel/constants.h"

namespace vw {

struct PairVoxel {
  Vec3 position, velocity, angular_velocity;
  double half_edge = 0;
  const VoxelClass* material = nullptr;
};

/// Limits for a contact in which one side responds only after a long substep.
struct PairBound {
  double stiffness = std::numeric_limits<double>::infinity();  ///< largest spring stiffness [N/m]
  /// Mass on which damper and friction act [kg]; 0: the reduced mass of the two voxels.
  double mass = 0;
};

/// Contact load: `force` on a, -force on b, and a moment on each. Conserves the pair's momentum and angular momentum.
struct PairPush {
  Vec3 force = Vec3::Zero();
  Vec3 moment_a = Vec3::Zero(), moment_b = Vec3::Zero();
};

/// Stiffness of the spring between two voxels [N/m], in series as for a bond: k = 2 k1 k2 / (k1 + k2), k = E s.
[[nodiscard]] double pair_stiffness(const VoxelClass& a, const VoxelClass& b);

/// Damping ratio of the normal motion of a pair: half the mean of the materials' ratios.
[[nodiscard]] double pair_damping_ratio(const VoxelClass& a, const VoxelClass& b);

/// Writes the contact load to `push`; returns false if the voxels do not press on each other. The normal force is
/// k depth + c v_n, never a pull. Friction takes the fraction friction_share() of the slip, but at most half of it in
/// one substep, because a voxel may press on several others at once.
[[nodiscard]] bool pair_contact(const PairVoxel& a, const PairVoxel& b, double dt, PairPush& push,
                                const PairBound& bound = {});

}  // namespace vw
