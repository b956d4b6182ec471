// Decides when a watch list is built, and adds the contact loads of the listed pairs.
#include "sim/system/voxel/contact/self_contact.h"

#include <algorithm>
#include <cmath>

namespace vw {
namespace {

// Fractions of the margin. The construction of the next list starts when the remaining margin falls below the fraction
// `begin_share`. The list should be complete before the remaining margin falls below the fraction `ready_share`.
constexpr double begin_share = 0.5, ready_share = 0.1;
/// While no list is being built, the remaining margin is measured exactly only when its lower bound falls below the
/// fraction `begin_share`. If the measured value is below the fraction `begin_share` + `soon`, the next list is started
/// at once, because it would be needed soon.
constexpr double soon = 0.1;
constexpr double widest_list_margin = 0.4;  ///< largest margin, in voxel edges
constexpr double substeps_wanted = 10;      ///< number of substeps for which a list should be valid

}  // namespace

void SelfContact::learn(const LatticeTopology& topology) {
  const auto is_surface = [](std::uint8_t faces) { return faces != 0; };
  surface_.clear();
  surface_.shrink_to_fit();
  surface_.reserve(
      static_cast<std::size_t>(std::count_if(topology.exposed.begin(), topology.exposed.end(), is_surface)));
  for (std::size_t v = 0; v < topology.exposed.size(); ++v)
    if (is_surface(topology.exposed[v])) surface_.push_back(static_cast<std::uint32_t>(v));
  known_ = true;
}

void SelfContact::rebuild_within(const LatticeTopology& topology, const VoxelArrays& state,
                                 std::span<const double> half_edge, double margin_m) {
  if (!known_) learn(topology);
  maker_.capture(surface_, state, half_edge, margin_m);
  maker_.finish(surface_, topology);
  examined_ = maker_.examined();
  adopt();
  maker_ = {};  // frees memory that a body at rest does not need
  left_ = left_before_ = list_.margin;
  ++sudden_rebuilds_;
}

void SelfContact::adopt() {
  maker_.exchange(list_);
  making_ = false;
  moved_ = 0;
  ++rebuilds_;
}

double SelfContact::look(const VoxelArrays& state, std::span<const double> half_edge) {
  moved_ = 0;
  return left_ = list_.left(surface_, state, half_edge);
}

/// Returns the fraction of the work on the next list that is done in this substep. `left` is the remaining margin [m].
/// If each further substep uses as much of the margin as the last substep, equal fractions complete the list in time.
double SelfContact::share_wanted(double left) const {
  const double step = std::max(0.0, left_before_ - left), spare = left - ready_share * list_.margin;
  const double rest = 1 - maker_.done();
  return spare > 0 ? std::max(least_share, rest * step / (spare + step)) : rest;
}

void SelfContact::follow(const LatticeTopology& topology, const VoxelArrays& state, std::span<const double> half_edge,
                         double edge_m, double moved, double widest) {
  if (!known_) return rebuild(topology, state, half_edge, edge_m);
  examined_ = 0;
  moved_ += moved;
  double left = left_ - moved_ - std::max(0.0, widest - list_.widest_now);
  const bool sure = making_ ? left > 0 && share_wanted(left) <= least_share : left >= begin_share * list_.margin;
  if (!sure) left = look(state, half_edge);
  if (!making_ && !sure && left > 0 && left < (begin_share + soon) * list_.margin) {
    // For fast voxels the margin is widened, so that the list is valid for several substeps and there is time to build
    // the next list. The price is a list with more pairs.
    const double margin =
        std::clamp(substeps_wanted * (left_before_ - left), narrowest_margin * edge_m, widest_list_margin * edge_m);
    maker_.capture(surface_, state, half_edge, margin);
    making_ = true;
  }
  if (making_) {
    const std::size_t examined = maker_.examined();
    maker_.go_on(share_wanted(left), surface_, topology);
    examined_ = maker_.examined() - examined;
    if (maker_.done() == 1) {
      adopt();
      left = look(state, half_edge);
    }
  }
  left_before_ = left;
  if (!(left > 0)) rebuild(topology, state, half_edge, edge_m);
}

std::size_t SelfContact::add_loads(const LatticeConstants& constants, const VoxelArrays& state,
                                   std::span<const double> half_edge, double dt, SparseLoads& out) const {
  std::size_t touching = 0;
  const auto voxel = [&](std::size_t v) {
    return PairVoxel{state.position_of(v), state.velocity_of(v), state.angular_velocity_of(v), half_edge[v],
                     &constants.of(v)};
  };
  for (const auto& [a, b] : list_.pairs) {
    const double reach = half_edge[a] + half_edge[b];
    if (!((state.position_of(b) - state.position_of(a)).squaredNorm() < reach * reach)) continue;
    PairPush push;
    if (!pair_contact(voxel(a), voxel(b), dt, push)) continue;
    if (touching++ == 0 && out.size() != state.size()) out.resize(state.size());
    out.add_force(a, push.force);
    out.add_force(b, -push.force);
    out.add_moment(a, push.moment_a);
    out.add_moment(b, push.moment_b);
  }
  return touching;
}

}  // namespace vw
