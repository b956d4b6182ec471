#include "sim/api/analysis/rule_matrix.h"

#include <span>
#include <string_view>
#include <utility>

#include "sim/world/registry.h"

namespace vw::api {
namespace {

bool joins(std::span<const SystemPair> pairs, std::size_t x, std::size_t y) {
  return std::ranges::any_of(
      pairs, [&](const SystemPair& pair) { return (pair.a == x && pair.b == y) || (pair.a == y && pair.b == x); });
}

bool can_join(const InteractionKind& kind, const Participant& x, const Participant& y) {
  const bool either =
      (kind.kind_a == x.kind && kind.kind_b == y.kind) || (kind.kind_a == y.kind && kind.kind_b == x.kind);
  return either && kind.joins(x.name == y.name ? Sides::one_system : Sides::two_systems);
}

void read_decision(const Participant& x, const Participant& y, Sides sides, RuleCell& cell) {
  const auto decision = decide_pair(x.kind, y.kind, sides);
  if (!decision) return;
  cell.by_itself = decision->answer == PairAnswer::system;
  cell.says = decision->because;
}

}  // namespace

const RuleCell& RuleMatrix::at(std::size_t row, std::size_t column) const {
  const std::size_t n = systems.size(), first = row <= n ? row * (row + 1) / 2 : n * (n + 1) / 2 + (row - n) * n;
  return cells[first + column];
}

RuleMatrix rule_matrix(const Node& scene) {
  const Registry& registry = default_registry();
  RuleMatrix matrix;
  for (const Node* system : scene.all("system")) matrix.systems.push_back({system->name, system->schema->kind});
  for (const Node* field : scene.all("field")) matrix.surroundings.push_back({field->name, "field"});
  if (!scene.all("collider").empty()) matrix.surroundings.push_back({"obstacles", "collider"});
  struct Joined {
    const Node* node;
    const InteractionKind* kind;
    std::vector<SystemPair> pairs;
  };
  std::vector<NamedKind> systems;
  for (const Participant& system : matrix.systems) systems.push_back({system.name, system.kind});
  std::vector<Joined> rules;
  for (const Node* node : scene.all("interaction"))
    if (const InteractionKind* kind = registry.interaction(node->schema->kind))
      rules.push_back({node, kind, joined_pairs(*node, *kind, systems)});
  for (std::size_t row = 0; row < matrix.rows(); ++row)
    for (std::size_t column = 0; column < matrix.columns(row); ++column) {
      RuleCell& cell = matrix.cells.emplace_back();
      const Participant &x = matrix.row(row), &y = matrix.systems[column];
      read_decision(x, y, row == column ? Sides::one_system : Sides::two_systems, cell);
      if (row >= matrix.systems.size()) continue;
      for (const InteractionKind& kind : registry.interactions) {
        if (!can_join(kind, x, y)) continue;
        const std::size_t before = cell.nodes.size();
        for (const Joined& rule : rules)
          if (rule.kind == &kind && joins(rule.pairs, row, column)) cell.nodes.push_back(rule.node->name);
        if (cell.nodes.size() == before) cell.possible.push_back(kind.schema);
      }
    }
  return matrix;
}

std::vector<Node> missing_default_rules(const Node& scene) {
  Node with = scene;
  add_default_interactions(with);
  std::vector<Node> missing;
  for (const Node* rule : with.all("interaction"))
    if (scene.find("interaction", rule->name) == nullptr) missing.push_back(*rule);
  return missing;
}

Result<void> check_scene_names(const Node& scene) { return check_references(scene); }

}  // namespace vw::api
