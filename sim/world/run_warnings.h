// Warnings to the user that a run gives once. In: totals of a step, such as counts of particles whose contacts the
// settings do not resolve. Out: sentences, each only once for a system.
#pragma once

#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/snapshot/snapshot.h"

namespace vw {

struct Node;
struct WorldParts;

class RunWarnings {
 public:
  /// Warnings that these totals cause and that were not given for this system before.
  [[nodiscard]] std::vector<std::string> note(const std::string& system, std::span<const Total> totals);

 private:
  std::set<std::pair<std::string, std::string>> reported_;  ///< system and total
};

/// Warnings about a world that was made from `scene`, one sentence each: notes of fluids and voxel bodies on their
/// setup, regions that act and touch no voxel, goals of flocks towards systems that no rule joins with the flock, and
/// species with the medium water in flocks that no rule joins with a fluid.
[[nodiscard]] std::vector<std::string> notes_on_systems(const WorldParts& parts, const Node& scene);

}  // namespace vw
