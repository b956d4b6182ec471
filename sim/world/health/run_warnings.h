// Warnings that a run gives to the user at most once for each system. They are derived from the totals of a step, such
// as the number of particles whose contacts cannot be resolved with the present settings.
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
  /// Returns the warnings that `totals` cause (Total::warning) and that have not yet been given for `system`.
  [[nodiscard]] std::vector<std::string> note(const std::string& system, std::span<const Total> totals);
  /// Returns whether `warning` must be given. World::slow() returns this warning about slow steps. It must be given if
  /// it is not empty and differs from the argument of the last call.
  [[nodiscard]] bool is_new_slow(const std::string& warning);

 private:
  std::string slow_;                                        ///< argument of the last call of is_new_slow()
  std::set<std::pair<std::string, std::string>> reported_;  ///< (system, total) pairs whose warning was already given
};

/// Returns the warnings about a world that was built from `scene`, one sentence each: about defects in files that
/// systems have read (System::file_notes), then about the setup of each system (System::notes). `scene` contains a node
/// for each system.
[[nodiscard]] std::vector<std::string> notes_on_systems(const WorldParts& parts, const Node& scene);

}  // namespace vw
