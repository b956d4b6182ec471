#include "sim/system/fluid/walls_force.h"

#include <algorithm>

#include "sim/base/parallel.h"
#include "sim/system/fluid/walls_depth.h"

namespace vw {
namespace {

Vec3 place_of(const Float4& row) { return Vec3f(row.x, row.y, row.z).cast<double>(); }

void add_of_cluster(const SphWorkspace& space, const PairChunk& chunk, const Cluster& cluster, std::span<const Walls::Owner> owners,
                    std::span<const Collider> colliders, std::span<WallLoad> out) {
  const double reach = space.scale.reach_m(), v = space.scale.volume_m3();
  const double scale = lattice_factor(space.scale.kernel) * v * v / (reach * reach * reach * reach * reach);
  const Growth growth{space.kappa, space.inverse_density, space.density, space.gravity.cast<float>(), 0};
  for (std::uint32_t row = cluster.row; row < cluster.row + cluster.rows; ++row) {
    if (space.kappa[row] == 0) continue;
    const Vec3 at = place_of(space.rows[row]);
    for (std::uint32_t k = cluster.wall_begin; k < cluster.wall_end; ++k) {
      const std::uint32_t wall = chunk.walls[k];
      if (wall >= owners.size() || owners[wall].guest >= 0) continue;
      const Vec3 sample = place_of(space.walls.rows[wall]), apart = at - sample;
      const double q = apart.norm() / reach;
      if (q >= 1) continue;
      const auto pressed = static_cast<double>(space.walls.rows[wall].w * (2 * space.kappa[row] + growth.at(row, apart.cast<float>())));
      const Vec3 force = scale * pressed * kernel_slope(space.scale.kernel, q) * apart;
      const std::uint32_t number = owners[wall].sample;
      out[number].force += force;
      out[number].moment += (sample + space.origin - colliders[number].position).cross(force);
    }
  }
}

}  // namespace

void wall_loads(const SphWorkspace& space, std::span<const Walls::Owner> owners, std::span<const Collider> colliders, std::vector<WallLoad>& out) {
  const auto chunks = space.lists.chunks();
  const std::size_t n = colliders.size();
  std::vector<WallLoad> parts(chunks.size() * n);
  parallel_for(chunks.size(), 1, [&](Range range, std::size_t) {
    for (std::size_t c = range.begin; c < range.end; ++c)
      for (const Cluster& cluster : chunks[c].clusters)
        if (cluster.wall_begin != cluster.wall_end) add_of_cluster(space, chunks[c], cluster, owners, colliders, std::span(parts).subspan(c * n, n));
  });
  out.assign(n, {});
  for (std::size_t c = 0; c < chunks.size(); ++c)
    for (std::size_t i = 0; i < n; ++i) out[i] += parts[c * n + i];
}

bool can_tell_loads(const SphWorkspace& space, std::span<const Walls::Owner> owners, std::span<const Collider> colliders) {
  const auto is_known = [&](const Walls::Owner& owner) { return owner.guest >= 0 || owner.sample < colliders.size(); };
  return owners.size() == space.walls.size() && std::all_of(owners.begin(), owners.end(), is_known);
}

Vec3 force_on_obstacles(const SphWorkspace& space, std::span<const Walls::Owner> owners, std::span<const Collider> colliders) {
  const auto is_plane = [](const Collider& collider) { return std::holds_alternative<PlaneShape>(collider.shape); };
  Vec3 force = Vec3::Zero();
  if (std::all_of(colliders.begin(), colliders.end(), is_plane) || !can_tell_loads(space, owners, colliders)) return force;
  std::vector<WallLoad> loads;
  wall_loads(space, owners, colliders, loads);
  for (std::size_t i = 0; i < loads.size(); ++i)
    if (!is_plane(colliders[i])) force += loads[i].force;
  return force;
}

}  // namespace vw
