// Broad phase by a cell grid over the surface, narrow phase by pair_contact.
#include "sim/system/voxel/self_contact.h"

#include <algorithm>
#include <cmath>

namespace vw {
namespace {

/// Share of the margin that must be left for a list to be kept: less would soon have it looked through again.
constexpr double least_left = 0.25;
constexpr std::uint32_t none = 0xffffffffU;

}  // namespace

/// Lists the surface, and for each of its voxels those that a chain of at most two bonds joins to it.
void SelfContact::learn(const LatticeTopology& topology) {
  const std::size_t n = topology.voxel_count();
  std::vector<std::uint32_t> row(n, none);
  surface_.clear(), joined_.clear(), first_joined_.assign(1, 0);
  for (std::size_t v = 0; v < n; ++v) {
    if (topology.exposed[v] == 0) continue;
    row[v] = static_cast<std::uint32_t>(surface_.size());
    surface_.push_back(static_cast<std::uint32_t>(v));
  }
  stamp_.assign(surface_.size(), none);
  const auto join = [&](std::size_t from, std::int32_t to) {
    const std::uint32_t other = row[static_cast<std::size_t>(to)];
    if (other == none || other <= from || stamp_[other] == from) return;  // edge neighbours are joined by two chains
    stamp_[other] = static_cast<std::uint32_t>(from);
    joined_.push_back(other);
  };
  for (std::size_t i = 0; i < surface_.size(); ++i) {
    for (int face = 0; face < face_count; ++face) {
      const std::int32_t near = topology.neighbour(surface_[i], face);
      if (near < 0) continue;
      join(i, near);
      for (int next = 0; next < face_count; ++next)
        if (const std::int32_t far = topology.neighbour(static_cast<std::size_t>(near), next); far >= 0) join(i, far);
    }
    first_joined_.push_back(static_cast<std::uint32_t>(joined_.size()));
  }
  for (auto* list : {&surface_, &joined_, &first_joined_}) list->shrink_to_fit();
  known_ = true;
}

void SelfContact::rebuild_within(const LatticeTopology& topology, const VoxelArrays& state, std::span<const double> half_edge, double margin_m) {
  if (!known_) learn(topology);
  std::fill(stamp_.begin(), stamp_.end(), none);
  position_.resize(surface_.size());
  widest_ = 0;
  for (std::size_t i = 0; i < surface_.size(); ++i) {
    position_[i] = state.position_of(surface_[i]);
    widest_ = std::max(widest_, half_edge[surface_[i]]);
  }
  margin_ = margin_m;
  const double reach = 2 * widest_ + 2 * margin_;
  grid_.build(position_, reach);
  pairs_.clear();
  examined_ = 0;
  for (std::uint32_t i = 0; i < surface_.size(); ++i) {
    for (std::uint32_t k = first_joined_[i]; k < first_joined_[i + 1]; ++k) stamp_[joined_[k]] = i;
    const std::size_t first = pairs_.size();
    grid_.near(position_[i], [&](std::uint32_t j) {
      if (j <= i) return;
      ++examined_;
      if ((position_[j] - position_[i]).squaredNorm() < reach * reach && stamp_[j] != i) pairs_.emplace_back(surface_[i], surface_[j]);
    });
    std::sort(pairs_.begin() + static_cast<std::ptrdiff_t>(first), pairs_.end());
  }
  ++rebuilds_;
  free_way_ = margin_;
  widest_seen_ = widest_;
}

/// How much further each voxel may move: two come no nearer than both move against the mean shift of the surface, and reach no further than they have
/// grown. Not positive when the list does not hold.
double SelfContact::slack_of(const VoxelArrays& state, std::span<const double> half_edge) {
  Vec3 shift = Vec3::Zero();
  for (std::size_t i = 0; i < surface_.size(); ++i) shift += state.position_of(surface_[i]) - position_[i];
  if (!surface_.empty()) shift /= static_cast<double>(surface_.size());
  double farthest = 0;
  widest_seen_ = 0;
  for (std::size_t i = 0; i < surface_.size(); ++i) {
    const double moved = (state.position_of(surface_[i]) - position_[i] - shift).squaredNorm();
    if (!std::isfinite(moved)) return -1;
    farthest = std::max(farthest, moved);
    widest_seen_ = std::max(widest_seen_, half_edge[surface_[i]]);
  }
  return margin_ - std::sqrt(farthest) - std::max(0.0, widest_seen_ - widest_);
}

void SelfContact::follow(const LatticeTopology& topology, const VoxelArrays& state, std::span<const double> half_edge, double edge_m) {
  if (known_ && rebuilds_ > 0) {
    free_way_ = slack_of(state, half_edge);
    if (free_way_ >= least_left * margin_) return;
  }
  rebuild(topology, state, half_edge, edge_m);
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
