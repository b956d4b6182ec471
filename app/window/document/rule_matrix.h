// Matrix of the interactions in a scene, as the Rules panel shows it: the rules between each pair of systems, other
// ways in which they interact, and the reason if they do not; below it the interactions with the surroundings (fields
// and obstacles). Plain data.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "sim/world/registry.h"

namespace vw {

/// A pair of systems, a system with itself, or a system with its surroundings.
struct RuleCell {
  std::vector<std::string> nodes;                ///< rules of the scene that join the pair
  std::vector<const InteractionKind*> possible;  ///< further kinds of rules that could join the pair
  bool by_itself = false;  ///< one of the two systems handles the interaction itself, without a rule
  std::string says;        ///< description of the interaction, or the reason why there is none; may be empty
};

struct RuleMatrix {
  std::vector<NamedKind> systems;       ///< in the order of the scene
  std::vector<NamedKind> surroundings;  ///< fields, and one entry for all obstacles
  /// Pairs (row, column) with column <= row, row by row; then, for each surrounding, every column
  std::vector<RuleCell> cells;

  [[nodiscard]] std::size_t rows() const { return systems.size() + surroundings.size(); }
  [[nodiscard]] std::size_t columns(std::size_t row) const { return std::min(row + 1, systems.size()); }
  [[nodiscard]] const NamedKind& row(std::size_t i) const {
    return i < systems.size() ? systems[i] : surroundings[i - systems.size()];
  }
  [[nodiscard]] const RuleCell& at(std::size_t row, std::size_t column) const;
};
[[nodiscard]] RuleMatrix rule_matrix(const Node& scene, const Registry& registry = default_registry());

/// Whether a rule's node is enabled. True if its kind has no such parameter.
[[nodiscard]] bool is_switched_on(const Node& rule);

/// A new rule of the given kind between two systems, with an unused name.
[[nodiscard]] Node rule_between(const Node& scene, const InteractionKind& kind, const std::string& a,
                                const std::string& b);

}  // namespace vw
