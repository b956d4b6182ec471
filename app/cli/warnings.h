// What a world has to tell its user beside results, in one way for every command: notes on the files of its obstacles when it is made, cautions of
// its systems when a step first gives rise to them. Out: sentences on stderr. One thread at a time.
#pragma once

#include <string>
#include <vector>

#include "sim/world/caution.h"
#include "sim/world/world.h"

namespace vw::cli {

class Warnings {
 public:
  /// Once, when the world has been made.
  void begin(const World& world) const;
  /// After every step.
  void after_step(const World& world);

 private:
  Cautions cautions_;
  std::vector<Total> totals_;
  std::string slow_;  ///< told last
};

}  // namespace vw::cli
