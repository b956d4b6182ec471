// Contact of a body with itself: surface voxels that are not joined push each other away; broken halves collide, and what a fracture bares is
// surface. A watch list holds every pair that can touch before some voxel has moved by a margin; it is made by a cell grid in linear time. Pairs that
// do not touch give nothing, so the bits do not depend on when the list was made.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "sim/base/cell_grid.h"
#include "sim/system/voxel/pair_contact.h"
#include "sim/system/voxel/voxel_arrays.h"

namespace vw {

class SelfContact {
 public:
  /// Makes the watch list anew. Left out are pairs that are joined by a bond, or by a chain of two (edge neighbours: in shear they come close without
  /// being apart).
  void rebuild(const LatticeTopology& topology, const VoxelArrays& state, std::span<const double> half_edge, double edge_m);
  /// How far a voxel may move before the list must be made anew [m].
  [[nodiscard]] double margin() const { return margin_; }
  [[nodiscard]] std::size_t watched() const { return pairs_.size(); }
  /// Pairs that the last rebuild looked at: grows with the surface, not with its square.
  [[nodiscard]] std::size_t examined() const { return examined_; }
  /// Adds what touching pairs do, in the order of their voxels. Returns how many touch.
  std::size_t add_loads(const LatticeConstants& constants, const VoxelArrays& state, std::span<const double> half_edge, double dt,
                        SparseLoads& out) const;

 private:
  CellGrid grid_;
  std::vector<std::uint32_t> surface_;
  std::vector<Vec3> position_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;
  double margin_ = 0;
  std::size_t examined_ = 0;
};

/// Springs, in units of one contact's, that self-contact may hang on an exposed voxel: three others at once.
inline constexpr double self_contact_springs = 3;
/// Dampers likewise: half the damping ratio on the reduced mass, sqrt(1/2) of one against the ground.
inline constexpr double self_contact_dampers = 0.71;

}  // namespace vw
