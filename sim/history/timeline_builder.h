// Turns a history into a timeline for display. Marks are added as the history grows, so that a long history costs
// nothing at each call.
#pragma once

#include <map>
#include <vector>

#include "sim/history/run_history.h"
#include "sim/snapshot/timeline.h"

namespace vw {

class TimelineBuilder {
 public:
  [[nodiscard]] Timeline build(const RunHistory& history);

 private:
  struct Marks {
    std::size_t entries = 0;  ///< commands that are in `marks`
    std::vector<Timeline::Mark> marks;
  };
  void add_marks(const BranchTree& tree, BranchNumber number, Marks& marks) const;
  std::map<BranchNumber, Marks> marks_;
};

}  // namespace vw
