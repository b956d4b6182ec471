#include "app/window/rule_matrix.h"

#include <algorithm>

namespace vw {
namespace {

bool joins(std::span<const SystemPair> pairs, std::size_t x, std::size_t y) {
  return std::ranges::any_of(pairs, [&](const SystemPair& pair) { return (pair.a == x && pair.b == y) || (pair.a == y && pair.b == x); });
}

const InteractionKind* kind_for(const NamedKind& x, const NamedKind& y, const Registry& registry) {
  const auto fits = [&](const InteractionKind& kind) {
    const bool either = (kind.kind_a == x.kind && kind.kind_b == y.kind) || (kind.kind_a == y.kind && kind.kind_b == x.kind);
    return either && (x.name != y.name || kind.within);
  };
  const auto found = std::ranges::find_if(registry.interactions, fits);
  return found == registry.interactions.end() ? nullptr : &*found;
}

std::string why_not(const NamedKind& x, const NamedKind& y) {
  if (x.name == y.name) return "What happens within this system is its own.";
  return "No rule joins a system of kind " + x.kind + " with one of kind " + y.kind + ".";
}

void set_if_there(Node& node, std::string_view param, const std::string& value) {
  const auto& params = node.schema->params;
  if (std::ranges::any_of(params, [&](const ParamSpec& spec) { return spec.name == param && spec.type == ParamType::text; }))
    node.set(param, Value(value));
}

}  // namespace

RuleMatrix rule_matrix(const Node& scene, const Registry& registry) {
  RuleMatrix matrix;
  for (const Node* system : scene.all("system")) matrix.systems.push_back({system->name, system->schema->kind});
  struct Joined {
    const Node* node;
    std::vector<SystemPair> pairs;
  };
  std::vector<Joined> rules;
  for (const Node* node : scene.all("interaction"))
    if (const InteractionKind* kind = registry.interaction(node->schema->kind)) rules.push_back({node, joined_pairs(*node, *kind, matrix.systems)});
  for (std::size_t row = 0; row < matrix.systems.size(); ++row)
    for (std::size_t column = 0; column <= row; ++column) {
      RuleCell& cell = matrix.cells.emplace_back();
      for (const Joined& rule : rules)
        if (joins(rule.pairs, row, column)) cell.nodes.push_back(rule.node->name);
      if (!cell.nodes.empty()) continue;
      cell.kind = kind_for(matrix.systems[row], matrix.systems[column], registry);
      if (cell.kind == nullptr) cell.why_not = why_not(matrix.systems[row], matrix.systems[column]);
    }
  return matrix;
}

bool is_switched_on(const Node& rule) {
  const auto& params = rule.schema->params;
  const auto found = std::ranges::find_if(params, [](const ParamSpec& s) { return s.name == "enabled" && s.type == ParamType::boolean; });
  return found == params.end() || std::get<bool>(rule.values[static_cast<std::size_t>(found - params.begin())]);
}

Node rule_between(const Node& scene, const InteractionKind& kind, const std::string& a, const std::string& b) {
  std::string name = kind.schema->kind;
  for (int k = 2; scene.find("interaction", name) != nullptr; ++k) name = kind.schema->kind + "-" + std::to_string(k);
  const auto& slots = scene.schema->slots;
  const auto slot = std::ranges::find_if(slots, [](const Slot& s) { return s.name == "interaction"; });
  Node rule = make_node(*kind.schema, name, static_cast<std::size_t>(slot - slots.begin()));
  set_if_there(rule, "a", a);
  set_if_there(rule, "b", b);
  return rule;
}

}  // namespace vw
