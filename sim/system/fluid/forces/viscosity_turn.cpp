#include "sim/system/fluid/forces/viscosity_turn.h"

#include <algorithm>

#include "sim/base/parallel/parallel.h"
#include "sim/system/fluid/forces/viscosity_sweeps.h"
#include "sim/system/fluid/rows/row_images.h"

namespace vw {
namespace {

/// Returns the fraction of the velocity difference that is corrected. The difference is the velocity of a sample of a
/// rotating wall minus the velocity of the wall's rotation at the particle. Central pair forces of the fluid vanish in
/// rigid rotation, so the full difference is corrected. With forces along the velocity difference, the fluid on the
/// side away from the wall balances half of the difference, so only the other half is corrected.
double share_of(ViscosityMethod method) { return method == ViscosityMethod::implicit ? 1 : 0.5; }

void make_up_in(SphWorkspace& space, const TurningWalls& walls, const PairChunk& chunk, const Cluster& cluster,
                double dt) {
  const SweepInput in = space.input();
  for (std::uint32_t row = cluster.row; row < cluster.row + cluster.rows; ++row) {
    const double viscosity = walls.phases[walls.phase[row]].viscosity_pas;
    if (viscosity <= 0) continue;
    const Vec3 at = xyz(space.rows[row]);
    Vec3 sum = Vec3::Zero();
    for (std::uint32_t k = cluster.wall_begin; k < cluster.wall_end; ++k) {
      const std::uint32_t wall = chunk.walls[k];
      if (wall >= walls.owners.size() || walls.owners[wall].guest >= 0) continue;
      const Vec3& spin = walls.colliders[walls.owners[wall].sample].angular_velocity;
      if (spin.isZero(0)) continue;
      const Vec3 behind = xyz(space.walls.rows[wall]) - at;
      sum += static_cast<double>(space.walls.rows[wall].w) * skin_weight(in, behind.norm()) * spin.cross(behind);
    }
    const double scale =
        dt * viscosity * walls.settings.wall_friction * static_cast<double>(space.inverse_density[row]);
    const Vec3f change = (-scale * share_of(walls.settings.viscosity_method) * sum).cast<float>();
    Float4& v = space.motion[row];
    v.x += change.x(), v.y += change.y(), v.z += change.z();
  }
}

}  // namespace

void correct_rotating_walls(SphWorkspace& space, const TurningWalls& walls, double dt) {
  const auto turns = [](const Collider& collider) { return !collider.angular_velocity.isZero(0); };
  const auto is_viscous = [](const PhaseForces& phase) { return phase.viscosity_pas > 0; };
  if (std::none_of(walls.colliders.begin(), walls.colliders.end(), turns) ||
      std::none_of(walls.phases.begin(), walls.phases.end(), is_viscous))
    return;
  const auto chunks = space.lists.chunks();
  parallel_for(chunks.size(), 1, [&](Range range, std::size_t) {
    for (std::size_t c = range.begin; c < range.end; ++c)
      for (const Cluster& cluster : chunks[c].clusters)
        if (cluster.wall_begin != cluster.wall_end) make_up_in(space, walls, chunks[c], cluster, dt);
  });
  copy_to_images(space, space.motion);
}

}  // namespace vw
