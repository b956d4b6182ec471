// The interactions of a scene, read from its tree: which rules couple which systems, and which further rules would be
// possible. This file is part of the library's stable interface. All types are plain data.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "sim/base/data/node.h"

namespace vw::api {

/// A system, a field or the group of all obstacles. A system has a row and a column of the matrix. Fields and obstacles
/// have a row only.
struct Participant {
  std::string name, kind;
};

/// Interaction of two systems, of a system with itself, or of a system with a field or the obstacles.
struct RuleCell {
  std::vector<std::string> nodes;  ///< names of the rules in the scene that couple the pair
  /// Kinds of rules that could couple the pair but are not among those of `nodes`.
  std::vector<const Schema*> possible;
  bool by_itself = false;  ///< true if one of the two systems computes the interaction without a rule
  std::string says;        ///< description of the interaction, or the reason why there is none; may be empty
};

/// Matrix of interactions. The rows of systems hold the interactions of two systems. Below them, the rows of fields and
/// obstacles (the surroundings) hold their interactions with systems.
struct RuleMatrix {
  std::vector<Participant> systems;       ///< in the order of the scene
  std::vector<Participant> surroundings;  ///< fields, and one entry for all obstacles
  /// Cells in row-major order. The row of a system contains the columns up to the diagonal. The row of a field or of
  /// the obstacles contains all columns.
  std::vector<RuleCell> cells;

  [[nodiscard]] std::size_t rows() const { return systems.size() + surroundings.size(); }
  [[nodiscard]] std::size_t columns(std::size_t row) const { return std::min(row + 1, systems.size()); }
  [[nodiscard]] const Participant& row(std::size_t i) const {
    return i < systems.size() ? systems[i] : surroundings[i - systems.size()];
  }
  [[nodiscard]] const RuleCell& at(std::size_t row, std::size_t column) const;
};
[[nodiscard]] RuleMatrix rule_matrix(const Node& scene);

/// Returns the rules that act by default between the systems of a scene but have no node in it. Their names are not
/// used in the scene yet.
[[nodiscard]] std::vector<Node> missing_default_rules(const Node& scene);

}  // namespace vw::api
