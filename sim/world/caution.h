// What a run should tell once: numbers of a system that say that particles met obstacles in a way that its settings do not serve. In: totals of a
// step. Out: sentences, each the first time.
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

class Cautions {
 public:
  /// Sentences that these totals give rise to and that have not been told of this system.
  [[nodiscard]] std::vector<std::string> note(const std::string& system, std::span<const Total> totals);

 private:
  std::set<std::pair<std::string, std::string>> told_;  ///< system and total
};

/// Of a world as it is made from `scene`, a sentence each: fills whose volume the spacing had to follow; regions that touch no voxel; goals of flocks
/// that no rule tells them of, and species whose medium is water where no rule joins the flock with a fluid.
[[nodiscard]] std::vector<std::string> notes_on_systems(const WorldParts& parts, const Node& scene);

}  // namespace vw
