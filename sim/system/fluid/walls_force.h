// What the fluid presses with on each obstacle: for plots of loads on walls. In: a workspace after its pressure solve. Out: forces and moments.
#pragma once

#include <span>
#include <vector>

#include "sim/snapshot/snapshot.h"
#include "sim/system/fluid/walls.h"

namespace vw {

struct WallLoad {
  Vec3 force = Vec3::Zero();   ///< [N]
  Vec3 moment = Vec3::Zero();  ///< about the collider's origin [N m]
  WallLoad& operator+=(const WallLoad& other) {
    force += other.force, moment += other.moment;
    return *this;
  }
};

/// Of the pressures in space.kappa on every collider, the opposite of what push_sweep and depth_sweep give the rows. `owners` of the rows of
/// space.walls. Costs about as much as one sweep over the rows near walls.
void wall_loads(const SphWorkspace& space, std::span<const Walls::Owner> owners, std::span<const Collider> colliders, std::vector<WallLoad>& out);
/// The same on single samples: on that of wall row w into out[slot_of_wall[w] - 1], where that is not 0 [N].
void sample_forces(const SphWorkspace& space, std::span<const std::uint32_t> slot_of_wall, std::span<Vec3> out);
/// Whether the workspace's walls are of these colliders.
[[nodiscard]] bool can_tell_loads(const SphWorkspace& space, std::span<const Walls::Owner> owners, std::span<const Collider> colliders);
/// Of pressures in the last substep, on every obstacle that is no plane, and on each of the first sixteen where there are several, in the file's
/// order: forces, and moments about the world's origin (the sum) and about the obstacle's own, as totals. `space` may be null: zeros.
void add_load_totals(const SphWorkspace* space, std::span<const Walls::Owner> owners, std::span<const Collider> colliders, std::size_t obstacles,
                     std::vector<Total>& out);
/// Sum of the forces on all of them but planes, which are floors and sides [N]. Zero where the workspace has had other colliders.
[[nodiscard]] Vec3 force_on_obstacles(const SphWorkspace& space, std::span<const Walls::Owner> owners, std::span<const Collider> colliders);

}  // namespace vw
