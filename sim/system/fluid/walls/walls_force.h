// Pressure loads of the fluid on obstacles, for plots. Input: a workspace after its pressure solve. Output: forces and
// moments.
#pragma once

#include <span>
#include <vector>

#include "sim/snapshot/snapshot.h"
#include "sim/system/fluid/walls/walls.h"

namespace vw {

struct WallLoad {
  Vec3 force = Vec3::Zero();   ///< [N]
  Vec3 moment = Vec3::Zero();  ///< Moment about the collider's origin [N m].
  WallLoad& operator+=(const WallLoad& other) {
    force += other.force, moment += other.moment;
    return *this;
  }
};

/// Computes the load of the pressures in space.kappa (p / density^2) on every collider: the opposite of the forces that
/// push_sweep() and depth_sweep() exert on the particles. `out` receives one entry per collider. `owners`: owner of
/// each row of space.walls. The cost is about the cost of one sweep over the particles near walls.
void wall_loads(const SphWorkspace& space, std::span<const Walls::Owner> owners, std::span<const Collider> colliders,
                std::vector<WallLoad>& out);
/// Computes the pressure forces on single samples [N]. The slot of wall row w is slot_of_wall[w] - 1, and out[slot]
/// receives the force on the row. If slot_of_wall[w] is 0, the force on the row is not computed.
void sample_forces(const SphWorkspace& space, std::span<const std::uint32_t> slot_of_wall, std::span<Vec3> out);
/// Whether the owner of each sample in the workspace is a guest (coupled body, guest.h) or one of these colliders.
[[nodiscard]] bool can_tell_loads(const SphWorkspace& space, std::span<const Walls::Owner> owners,
                                  std::span<const Collider> colliders);
/// Appends totals for the loads of the last substep: one set for the sum over all obstacles except planes. If there are
/// several obstacles, each of the first sixteen in the order of `colliders` has another set. A set consists of force
/// and moment. The moment of the sum is about the world's origin, the moment of an obstacle about the obstacle's own
/// origin. If `space` is null, the totals are zero.
void add_load_totals(const SphWorkspace* space, std::span<const Walls::Owner> owners,
                     std::span<const Collider> colliders, std::size_t obstacles, std::vector<Total>& out);
/// Returns the sum of the forces on all colliders except planes, which are floors and sides [N]. The result is zero if
/// the workspace was made with other colliders.
[[nodiscard]] Vec3 force_on_obstacles(const SphWorkspace& space, std::span<const Walls::Owner> owners,
                                      std::span<const Collider> colliders);

}  // namespace vw
