// Forwards edits of materials to the running world. The values of a material must be consistent: for example, a
// bilinear material needs a yield stress. A user changes one value at a time, so a material may be inconsistent for a
// while. The document then has the new values, but the world keeps the old values. When the material is consistent
// again, all changed values are sent to the world.
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
    /// Assignments for the world, in this order. Empty while the material is inconsistent.
    std::vector<Assignment> assignments;
    /// Error message that explains the inconsistency. Empty unless this edit has made the material inconsistent.
    std::string waits_for;
  };
  /// Stores the materials of a newly opened scene. The world must have the same materials.
  void begin(const Node& scene);
  /// Returns the assignments for the world after an edit. `scene` is the document after the edit. An assignment to a
  /// node other than a material is returned unchanged.
  [[nodiscard]] Passed pass(const Node& scene, const Assignment& edit);

 private:
  std::map<std::string, Node> in_world_;  ///< materials of the world by name
  std::set<std::string> waiting_;         ///< names of the inconsistent materials
};

/// Returns an error if a material of the scene is inconsistent. Such a scene could be saved but not opened again.
[[nodiscard]] Result<void> check_materials_of(const Node& scene);

}  // namespace vw
