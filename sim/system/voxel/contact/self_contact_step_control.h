// Control of self-contact in implicit steps. The class lists the pairs of voxels of a body that may touch in a step. It
// also chooses the step length: short enough that no voxel passes another one undetected, and that colliding voxels
// reach only a small depth. If voxels moved further in a step than expected, the step can be undone.
#pragma once

#include <span>
#include <vector>

#include "sim/system/voxel/contact/contact.h"
#include "sim/system/voxel/contact/self_contact.h"

namespace vw {

class SelfContactStepControl {
 public:
  /// Discards the list of pairs. Call this after bonds broke.
  void forget() { contact_.forget(); }
  /// Lists the pairs that may touch in a step that starts now, and returns the length of this step [s]. The length is
  /// at most `dt` and, unless `dt` is shorter, more than half of `least`. If the voxels are too fast even for a step of
  /// length `least`, 0 is returned. The simulation is then unstable, and the health check will report this.
  double look(const LatticeTopology& topology, const Elements& elements, double edge_m, double dt, double least);
  [[nodiscard]] std::span<const std::pair<std::uint32_t, std::uint32_t>> pairs() const { return contact_.pairs(); }

  /// Saves the state at the start of the step.
  void keep(const Elements& elements, std::span<const ContactState> contacts);
  /// True if no voxel has moved further since keep() than the margin of the list of pairs. Displacements count relative
  /// to the mean displacement of the body.
  [[nodiscard]] bool saw_all(const Elements& elements) const;
  /// Restores the saved state.
  void give_back(Elements& elements, std::span<ContactState> contacts) const;

 private:
  [[nodiscard]] double longest_until_meeting(const Elements& elements, double edge_m, double dt, double least) const;

  SelfContact contact_;
  VoxelArrays state_;
  double margin_ = 0;  ///< distance that a voxel may move before the list of pairs becomes invalid [m]
  double widest_ = 0;  ///< largest half edge when the list was built [m]
  Elements start_;
  std::vector<ContactState> contacts_;
};

}  // namespace vw
