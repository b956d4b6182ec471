// Self-contact control for implicit steps: finds the voxels of a body that may touch in a step, and a step length at
// which none passes another undetected and colliding voxels are detected near their surface. A step in which voxels
// moved further than foreseen is undone.
#pragma once

#include <span>
#include <vector>

#include "sim/system/voxel/contact.h"
#include "sim/system/voxel/self_contact.h"

namespace vw {

class SelfContactStepControl {
 public:
  /// Call after bonds broke.
  void forget() { contact_.forget(); }
  /// Lists the pairs that may touch in a step that starts now. Returns the length of that step [s], at most `dt` and at
  /// least `least`. Returns 0 if the voxels are too fast even for `least`: the body has exploded, and the health check
  /// will report it.
  double look(const LatticeTopology& topology, const Elements& elements, double edge_m, double dt, double least);
  [[nodiscard]] std::span<const std::pair<std::uint32_t, std::uint32_t>> pairs() const { return contact_.pairs(); }

  /// Saves the state at the start of the step.
  void keep(const Elements& elements, std::span<const ContactState> contacts);
  /// True if no voxel has moved further since keep() than the list of pairs allows for.
  [[nodiscard]] bool saw_all(const Elements& elements) const;
  /// Restores the saved state.
  void give_back(Elements& elements, std::span<ContactState> contacts) const;

 private:
  [[nodiscard]] double longest_until_meeting(const Elements& elements, double edge_m, double dt, double least) const;

  SelfContact contact_;
  VoxelArrays state_;
  double margin_ = 0;  ///< distance that a voxel may move [m]
  double widest_ = 0;  ///< largest half edge when the list was made [m]
  Elements start_;
  std::vector<ContactState> contacts_;
};

}  // namespace vw
