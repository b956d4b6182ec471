// What a picture wants to know of a world beyond what every snapshot tells.
#pragma once

#include <string>
#include <vector>

#include "sim/snapshot/view.h"

namespace vw {

struct Wanted {
  std::vector<std::string> channels = {};  ///< of systems
  std::vector<std::string> vectors = {};   ///< acceleration, net_force, and vectors that systems have
  std::vector<std::string> rules = {};     ///< nodes whose forces on elements are wanted
  FieldLook air = {};
};

}  // namespace vw
