#include "app/window/document/rule_matrix.h"

#include <algorithm>

#include "app/window/document/scene_edit.h"

namespace vw {
namespace {

bool joins(std::span<const SystemPair> pairs, std::size_t x, std::size_t y) {
  return std::ranges::any_of(
      pairs, [&](const SystemPair& pair) { return (pair.a == x && pair.b == y) || (pair.a == y && pair.b == x); });
}

bool can_join(const InteractionKind& kind, const NamedKind& x, const NamedKind& y) {
  const bool either =
      (kind.kind_a == x.kind && kind.kind_b == y.kind) || (kind.kind_a == y.kind && kind.kind_b == x.kind);
  return either && kind.joins(x.name == y.name ? Sides::one_system : Sides::two_systems);
}

void read_decision(const NamedKind& x, const NamedKind& y, Sides sides, RuleCell& cell) {
  const auto decision = decide_pair(x.kind, y.kind, sides);
  if (!decision) return;
  cell.by_itself = decision->answer == PairAnswer::system;
  cell.says = decision->because;
}

void set_if_there(Node& node, std::string_view param, const std::string& value) {
  const auto& params = node.schema->params;
  if (std::ranges::any_of(params,
                          [&](const ParamSpec& spec) { return spec.name == param && spec.type == ParamType::text; }))
    node.set(param, Value(value));
}

}  // namespace

const RuleCell& RuleMatrix::at(std::size_t row, std::size_t column) const {
  const std::size_t n = systems.size(), first = row <= n ? row * (row + 1) / 2 : n * (n + 1) / 2 + (row - n) * n;
  return cells[first + column];
}

RuleMatrix rule_matrix(const Node& scene, const Registry& registry) {
  RuleMatrix matrix;
  for (const Node* system : scene.all("system")) matrix.systems.push_back({system->name, system->schema->kind});
  for (const Node* field : scene.all("field")) matrix.surroundings.push_back({field->name, "field"});
  if (!scene.all("collider").empty()) matrix.surroundings.push_back({"obstacles", "collider"});
  struct Joined {
    const Node* node;
    const InteractionKind* kind;
    std::vector<SystemPair> pairs;
  };
  std::vector<Joined> rules;
  for (const Node* node : scene.all("interaction"))
    if (const InteractionKind* kind = registry.interaction(node->schema->kind))
      rules.push_back({node, kind, joined_pairs(*node, *kind, matrix.systems)});
  for (std::size_t row = 0; row < matrix.rows(); ++row)
    for (std::size_t column = 0; column < matrix.columns(row); ++column) {
      RuleCell& cell = matrix.cells.emplace_back();
      const NamedKind &x = matrix.row(row), &y = matrix.systems[column];
      read_decision(x, y, row == column ? Sides::one_system : Sides::two_systems, cell);
      if (row >= matrix.systems.size()) continue;
      for (const InteractionKind& kind : registry.interactions) {
        if (!can_join(kind, x, y)) continue;
        const std::size_t before = cell.nodes.size();
        for (const Joined& rule : rules)
          if (rule.kind == &kind && joins(rule.pairs, row, column)) cell.nodes.push_back(rule.node->name);
        if (cell.nodes.size() == before) cell.possible.push_back(&kind);
      }
    }
  return matrix;
}

bool is_switched_on(const Node& rule) {
  const auto& params = rule.schema->params;
  const auto found = std::ranges::find_if(
      params, [](const ParamSpec& s) { return s.name == "enabled" && s.type == ParamType::boolean; });
  return found == params.end() || std::get<bool>(rule.values[static_cast<std::size_t>(found - params.begin())]);
}

Node rule_between(const Node& scene, const InteractionKind& kind, const std::string& a, const std::string& b) {
  Node rule = fresh_node(scene, "interaction", *kind.schema);
  set_if_there(rule, "a", a);
  set_if_there(rule, "b", b);
  return rule;
}

}  // namespace vw
