// Contact of a body with itself: surface voxels that are not joined push each other away; broken halves collide, and what a fracture bares is
// surface. A watch list holds every pair that can touch before some voxel has moved by a margin; it is made by a cell grid in linear time. Pairs that
// do not touch give nothing, so the bits do not depend on when the list was made. The list lasts while no voxel has left its place by the margin,
// a shift of the whole body left out; only then it is made anew: over a way of `margin` at the speed of the fastest voxel there is one list at most.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "sim/base/cell_grid.h"
#include "sim/system/voxel/pair_contact.h"
#include "sim/system/voxel/voxel_arrays.h"

namespace vw {

class SelfContact {
 public:
  /// After bonds broke: who is joined and who is surface has to be found anew.
  void forget() { known_ = false; }
  /// Brings the watch list up to date: keeps it where no voxel has come near the end of its margin, makes it anew otherwise.
  void follow(const LatticeTopology& topology, const VoxelArrays& state, std::span<const double> half_edge, double edge_m);
  /// How far every voxel may move from where follow() saw it before it must be called again [m].
  [[nodiscard]] double free_way() const { return free_way_; }
  /// The same when voxels have grown since, up to `half_edge`.
  [[nodiscard]] double free_way(double half_edge) const { return free_way_ - std::max(0.0, half_edge - widest_seen_); }

  /// Makes the watch list anew. Left out are pairs that are joined by a bond, or by a chain of two (edge neighbours: in shear they come close without
  /// being apart).
  void rebuild(const LatticeTopology& topology, const VoxelArrays& state, std::span<const double> half_edge, double edge_m) {
    rebuild_within(topology, state, half_edge, 0.2 * edge_m);
  }
  /// The same with a margin of one's own: for long steps.
  void rebuild_within(const LatticeTopology& topology, const VoxelArrays& state, std::span<const double> half_edge, double margin_m);
  /// How far a voxel may be from where the list was made [m].
  [[nodiscard]] double margin() const { return margin_; }
  [[nodiscard]] std::size_t watched() const { return pairs_.size(); }
  [[nodiscard]] std::span<const std::pair<std::uint32_t, std::uint32_t>> pairs() const { return pairs_; }
  /// Pairs that the last rebuild looked at: grows with the surface, not with its square.
  [[nodiscard]] std::size_t examined() const { return examined_; }
  /// Lists made so far.
  [[nodiscard]] std::uint64_t rebuilds() const { return rebuilds_; }
  /// Adds what touching pairs do, in the order of their voxels. Returns how many touch.
  std::size_t add_loads(const LatticeConstants& constants, const VoxelArrays& state, std::span<const double> half_edge, double dt,
                        SparseLoads& out) const;

 private:
  void learn(const LatticeTopology& topology);
  [[nodiscard]] double slack_of(const VoxelArrays& state, std::span<const double> half_edge);

  bool known_ = false;  ///< surface_ and joined_ are those of the structure
  CellGrid grid_;
  std::vector<std::uint32_t> surface_;       ///< voxels
  std::vector<std::uint32_t> joined_;        ///< of each of them, the later ones (rows of surface_) that a chain of at most two bonds joins to it
  std::vector<std::uint32_t> first_joined_;  ///< rows + 1
  std::vector<std::uint32_t> stamp_;         ///< scratch: the last row that each row was joined to
  std::vector<Vec3> position_;               ///< when the list was made
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;
  double margin_ = 0, widest_ = 0;  ///< of the list
  double free_way_ = 0, widest_seen_ = 0;
  std::size_t examined_ = 0;
  std::uint64_t rebuilds_ = 0;
};

/// Springs, in units of one contact's, that self-contact may hang on an exposed voxel: three others at once.
inline constexpr double self_contact_springs = 3;
/// Dampers likewise: half the damping ratio on the reduced mass, sqrt(1/2) of one against the ground.
inline constexpr double self_contact_dampers = 0.71;

}  // namespace vw
