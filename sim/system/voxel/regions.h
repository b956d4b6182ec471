// Boundary conditions of a voxel body: voxels that are constrained, moved along a prescribed path or loaded. Region
// shapes are given in fractions of the lattice and resolved to voxels. Forces, displacements and freedoms refer to the
// world's axes, whatever the body's orientation.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/system/voxel/lattice.h"

namespace vw {

/// A voxel with constrained degrees of freedom, which may follow a prescribed path.
struct HeldVoxel {
  std::uint32_t voxel = 0;
  /// Constrained degrees of freedom: bits 0..2 translations along x, y, z, bits 3..5 rotations about them (world axes).
  std::uint8_t freedoms = 0;
  Vec3 displacement = Vec3::Zero();  ///< prescribed, at the end of the ramp [m]; 0 along free translations
  Vec3 rotation = Vec3::Zero();      ///< prescribed, at the end of the ramp [rad]; 0 about free axes
  double ramp_s = 0;                 ///< duration of the ramp [s]
  [[nodiscard]] bool moves() const { return !displacement.isZero(0) || !rotation.isZero(0); }
};
inline constexpr std::uint8_t all_translations = 7, all_rotations = 56, all_freedoms = 63;

struct ResolvedRegions {
  std::vector<std::uint8_t> fixed;  ///< 1 = all six freedoms are constrained and do not move, per voxel
  std::vector<Vec3> force, torque;  ///< load on each voxel [N], [N m]; each empty if no region applies it
  std::vector<HeldVoxel> held;      ///< ascending by voxel; without the `fixed` ones
};

/// Fraction of the prescribed motion reached at time t, 3 u^2 - 2 u^3 with u = t / ramp_s, and its rate [1/s].
struct RampState {
  double share = 1, rate = 0;
};
[[nodiscard]] RampState ramp_at(double t, double ramp_s);

/// Resolves regions to voxels. A box touches a voxel if it overlaps the voxel's cube; a box without thickness touches
/// the voxels that it lies in or on. A cylinder or sphere touches a voxel if the voxel's centre lies inside or on it. A
/// region's force and torque are shared evenly by the voxels that it touches.
/// A voxel that several regions hold has the union of their freedoms. Each freedom takes its motion from the last
/// region that holds it; the voxel takes its ramp from the last region that moves it.
[[nodiscard]] ResolvedRegions resolve_regions(const VoxelLattice& lattice, const std::vector<VoxelRegion>& regions);
/// Reads the regions of a body's node. Errors: a freedom that is none of x, y, z, rx, ry, rz, or a box whose min lies
/// above its max; they name the value.
[[nodiscard]] Result<std::vector<VoxelRegion>> read_regions(const Node& body);

/// Applies the constraints of a held voxel after an ordinary kick and drift over (t_next - dt, t_next]. x, q, v, w are
/// the integrated position, orientation, velocity and angular velocity, which are corrected. `rest_position` and
/// `rest_orientation` are those at time 0.
/// Held translations: position = rest + share * displacement exactly, velocity = rate * displacement.
/// All three rotations held: orientation = exp(share * rotation) * rest exactly, angular velocity = rate * rotation.
/// Some rotations held: the held components of the angular velocity become rate * rotation. The rotation of the substep
/// is then repeated with its held components replaced by the increment of the ramp, so that the free components
/// integrate as usual. Rotations about a single axis add up exactly.
void apply_held(const HeldVoxel& held, double t_next, double dt, const Vec3& rest_position,
                const Quat& rest_orientation, Vec3& x, Quat& q, Vec3& v, Vec3& w);

}  // namespace vw
