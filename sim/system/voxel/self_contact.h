// Contact of a body with itself: surface voxels that no bond joins push each other apart. Broken halves collide, and
// the faces that a fracture exposes become surface. A watch list holds every pair that can touch before some voxel has
// moved by a margin; a grid of cells makes it in linear time (watch_list.h). Pairs that do not touch give no load, so
// the bits do not depend on when the list was made. When about half of the margin is used, the next list is made in
// small shares over the following substeps, so that no substep stalls. A translation of the whole body uses up no
// margin.
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
  /// Call after bonds broke: joined pairs and the surface are found again.
  void forget() { known_ = false; }
  /// Brings the watch list up to date; call before each substep. `moved`: bound on any voxel's motion since the last
  /// call [m]; `widest`: largest half edge now [m]. Infinity means that the value is not known.
  void follow(const LatticeTopology& topology, const VoxelArrays& state, std::span<const double> half_edge,
              double edge_m, double moved = std::numeric_limits<double>::infinity(),
              double widest = std::numeric_limits<double>::infinity());

  /// Makes the watch list at once. It leaves out pairs joined by a bond or by a chain of two bonds: edge neighbours
  /// come close in shear without being apart.
  void rebuild(const LatticeTopology& topology, const VoxelArrays& state, std::span<const double> half_edge,
               double edge_m) {
    rebuild_within(topology, state, half_edge, narrowest_margin * edge_m);
  }
  /// Makes the list with a given margin, for long steps.
  void rebuild_within(const LatticeTopology& topology, const VoxelArrays& state, std::span<const double> half_edge,
                      double margin_m);
  /// Distance that a voxel may move from its position in the list [m].
  [[nodiscard]] double margin() const { return list_.margin; }
  [[nodiscard]] std::size_t watched() const { return list_.pairs.size(); }
  [[nodiscard]] std::span<const std::pair<std::uint32_t, std::uint32_t>> pairs() const { return list_.pairs; }
  /// Number of pairs that the last follow() or rebuild() examined. Over a whole list it grows with the surface, not
  /// with its square.
  [[nodiscard]] std::size_t examined() const { return examined_; }
  /// Number of lists made so far, and number of those made at once.
  [[nodiscard]] std::uint64_t rebuilds() const { return rebuilds_; }
  [[nodiscard]] std::uint64_t immediate_rebuilds() const { return sudden_rebuilds_; }
  /// Adds the loads of touching pairs in the order of their voxels, and resizes `out` if there are any. Returns the
  /// number of touching pairs.
  std::size_t add_loads(const LatticeConstants& constants, const VoxelArrays& state, std::span<const double> half_edge,
                        double dt, SparseLoads& out) const;

  /// Smallest share of a list that is made in a substep.
  static constexpr double least_share = 1.0 / 16;

 private:
  static constexpr double narrowest_margin = 0.3;  ///< in edges
  void learn(const LatticeTopology& topology);
  double look(const VoxelArrays& state, std::span<const double> half_edge);
  void adopt();
  [[nodiscard]] double share_wanted(double left) const;

  bool known_ = false;                  ///< surface_ is that of the structure, and a list exists
  bool making_ = false;                 ///< the next list is being made
  std::vector<std::uint32_t> surface_;  ///< surface voxels, ascending
  WatchList list_;
  WatchListMaker maker_;
  double left_ = 0, moved_ = 0;  ///< margin left when last measured, and motion since then [m]
  double left_before_ = 0;       ///< margin left at the last call [m]
  std::size_t examined_ = 0;
  std::uint64_t rebuilds_ = 0, sudden_rebuilds_ = 0;
};

/// Springs that self-contact may add to an exposed voxel, in units of one contact's: three contacts at once.
inline constexpr double self_contact_springs = 3;
/// The same for dampers: half the damping ratio acts on the reduced mass, which gives sqrt(1/2) of one against the
/// ground.
inline constexpr double self_contact_dampers = 0.71;

}  // namespace vw
