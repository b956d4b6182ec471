// Warnings to the user that a run gives once. In: totals of a step, such as the number of particles whose contacts the
// settings do not resolve. Out: sentences, each once for each system.
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
  std::set<std::pair<std::string, std::string>> reported_;  ///< names of systems and totals with a given warning
};

/// Warnings about a world that was made from `scene`, one sentence each. They concern the setup of fluids and voxel
/// bodies, fixed or loaded regions without voxels, goals of flocks towards systems that no rule joins with the flock,
/// and species with the medium water in flocks that no rule joins with a fluid.
[[nodiscard]] std::vector<std::string> notes_on_systems(const WorldParts& parts, const Node& scene);

}  // namespace vw
