// Which systems of a scene act on each other, by which rules, what else they have to do with each other, and why some have nothing to do: the matrix
// of pairs as the window shows it, and below it what surrounds them. Plain data.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "sim/world/registry.h"

namespace vw {

/// A pair of systems, a system with itself, or with what surrounds it.
struct RuleCell {
  std::vector<std::string> nodes;                ///< rules of the scene that join the two
  std::vector<const InteractionKind*> possible;  ///< that could join them besides
  bool by_itself = false;                        ///< one of the two sees to it without a rule
  std::string says;                              ///< what happens, or why nothing does; may be empty
};

struct RuleMatrix {
  std::vector<NamedKind> systems;       ///< in the order of the scene
  std::vector<NamedKind> surroundings;  ///< fields, and the obstacles as one
  std::vector<RuleCell> cells;          ///< of pairs (row, column) with column <= row, row by row; then of surroundings, every column

  [[nodiscard]] std::size_t rows() const { return systems.size() + surroundings.size(); }
  [[nodiscard]] std::size_t columns(std::size_t row) const { return std::min(row + 1, systems.size()); }
  [[nodiscard]] const NamedKind& row(std::size_t i) const { return i < systems.size() ? systems[i] : surroundings[i - systems.size()]; }
  [[nodiscard]] const RuleCell& at(std::size_t row, std::size_t column) const;
};
[[nodiscard]] RuleMatrix rule_matrix(const Node& scene, const Registry& registry = default_registry());

/// Whether a rule's node is switched on; always, where its kind has no switch.
[[nodiscard]] bool is_switched_on(const Node& rule);

/// A rule of that kind between two systems of the scene alone, under a name that is not taken.
[[nodiscard]] Node rule_between(const Node& scene, const InteractionKind& kind, const std::string& a, const std::string& b);

}  // namespace vw
