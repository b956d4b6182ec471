// Converts a history to a timeline for display. Each call adds only the marks of new commands, so that the cost of a
// call does not grow with the history.
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
    std::size_t entries = 0;  ///< number of commands of the branch that `marks` already covers
    std::vector<Timeline::Mark> marks;
  };
  void add_marks(const BranchTree& tree, BranchNumber number, Marks& marks) const;
  std::map<BranchNumber, Marks> marks_;
};

}  // namespace vw
