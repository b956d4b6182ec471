// Contact of a body with itself: surface voxels that no bond joins push each other apart. The two halves of a broken
// body collide, and the faces that a fracture exposes become surface. A watch list contains every pair that can touch
// before some voxel has moved by a margin (watch_list.h). Pairs that do not touch give no load, so results do not
// depend on the time at which the list was built. When about half of the margin is used up, the next list is built in
// small parts over the following substeps, so that no substep takes long. A translation of the whole body does not use
// up the margin.
#pragma once

#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "sim/system/voxel/contact/pair_contact.h"
#include "sim/system/voxel/contact/watch_list.h"
#include "sim/system/voxel/voxel_arrays.h"

namespace vw {

class SelfContact {
 public:
  /// Marks the surface and the list as outdated. Call this after bonds broke. The next call of follow() determines the
  /// surface and builds a new list.
  void forget() { known_ = false; }
  /// Updates the watch list. Call before each substep. `moved` is an upper bound of any voxel's displacement since the
  /// last call [m]. `widest` is the largest half edge at present [m]. Pass infinity for a value that is unknown.
  void follow(const LatticeTopology& topology, const VoxelArrays& state, std::span<const double> half_edge,
              double edge_m, double moved = std::numeric_limits<double>::infinity(),
              double widest = std::numeric_limits<double>::infinity());

  /// Builds the watch list at once. The list excludes pairs joined by a bond or by a chain of two bonds. Two voxels
  /// that share an edge are joined by such a chain, and shear of an intact body moves them towards each other.
  void rebuild(const LatticeTopology& topology, const VoxelArrays& state, std::span<const double> half_edge,
               double edge_m) {
    rebuild_within(topology, state, half_edge, narrowest_margin * edge_m);
  }
  /// Builds the list at once with a given margin, for long steps.
  void rebuild_within(const LatticeTopology& topology, const VoxelArrays& state, std::span<const double> half_edge,
                      double margin_m);
  /// Returns the distance that a voxel may move from its position at the time when the list was captured [m].
  [[nodiscard]] double margin() const { return list_.margin; }
  [[nodiscard]] std::size_t watched() const { return list_.pairs.size(); }
  [[nodiscard]] std::span<const std::pair<std::uint32_t, std::uint32_t>> pairs() const { return list_.pairs; }
  /// Returns the number of pairs that the last follow() or rebuild() examined. The sum over the construction of a list
  /// grows linearly with the number of surface voxels.
  [[nodiscard]] std::size_t examined() const { return examined_; }
  // Number of lists built so far, and number of the lists that were built at once.
  [[nodiscard]] std::uint64_t rebuilds() const { return rebuilds_; }
  [[nodiscard]] std::uint64_t immediate_rebuilds() const { return sudden_rebuilds_; }
  /// Adds the loads of touching pairs to `out` in the order of the list, and returns the number of touching pairs. If
  /// this number is not 0, `out` is resized if necessary.
  std::size_t add_loads(const LatticeConstants& constants, const VoxelArrays& state, std::span<const double> half_edge,
                        double dt, SparseLoads& out) const;

  /// Smallest fraction of a list that is built in one substep.
  static constexpr double least_share = 1.0 / 16;

 private:
  static constexpr double narrowest_margin = 0.3;  ///< smallest margin, in voxel edges
  void learn(const LatticeTopology& topology);
  double look(const VoxelArrays& state, std::span<const double> half_edge);
  void adopt();
  [[nodiscard]] double share_wanted(double left) const;

  bool known_ = false;                  ///< surface_ is up to date and a list exists
  bool making_ = false;                 ///< the next list is being built
  std::vector<std::uint32_t> surface_;  ///< surface voxels, ascending
  WatchList list_;
  WatchListMaker maker_;
  double left_ = 0, moved_ = 0;  ///< remaining margin at the last measurement, and displacement since then [m]
  double left_before_ = 0;       ///< remaining margin at the last call of follow() [m]
  std::size_t examined_ = 0;
  std::uint64_t rebuilds_ = 0, sudden_rebuilds_ = 0;
};

/// Stiffness that self-contact may add to an exposed voxel, in units of the stiffness of one contact. Three
/// simultaneous contacts are assumed.
inline constexpr double self_contact_springs = 3;
/// Damping that self-contact may add to an exposed voxel, in units of the damping of one contact with an obstacle. In
/// self-contact, half the damping ratio acts on the reduced mass of two voxels. For equal voxels, this gives sqrt(1/8)
/// = 0.35 of the damping of a contact with an obstacle. This constant is twice that value.
inline constexpr double self_contact_dampers = 0.71;

}  // namespace vw
