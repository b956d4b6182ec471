// Which voxels are held or pushed: boxes in fractions of the lattice, resolved to voxels.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/system/voxel/lattice.h"

namespace vw {

/// A voxel of which some freedoms are held, or that is moved along a prescribed path.
struct HeldVoxel {
  std::uint32_t voxel = 0;
  std::uint8_t freedoms = 0;           ///< held: bits 0..2 x, y, z, bits 3..5 rotations about them (world axes)
  Vec3 displacement = Vec3::Zero();    ///< of the held translations at the end of the ramp [m]
  Vec3 rotation = Vec3::Zero();        ///< of the held rotations at the end of the ramp [rad]
  double ramp_s = 0;
  [[nodiscard]] bool moves() const { return !displacement.isZero(0) || !rotation.isZero(0); }
};
inline constexpr std::uint8_t all_freedoms = 63;

struct ResolvedRegions {
  std::vector<std::uint8_t> fixed;   ///< 1 = stands still: all six freedoms held and not moved
  std::vector<Vec3> force, torque;   ///< [N], [N m] on each voxel; empty when no region pushes or twists
  std::vector<HeldVoxel> held;       ///< ascending; those that are not `fixed`
};
/// Share of the displacement reached at time t and its rate [1/s]: 3 u^2 - 2 u^3, u = t / ramp.
struct RampState {
  double share = 1, rate = 0;
};
[[nodiscard]] RampState ramp_at(double t, double ramp_s);
/// A box touches a voxel when it overlaps the voxel's cube; a box without thickness touches what it lies in or on. A cylinder or sphere touches
/// a voxel whose centre lies inside. A voxel that several regions hold has the union of their freedoms and the last one's motion.
[[nodiscard]] ResolvedRegions resolve_regions(const VoxelLattice& lattice, const std::vector<VoxelRegion>& regions);
[[nodiscard]] std::vector<VoxelRegion> read_regions(const Node& body);

}  // namespace vw
