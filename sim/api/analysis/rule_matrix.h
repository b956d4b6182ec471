// The interactions of a scene, read from its tree: the rules that couple its systems, and the rules that could be
// added. This file is part of the library's stable interface. All types are plain data.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "sim/base/data/node.h"

namespace vw::api {

/// A system, a field or the group of all obstacles. A system has a row and a column of the matrix. Fields and obstacles
/// have only a row.
struct Participant {
  std::string name, kind;
};

/// Interaction of two systems, of a system with itself, or of a system with a field or the obstacles.
struct RuleCell {
  std::vector<std::string> nodes;  ///< names of the rules in the scene that couple the pair
  /// Kinds of rules that could couple the pair and are not yet among `nodes`.
  std::vector<const Schema*> possible;
  bool by_itself = false;  ///< whether one of the two systems computes the interaction without a rule
  std::string says;        ///< description of the interaction, or the reason why there is none; may be empty
};

/// Matrix of interactions. The rows of systems contain the interactions between two systems. The rows below contain the
/// interactions of fields and obstacles (the surroundings) with systems.
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

/// Returns the rules that act between the systems of a scene by default but have no node in it. The returned names are
/// not yet used in the scene.
[[nodiscard]] std::vector<Node> missing_default_rules(const Node& scene);

/// Checks the names and formulas by which parts of a scene refer to each other, such as the systems of rules and the
/// targets of actuators. A scene with such an error cannot be opened.
[[nodiscard]] Result<void> check_scene_names(const Node& scene);

}  // namespace vw::api
