// Two voxels that are not joined press on each other: as balls of half their edge, with a spring that never pulls, a damper and the one friction
// cone. Used within a body (self_contact.h) and between bodies (sim/interaction/voxels_voxels.h).
#pragma once

#include <limits>

#include "sim/system/voxel/constants.h"

namespace vw {

struct PairVoxel {
  Vec3 position, velocity, angular_velocity;
  double half_edge = 0;
  const VoxelClass* material = nullptr;
};

/// Where one of the two answers only after a long substep: what that bears.
struct PairBound {
  double stiffness = std::numeric_limits<double>::infinity();  ///< most of the spring [N/m]
  double mass = 0;                                             ///< that damper and friction act on; 0: that of the two voxels [kg]
};

/// What the contact does: force on a and -force on b, a moment on each. Momentum and angular momentum of the pair are kept.
struct PairPush {
  Vec3 force = Vec3::Zero();
  Vec3 moment_a = Vec3::Zero(), moment_b = Vec3::Zero();
};

/// Stiffness of the spring between two voxels: in series, as for a bond (k = 2 k1 k2 / (k1 + k2), k = E s).
[[nodiscard]] double pair_stiffness(const VoxelClass& a, const VoxelClass& b);

/// Damping ratio of the normal motion of a pair: half the mean one of the materials.
[[nodiscard]] double pair_damping_ratio(const VoxelClass& a, const VoxelClass& b);

/// False when they do not touch. Normal force k depth + c v_n with half the mean damping ratio of the materials, never a pull. Friction takes its
/// share of the slip by friction_share (SPEC 2), at most half of it in one substep: a voxel may press on several others at once.
[[nodiscard]] bool pair_contact(const PairVoxel& a, const PairVoxel& b, double dt, PairPush& push, const PairBound& bound = {});

}  // namespace vw
