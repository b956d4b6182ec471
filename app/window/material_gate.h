// Edits of materials on their way to the running world. The values of a material must agree with each other (a bilinear one has a yield stress), but
// a hand sets one after the other: until they agree the edits wait in the document, then all of that material go to the world.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim/base/node.h"

namespace vw {

class MaterialGate {
 public:
  struct Passed {
    std::vector<Assignment> assignments;  ///< for the world, in this order; empty while they wait
    std::string waits_for;                ///< what must be put right first; said once, when the waiting begins
  };
  /// A scene was opened: the world has its materials.
  void begin(const Node& scene);
  /// `scene` is the document after the edit. Other assignments than materials' pass as they are.
  [[nodiscard]] Passed pass(const Node& scene, const Assignment& edit);

 private:
  std::map<std::string, Node> in_world_;  ///< materials by name, as the world has them
  std::set<std::string> waiting_;         ///< names of those of which the document has more
};

/// Whether a scene with these materials could be opened again.
[[nodiscard]] Result<void> check_materials_of(const Node& scene);

}  // namespace vw
