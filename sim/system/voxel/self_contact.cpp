// Broad phase by a cell grid over the surface, narrow phase by pair_contact.
#include "sim/system/voxel/self_contact.h"

#include <algorithm>

namespace vw {
namespace {

/// Whether a chain of at most two bonds joins two voxels.
bool joined(const LatticeTopology& topology, std::size_t a, std::size_t b) {
  for (int face = 0; face < face_count; ++face) {
    const std::int32_t near = topology.neighbour(a, face);
    if (near < 0) continue;
    if (static_cast<std::size_t>(near) == b) return true;
    for (int next = 0; next < face_count; ++next)
      if (topology.neighbour(static_cast<std::size_t>(near), next) == static_cast<std::int32_t>(b)) return true;
  }
  return false;
}

}  // namespace

void SelfContact::rebuild(const LatticeTopology& topology, const VoxelArrays& state, std::span<const double> half_edge, double edge_m) {
  surface_.clear();
  position_.clear();
  double widest = 0;
  for (std::size_t v = 0; v < topology.voxel_count(); ++v) {
    if (topology.exposed[v] == 0) continue;
    surface_.push_back(static_cast<std::uint32_t>(v));
    position_.push_back(state.position_of(v));
    widest = std::max(widest, half_edge[v]);
  }
  margin_ = 0.2 * edge_m;
  const double reach = 2 * widest + 2 * margin_;
  grid_.build(position_, reach);
  pairs_.clear();
  examined_ = 0;
  for (std::uint32_t i = 0; i < surface_.size(); ++i) {
    const std::size_t first = pairs_.size();
    grid_.near(position_[i], [&](std::uint32_t j) {
      if (j <= i) return;
      ++examined_;
      if ((position_[j] - position_[i]).squaredNorm() < reach * reach && !joined(topology, surface_[i], surface_[j]))
        pairs_.emplace_back(surface_[i], surface_[j]);
    });
    std::sort(pairs_.begin() + static_cast<std::ptrdiff_t>(first), pairs_.end());
  }
}

std::size_t SelfContact::add_loads(const LatticeConstants& constants, const VoxelArrays& state, std::span<const double> half_edge, double dt,
                                   SparseLoads& out) const {
  std::size_t touching = 0;
  const auto voxel = [&](std::size_t v) {
    return PairVoxel{state.position_of(v), state.velocity_of(v), state.angular_velocity_of(v), half_edge[v], &constants.of(v)};
  };
  for (const auto& [a, b] : pairs_) {
    const double reach = half_edge[a] + half_edge[b];
    if (!((state.position_of(b) - state.position_of(a)).squaredNorm() < reach * reach)) continue;
    PairPush push;
    if (!pair_contact(voxel(a), voxel(b), dt, push)) continue;
    ++touching;
    out.add_force(a, push.force);
    out.add_force(b, -push.force);
    out.add_moment(a, push.moment_a);
    out.add_moment(b, push.moment_b);
  }
  return touching;
}

}  // namespace vw
