// Copy of a voxel body's state at the start of a world step, which is restored if the step fails. After a run of
// explicit substeps the engine's arrays hold most of it, the motion (engine.h). The rest is kept here, and also the
// motion under the implicit integrator.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sim/system/voxel/contact.h"
#include "sim/system/voxel/material_law.h"

namespace vw {

/// References to everything that determines the future of a voxel body.
struct BodyState {
  Elements& elements;
  std::vector<ContactState>& contacts;
  BondMemory& memory;
  std::uint64_t& overbent;
  double& time;
};

/// Columns of the elements that a step changes and the engine does not keep.
struct KeepWhat {
  bool motion = false;
  bool half_edges = false;
};

class KeptState {
 public:
  /// Copies the state.
  void keep(const BodyState& body, const KeepWhat& what);
  /// Restores the state of the last keep().
  void give_back(const BodyState& body) const;

 private:
  KeepWhat what_;
  /// A column is empty if a step does not change it or, for impulses, if it is zero.
  Elements rows_;
  std::vector<std::pair<std::uint32_t, ContactState>> contacts_;  ///< of the voxels in contact
  BondMemory memory_;
  std::uint64_t overbent_ = 0;
  double time_ = 0;
};

}  // namespace vw
