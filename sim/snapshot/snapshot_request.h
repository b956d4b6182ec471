// Data that a consumer requests in snapshots beyond the contents of every snapshot.
#pragma once

#include <string>
#include <vector>

#include "sim/snapshot/view.h"

namespace vw {

struct SnapshotRequest {
  std::vector<std::string> channels = {};  ///< scalar channels of systems
  std::vector<std::string> vectors = {};   ///< acceleration, net_force, and vectors that systems provide
  std::vector<std::string> rules = {};     ///< nodes of rules whose forces on elements are requested
  FieldViewParams air = {};
};

}  // namespace vw
