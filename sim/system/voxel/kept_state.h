// What a voxel body keeps of its state at the start of a world step, to return to it should the step go wrong. The motion, which is most of it, lies
// in the engine's columns after a run (engine.h): here is the rest, and the motion where the implicit integrator is at work.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sim/system/voxel/contact.h"
#include "sim/system/voxel/material_law.h"

namespace vw {

/// Everything that the future of a voxel body depends on.
struct BodyState {
  Elements& elements;
  std::vector<ContactState>& contacts;
  BondMemory& memory;
  std::uint64_t& overbent;
  double& time;
};

/// Which rows of the elements a step changes beyond what the engine keeps.
struct KeepWhat {
  bool motion = false;
  bool half_edges = false;
};

class KeptState {
 public:
  void keep(const BodyState& body, const KeepWhat& what);
  void give_back(const BodyState& body) const;

 private:
  KeepWhat what_;
  Elements rows_;                                                 ///< empty columns: not changed by a step, or (impulses) nothing but zeros
  std::vector<std::pair<std::uint32_t, ContactState>> contacts_;  ///< of the voxels that touch something
  BondMemory memory_;
  std::uint64_t overbent_ = 0;
  double time_ = 0;
};

}  // namespace vw
