// Contact of a body with itself: surface voxels that are not joined push each other away; broken halves collide, and what a fracture bares is
// surface. A watch list holds every pair that can touch before some voxel has moved by a margin; it is made by a grid of cells in linear time. Pairs
// that do not touch give nothing, so the bits do not depend on when the list was made. While a list still holds for about half of its margin the next
// one is made, a small share in each substep, so that no substep stalls; a shift of the whole body uses nothing up.
#pragma once

#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "sim/system/voxel/pair_contact.h"
#include "sim/system/voxel/voxel_arrays.h"
#include "sim/system/voxel/watch_list.h"

namespace vw {

class SelfContact {
 public:
  /// After bonds broke: who is joined and who is surface has to be found anew.
  void forget() { known_ = false; }
  /// Before each substep: brings the watch list up to date. `moved`: how far any voxel can have moved since the last call [m], `widest`: half edge of
  /// the widest voxel now; infinity: not known.
  void follow(const LatticeTopology& topology, const VoxelArrays& state, std::span<const double> half_edge, double edge_m,
              double moved = std::numeric_limits<double>::infinity(), double widest = std::numeric_limits<double>::infinity());

  /// Makes the watch list anew, at once. Left out are pairs that are joined by a bond, or by a chain of two (edge neighbours: in shear they come
  /// close without being apart).
  void rebuild(const LatticeTopology& topology, const VoxelArrays& state, std::span<const double> half_edge, double edge_m) {
    rebuild_within(topology, state, half_edge, narrowest_margin * edge_m);
  }
  /// The same with a margin of one's own: for long steps.
  void rebuild_within(const LatticeTopology& topology, const VoxelArrays& state, std::span<const double> half_edge, double margin_m);
  /// How far a voxel may be from where the list was made [m].
  [[nodiscard]] double margin() const { return list_.margin; }
  [[nodiscard]] std::size_t watched() const { return list_.pairs.size(); }
  [[nodiscard]] std::span<const std::pair<std::uint32_t, std::uint32_t>> pairs() const { return list_.pairs; }
  /// Pairs that the last call of follow() or rebuild() looked at: in all of a list they grow with the surface, not with its square.
  [[nodiscard]] std::size_t examined() const { return examined_; }
  /// Lists made so far; of those, the ones made at once.
  [[nodiscard]] std::uint64_t rebuilds() const { return rebuilds_; }
  [[nodiscard]] std::uint64_t sudden_rebuilds() const { return sudden_rebuilds_; }
  /// Adds what touching pairs do, in the order of their voxels; gives `out` its size where some do. Returns how many touch.
  std::size_t add_loads(const LatticeConstants& constants, const VoxelArrays& state, std::span<const double> half_edge, double dt,
                        SparseLoads& out) const;

  /// Share of a list that is made in a substep at least.
  static constexpr double least_share = 1.0 / 16;

 private:
  static constexpr double narrowest_margin = 0.3;  ///< edges
  void learn(const LatticeTopology& topology);
  double look(const VoxelArrays& state, std::span<const double> half_edge);
  void adopt();
  [[nodiscard]] double share_wanted(double left) const;

  bool known_ = false;                  ///< surface_ is that of the structure, and there is a list
  bool making_ = false;                 ///< the next list is under way
  std::vector<std::uint32_t> surface_;  ///< voxels
  WatchList list_;
  WatchListMaker maker_;
  double left_ = 0, moved_ = 0;  ///< of the margin when it was last looked up; since then [m]
  double left_before_ = 0;       ///< in the last call
  std::size_t examined_ = 0;
  std::uint64_t rebuilds_ = 0, sudden_rebuilds_ = 0;
};

/// Springs, in units of one contact's, that self-contact may hang on an exposed voxel: three others at once.
inline constexpr double self_contact_springs = 3;
/// Dampers likewise: half the damping ratio on the reduced mass, sqrt(1/2) of one against the ground.
inline constexpr double self_contact_dampers = 0.71;

}  // namespace vw
