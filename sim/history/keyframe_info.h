// Description of a keyframe of a history.
#pragma once

#include <cstdint>

namespace vw {

/// Description of a keyframe: the state directly after the step that led to `tick`, before the commands of that tick.
struct KeyframeInfo {
  std::uint32_t branch = 0;
  std::uint64_t tick = 0;
  std::uint64_t commands = 0;  ///< commands applied since the start of the session, along the path of the branch
  double elapsed_s = 0;        ///< simulated time since the start of the session [s]
  std::uint64_t hash = 0;      ///< hash of the state
};

}  // namespace vw
