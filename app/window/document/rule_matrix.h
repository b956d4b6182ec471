// Matrix of the interactions in a scene, as the Rules panel shows it. A cell of the upper part lists the rules between
// two systems and says how the systems interact without a rule or why they do not interact. The lower part shows the
// interactions of the systems with the surroundings (fields and obstacles). Plain data.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "sim/world/registry.h"

namespace vw {

/// Interaction of two systems, of a system with itself, or of a system with a field or the obstacles.
struct RuleCell {
  std::vector<std::string> nodes;                ///< names of the rules in the scene that couple the pair
  std::vector<const InteractionKind*> possible;  ///< kinds of rules that could couple the pair but are not in `nodes`
  bool by_itself = false;  ///< true if one of the two systems computes the interaction without a rule
  std::string says;        ///< description of the interaction, or the reason why there is none; may be empty
};

struct RuleMatrix {
  std::vector<NamedKind> systems;       ///< in the order of the scene
  std::vector<NamedKind> surroundings;  ///< fields, and one entry for all obstacles
  /// Cells in row-major order. The row of a system contains the columns up to the diagonal. The row of a field or of
  /// the obstacles contains all columns.
  std::vector<RuleCell> cells;

  [[nodiscard]] std::size_t rows() const { return systems.size() + surroundings.size(); }
  [[nodiscard]] std::size_t columns(std::size_t row) const { return std::min(row + 1, systems.size()); }
  [[nodiscard]] const NamedKind& row(std::size_t i) const {
    return i < systems.size() ? systems[i] : surroundings[i - systems.size()];
  }
  [[nodiscard]] const RuleCell& at(std::size_t row, std::size_t column) const;
};
[[nodiscard]] RuleMatrix rule_matrix(const Node& scene, const Registry& registry = default_registry());

/// Value of the parameter `enabled` of a rule's node. True if the rule has no such parameter.
[[nodiscard]] bool is_switched_on(const Node& rule);

/// New rule of the given kind between the systems named `a` and `b`. The rule has a name that is unused in the scene.
[[nodiscard]] Node rule_between(const Node& scene, const InteractionKind& kind, const std::string& a,
                                const std::string& b);

}  // namespace vw
