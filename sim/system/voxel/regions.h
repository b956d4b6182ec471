// Which voxels are held, moved, pushed or twisted: shapes in fractions of the lattice, resolved to voxels; and the rule by which a held voxel
// follows its prescribed path. Forces, displacements and freedoms are along the world's axes, however the body is turned.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/system/voxel/lattice.h"

namespace vw {

/// A voxel of which some freedoms are held, or that is moved along a prescribed path.
struct HeldVoxel {
  std::uint32_t voxel = 0;
  std::uint8_t freedoms = 0;         ///< held: bits 0..2 x, y, z, bits 3..5 rotations about them (world axes)
  Vec3 displacement = Vec3::Zero();  ///< at the end of the ramp [m]; 0 along translations that are free
  Vec3 rotation = Vec3::Zero();      ///< at the end of the ramp [rad]; 0 about axes that are free
  double ramp_s = 0;
  [[nodiscard]] bool moves() const { return !displacement.isZero(0) || !rotation.isZero(0); }
};
inline constexpr std::uint8_t all_translations = 7, all_rotations = 56, all_freedoms = 63;

struct ResolvedRegions {
  std::vector<std::uint8_t> fixed;  ///< 1 = stands still: all six freedoms held and not moved
  std::vector<Vec3> force, torque;  ///< [N], [N m] on each voxel; empty when no region pushes or twists
  std::vector<HeldVoxel> held;      ///< ascending; those that are not `fixed`
};

/// Share of the displacement reached at time t and its rate [1/s]: 3 u^2 - 2 u^3, u = t / ramp.
struct RampState {
  double share = 1, rate = 0;
};
[[nodiscard]] RampState ramp_at(double t, double ramp_s);

/// A box touches a voxel when it overlaps the voxel's cube; a box without thickness touches what it lies in or on. A cylinder or sphere touches
/// a voxel whose centre lies inside or on it. A region's force and torque are shared evenly over the voxels that it touches.
/// A voxel that several regions hold has the union of their freedoms; each freedom takes its motion from the last region that holds it, the
/// voxel its ramp from the last region that moves it.
[[nodiscard]] ResolvedRegions resolve_regions(const VoxelLattice& lattice, const std::vector<VoxelRegion>& regions);
/// A freedom that is none of x, y, z, rx, ry, rz is an error that names it.
[[nodiscard]] Result<std::vector<VoxelRegion>> read_regions(const Node& body);

/// Brings a held voxel, after an ordinary kick and drift over (t_next - dt, t_next], to where it has to be at t_next. `rest_position` and
/// `rest_orientation` are those at the start.
/// Held translations: position = rest + share * displacement exactly, velocity = rate * displacement.
/// All three rotations held: orientation = exp(share * rotation) * rest exactly, angular velocity = rate * rotation.
/// Only some rotations held: those components of the angular velocity are rate * rotation, and the substep's turn is taken again with the held
/// components replaced by what the ramp gained in it, so that the free components integrate as ever. Turns about one axis alone sum exactly.
void apply_held(const HeldVoxel& held, double t_next, double dt, const Vec3& rest_position, const Quat& rest_orientation, Vec3& x, Quat& q, Vec3& v,
                Vec3& w);

}  // namespace vw
