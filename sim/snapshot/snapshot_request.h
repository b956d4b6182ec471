// Data that a consumer requests in addition to the contents of every snapshot. A request does not affect the state.
#pragma once

#include <string>
#include <vector>

#include "sim/snapshot/view.h"

namespace vw {

struct SnapshotRequest {
  /// Scalar channels (SystemSnapshot::channels). A channel is written for each system that has it.
  std::vector<std::string> channels = {};
  /// Per-element vectors (SystemSnapshot::vectors): acceleration [m/s^2], net_force [N], and vectors that the system
  /// itself provides.
  std::vector<std::string> vectors = {};
  std::vector<std::string> rules = {};  ///< nodes of rules whose forces on elements are written (RuleSnapshot)
  FieldViewParams air = {};             ///< visualisation of the fields (Snapshot::field)
  /// Visualisation of the flow in fluids (Snapshot::fluids). The channels that it names are written as well.
  FluidViewParams fluids = {};
};

}  // namespace vw
