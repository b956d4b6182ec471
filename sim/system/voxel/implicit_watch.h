// Which voxels of a body may meet in an implicit step, and how long that step may be: so long that nothing passes anything unseen, and that what
// collides is met near its surface. Steps in which more happened than was foreseen are taken back.
#pragma once

#include <span>
#include <vector>

#include "sim/system/voxel/contact.h"
#include "sim/system/voxel/self_contact.h"

namespace vw {

class ImplicitWatch {
 public:
  /// After bonds broke.
  void forget() { contact_.forget(); }
  /// Lists the pairs that may meet in a step from now on. Returns how long it may be: at most `dt`, and no shorter than `least`. 0 where that
  /// is too long: such a body has exploded, and is for the health check.
  double look(const LatticeTopology& topology, const Elements& elements, double edge_m, double dt, double least);
  [[nodiscard]] std::span<const std::pair<std::uint32_t, std::uint32_t>> pairs() const { return contact_.pairs(); }

  /// Keeps the step's start.
  void keep(const Elements& elements, std::span<const ContactState> contacts);
  /// Whether since then no voxel went further than the list of pairs allows for.
  [[nodiscard]] bool saw_all(const Elements& elements) const;
  /// Returns to it.
  void give_back(Elements& elements, std::span<ContactState> contacts) const;

 private:
  [[nodiscard]] double longest_until_meeting(const Elements& elements, double edge_m, double dt, double least) const;

  SelfContact contact_;
  VoxelArrays state_;
  double margin_ = 0;
  double widest_ = 0;  ///< half edge when the list was made
  Elements start_;
  std::vector<ContactState> contacts_;
};

}  // namespace vw
