// Keeps a copy of a voxel body's state at the start of a world step, and restores this state if the step fails. The
// state of the muscles is not included: BodyMuscles keeps its own copy. With the explicit integrator,
// LatticeEngine::keep_motion() saves positions, orientations and velocities, and KeptState saves the rest. With the
// implicit integrator, KeptState saves all of it.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sim/system/voxel/contact/contact.h"
#include "sim/system/voxel/lattice/material_law.h"

namespace vw {

/// References to the state of a voxel body without its muscles.
struct BodyState {
  Elements& elements;
  std::vector<ContactState>& contacts;
  BondMemory& memory;
  std::uint64_t& overbent;
  double& time;
};

/// Selects the columns of the elements that keep() copies besides the pending impulses. These are the columns that a
/// step changes and that LatticeEngine::keep_motion() does not save.
struct KeepWhat {
  bool motion = false;      ///< positions, orientations and velocities
  bool half_edges = false;  ///< column Elements::radius
};

class KeptState {
 public:
  /// Copies the state.
  void keep(const BodyState& body, const KeepWhat& what);
  /// Restores the state of the last keep().
  void give_back(const BodyState& body) const;

 private:
  KeepWhat what_;
  /// Saved columns. Only the impulses and the columns that `what_` selects are in use. An empty impulse column stands
  /// for impulses that are all zero.
  Elements rows_;
  std::vector<std::pair<std::uint32_t, ContactState>> contacts_;  ///< index and state of each voxel in contact
  BondMemory memory_;
  std::uint64_t overbent_ = 0;
  double time_ = 0;
};

}  // namespace vw
