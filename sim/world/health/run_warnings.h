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
  /// Warnings that these totals cause (Total::warning) and that were not given for this system before.
  [[nodiscard]] std::vector<std::string> note(const std::string& system, std::span<const Total> totals);
  /// Returns whether `warning` of slow steps (World::slow) has to be given: it is not empty, and differs from the last
  /// call's.
  [[nodiscard]] bool is_new_slow(const std::string& warning);

 private:
  std::string slow_;                                        ///< warning of slow steps in the last call of is_new_slow()
  std::set<std::pair<std::string, std::string>> reported_;  ///< names of systems and totals with a given warning
};

/// Warnings about a world that was made from `scene`, one sentence each: about defects in files that systems have read
/// (System::file_notes), then about the setup of each system (System::notes). `scene` contains a node for each system.
[[nodiscard]] std::vector<std::string> notes_on_systems(const WorldParts& parts, const Node& scene);

}  // namespace vw
