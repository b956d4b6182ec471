// Which systems of a scene act on each other, by which rules, and why the others do not: the matrix of pairs as the window shows it. Plain data.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/world/registry.h"

namespace vw {

/// A pair of systems, or a system with itself.
struct RuleCell {
  std::vector<std::string> nodes;         ///< rules of the scene that join the two
  const InteractionKind* kind = nullptr;  ///< what could join them, where none does
  std::string why_not;                    ///< where nothing could
};

struct RuleMatrix {
  std::vector<NamedKind> systems;  ///< in the order of the scene
  std::vector<RuleCell> cells;     ///< of pairs (row, column) with column <= row, row by row
  [[nodiscard]] const RuleCell& at(std::size_t row, std::size_t column) const { return cells[row * (row + 1) / 2 + column]; }
};
[[nodiscard]] RuleMatrix rule_matrix(const Node& scene, const Registry& registry = default_registry());

/// Whether a rule's node is switched on; always, where its kind has no switch.
[[nodiscard]] bool is_switched_on(const Node& rule);

/// A rule of that kind between two systems of the scene alone, under a name that is not taken.
[[nodiscard]] Node rule_between(const Node& scene, const InteractionKind& kind, const std::string& a, const std::string& b);

}  // namespace vw
