// Prints the warnings of a world on stderr, in the same form for every command. Notes on files of obstacles are printed
// when the world is built. Warnings of systems are printed when a step first causes them. Not thread-safe.
#pragma once

#include <string>
#include <vector>

#include "sim/world/health/run_warnings.h"
#include "sim/world/world.h"

namespace vw::cli {

class Warnings {
 public:
  /// Call this function once after the world has been built.
  void begin(const World& world) const;
  /// Call this function after every step.
  void after_step(const World& world);

 private:
  RunWarnings cautions_;
  std::vector<Total> totals_;
  std::string slow_;  ///< the message that was printed last
};

}  // namespace vw::cli
