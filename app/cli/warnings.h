// Prints a world's warnings on stderr, in the same way for every command: notes on the files of its obstacles when the
// world is built, and warnings of its systems when a step first causes them. Not thread-safe.
#pragma once

#include <string>
#include <vector>

#include "sim/world/run_warnings.h"
#include "sim/world/world.h"

namespace vw::cli {

class Warnings {
 public:
  /// Call this once after the world has been built.
  void begin(const World& world) const;
  /// Call this after every step.
  void after_step(const World& world);

 private:
  RunWarnings cautions_;
  std::vector<Total> totals_;
  std::string slow_;  ///< last message printed
};

}  // namespace vw::cli
