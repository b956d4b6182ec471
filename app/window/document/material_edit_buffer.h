// Forwards edits of materials to the running world. The values of a material must be consistent (a bilinear material
// needs a yield stress), but a user changes one value at a time. Inconsistent edits are held back in the document; once
// the material is consistent, all its changes are sent to the world.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim/base/data/node.h"

namespace vw {

class MaterialEditBuffer {
 public:
  struct Passed {
    std::vector<Assignment> assignments;  ///< assignments for the world, in this order; empty while edits are held back
    /// Error message that explains the inconsistency; given once, when the edits are first held back
    std::string waits_for;
  };
  /// Call this when a scene has been opened, so that the world has its materials.
  void begin(const Node& scene);
  /// `scene` is the document after the edit. Assignments to nodes other than materials pass unchanged.
  [[nodiscard]] Passed pass(const Node& scene, const Assignment& edit);

 private:
  std::map<std::string, Node> in_world_;  ///< state of the materials in the world, by name
  std::set<std::string> waiting_;         ///< names of the materials with edits held back
};

/// Checks whether a scene with these materials could be opened again.
[[nodiscard]] Result<void> check_materials_of(const Node& scene);

}  // namespace vw
