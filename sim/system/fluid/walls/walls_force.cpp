#include "sim/system/fluid/walls/walls_force.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "sim/base/parallel/parallel.h"
#include "sim/system/fluid/pressure/hydrostatic_correction.h"

namespace vw {
namespace {

/// Calls visit(wall, force) for each pair of a particle and a wall sample in a cluster. force: pressure force on the
/// sample [N].
template <class Visit>
void each_force(const SphWorkspace& space, const PairChunk& chunk, const Cluster& cluster, Visit visit) {
  const double reach = space.scale.reach_m(), v = space.scale.volume_m3();
  const double scale = lattice_factor(space.scale.kernel) * v * v / (reach * reach * reach * reach * reach);
  const Growth growth{space.kappa, space.inverse_density, space.density, space.gravity.cast<float>(), 0};
  for (std::uint32_t row = cluster.row; row < cluster.row + cluster.rows; ++row) {
    if (space.kappa[row] == 0) continue;
    const Vec3 at = xyz(space.rows[row]);
    for (std::uint32_t k = cluster.wall_begin; k < cluster.wall_end; ++k) {
      const std::uint32_t wall = chunk.walls[k];
      if (wall >= space.walls.size()) continue;
      const Vec3 apart = at - xyz(space.walls.rows[wall]);
      const double q = apart.norm() / reach;
      if (q >= 1) continue;
      const auto pressed =
          static_cast<double>(space.walls.rows[wall].w * (2 * space.kappa[row] + growth.at(row, apart.cast<float>())));
      visit(wall, Vec3(scale * pressed * kernel_slope(space.scale.kernel, q) * apart));
    }
  }
}

void add_of_cluster(const SphWorkspace& space, const PairChunk& chunk, const Cluster& cluster,
                    std::span<const Walls::Owner> owners, std::span<const Collider> colliders,
                    std::span<WallLoad> out) {
  each_force(space, chunk, cluster, [&](std::uint32_t wall, const Vec3& force) {
    if (owners[wall].guest >= 0) return;
    const std::uint32_t number = owners[wall].sample;
    out[number].force += force;
    out[number].moment += (xyz(space.walls.rows[wall]) + space.origin - colliders[number].position).cross(force);
  });
}

}  // namespace

void wall_loads(const SphWorkspace& space, std::span<const Walls::Owner> owners, std::span<const Collider> colliders,
                std::vector<WallLoad>& out) {
  const auto chunks = space.lists.chunks();
  const std::size_t n = colliders.size();
  std::vector<WallLoad> parts(chunks.size() * n);
  parallel_for(chunks.size(), 1, [&](Range range, std::size_t) {
    for (std::size_t c = range.begin; c < range.end; ++c)
      for (const Cluster& cluster : chunks[c].clusters)
        if (cluster.wall_begin != cluster.wall_end)
          add_of_cluster(space, chunks[c], cluster, owners, colliders, std::span(parts).subspan(c * n, n));
  });
  out.assign(n, {});
  for (std::size_t c = 0; c < chunks.size(); ++c)
    for (std::size_t i = 0; i < n; ++i) out[i] += parts[c * n + i];
}

void sample_forces(const SphWorkspace& space, std::span<const std::uint32_t> slot_of_wall, std::span<Vec3> out) {
  const auto chunks = space.lists.chunks();
  const std::size_t n = out.size();
  std::fill(out.begin(), out.end(), Vec3::Zero());
  if (n == 0) return;
  std::vector<Vec3> parts(chunks.size() * n, Vec3::Zero());
  parallel_for(chunks.size(), 1, [&](Range range, std::size_t) {
    for (std::size_t c = range.begin; c < range.end; ++c)
      for (const Cluster& cluster : chunks[c].clusters) {
        const auto is_asked = [&](std::uint32_t wall) { return wall < slot_of_wall.size() && slot_of_wall[wall] != 0; };
        const auto walls =
            std::span(chunks[c].walls).subspan(cluster.wall_begin, cluster.wall_end - cluster.wall_begin);
        if (std::none_of(walls.begin(), walls.end(), is_asked)) continue;
        each_force(space, chunks[c], cluster, [&](std::uint32_t wall, const Vec3& force) {
          if (slot_of_wall[wall] != 0) parts[c * n + slot_of_wall[wall] - 1] += force;
        });
      }
  });
  for (std::size_t c = 0; c < chunks.size(); ++c)
    for (std::size_t i = 0; i < n; ++i) out[i] += parts[c * n + i];
}

namespace {

/// Maximum number of obstacles that have totals of their own, in addition to the sum.
constexpr std::size_t most_listed_obstacles = 16;

/// Returns the names of the totals, in order of obstacle, quantity and axis. The names are static, because a total's
/// name must outlive every snapshot.
const std::vector<std::string>& load_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (std::size_t i = 0; i <= most_listed_obstacles; ++i)
      for (const char* what : {"force", "moment"})
        for (const char axis : {'x', 'y', 'z'})
          all.push_back(i == 0 ? fmt::format("{}_on_obstacles_{}", what, axis)
                               : fmt::format("{}_on_obstacle_{}_{}", what, i, axis));
    return all;
  }();
  return names;
}

}  // namespace

void add_load_totals(const SphWorkspace* space, std::span<const Walls::Owner> owners,
                     std::span<const Collider> colliders, std::size_t obstacles, std::vector<Total>& out) {
  std::vector<WallLoad> loads(1);
  if (space != nullptr) {
    std::vector<WallLoad> all;
    if (can_tell_loads(*space, owners, colliders)) wall_loads(*space, owners, colliders, all);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (std::holds_alternative<PlaneShape>(colliders[i].shape)) continue;
      loads.push_back(all[i]);
      loads[0].force += all[i].force;
      loads[0].moment += all[i].moment + colliders[i].position.cross(all[i].force);
    }
  }
  const std::size_t listed = obstacles == 1 ? 1 : std::min(obstacles, most_listed_obstacles) + 1;
  loads.resize(std::max(listed, loads.size()));
  for (std::size_t i = 0; i < listed; ++i)
    for (std::size_t k = 0; k < 6; ++k) {
      const auto axis = static_cast<Eigen::Index>(k % 3);
      out.push_back(
          {load_names()[6 * i + k], k < 3 ? "N" : "N m", k < 3 ? loads[i].force[axis] : loads[i].moment[axis]});
    }
}

bool can_tell_loads(const SphWorkspace& space, std::span<const Walls::Owner> owners,
                    std::span<const Collider> colliders) {
  const auto is_known = [&](const Walls::Owner& owner) { return owner.guest >= 0 || owner.sample < colliders.size(); };
  return owners.size() == space.walls.size() && std::all_of(owners.begin(), owners.end(), is_known);
}

Vec3 force_on_obstacles(const SphWorkspace& space, std::span<const Walls::Owner> owners,
                        std::span<const Collider> colliders) {
  const auto is_plane = [](const Collider& collider) { return std::holds_alternative<PlaneShape>(collider.shape); };
  Vec3 force = Vec3::Zero();
  if (std::all_of(colliders.begin(), colliders.end(), is_plane) || !can_tell_loads(space, owners, colliders))
    return force;
  std::vector<WallLoad> loads;
  wall_loads(space, owners, colliders, loads);
  for (std::size_t i = 0; i < loads.size(); ++i)
    if (!is_plane(colliders[i])) force += loads[i].force;
  return force;
}

}  // namespace vw
