// Boundary conditions of a voxel body: voxels that are constrained, moved along a prescribed path or loaded. Region
// shapes are given in fractions of the lattice's extent and resolved to voxels. Forces, displacements and degrees of
// freedom refer to the world's axes, whatever the body's orientation.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/system/voxel/lattice/lattice.h"

namespace vw {

/// A voxel with constrained degrees of freedom, which are at rest or follow a prescribed path.
struct HeldVoxel {
  std::uint32_t voxel = 0;
  /// Constrained degrees of freedom in world axes. Bits 0 to 2 are translations along x, y, z; bits 3 to 5 are
  /// rotations about x, y, z.
  std::uint8_t freedoms = 0;
  Vec3 displacement = Vec3::Zero();  ///< prescribed displacement at the end of the ramp [m]; 0 along free axes
  Vec3 rotation = Vec3::Zero();      ///< prescribed rotation at the end of the ramp [rad]; 0 about free axes
  double ramp_s = 0;                 ///< duration of the ramp [s]
  [[nodiscard]] bool moves() const { return !displacement.isZero(0) || !rotation.isZero(0); }
};
inline constexpr std::uint8_t all_translations = 7, all_rotations = 56, all_freedoms = 63;

struct ResolvedRegions {
  std::vector<std::uint8_t> fixed;  ///< 1 for each voxel whose six degrees of freedom are all constrained at rest
  std::vector<Vec3> force, torque;  ///< force [N] and torque [N m] on each voxel; empty if no region applies any
  std::vector<HeldVoxel> held;      ///< voxels with other constraints than `fixed`, ascending by voxel
};

/// Fraction 3 u^2 - 2 u^3 of the prescribed motion that is reached at time t, with u = t / ramp_s, and the time
/// derivative of this fraction [1/s].
struct RampState {
  double share = 1, rate = 0;
};
[[nodiscard]] RampState ramp_at(double t, double ramp_s);

/// Resolves regions to the voxels that they touch (region_shape.h). A region's force and torque are distributed evenly
/// over these voxels. If several regions constrain a voxel, the degrees of freedom of all these regions are
/// constrained. The prescribed motion of a degree of freedom comes from the last region that constrains this degree of
/// freedom. The ramp of a voxel comes from the last region that moves the voxel.
[[nodiscard]] ResolvedRegions resolve_regions(const VoxelLattice& lattice, const std::vector<VoxelRegion>& regions);
/// Reads the regions of a body's node. Fails if a degree of freedom is none of x, y, z, rx, ry, rz, or if the `min` of
/// a box exceeds its `max`. The error message contains the wrong value.
[[nodiscard]] Result<std::vector<VoxelRegion>> read_regions(const Node& body);

/// Applies the constraints of a voxel after an unconstrained substep from t_next - dt to t_next. Position x,
/// orientation q, velocity v and angular velocity w are the results of that substep and are overwritten.
/// `rest_position` and `rest_orientation` are position and orientation at time 0. `share` and `rate` are the members of
/// RampState.
/// - Constrained translations: position = rest_position + share * displacement exactly, velocity = rate * displacement.
/// - All three rotations constrained: orientation = exp(share * rotation) * rest_orientation exactly,
///   angular velocity = rate * rotation.
/// - One or two rotations constrained: the constrained components of the angular velocity become rate * rotation. The
///   rotation of the substep is undone and applied again, with the constrained components replaced by the increment of
///   the prescribed rotation. The free components are integrated as usual. Increments about a single axis add up
///   exactly.
void apply_held(const HeldVoxel& held, double t_next, double dt, const Vec3& rest_position,
                const Quat& rest_orientation, Vec3& x, Quat& q, Vec3& v, Vec3& w);

}  // namespace vw
