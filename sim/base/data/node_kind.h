// Kinds of nodes for one slot of a scene. A kind combines a schema with a parameter table, which reads a struct from a
// node of that schema.
#pragma once

#include <utility>

#include "sim/base/data/node.h"

namespace vw {

/// One kind of node. A derived struct can add further properties. Kinds must exist until the end of the program,
/// because schemas must.
template <class T>
struct NodeKind {
  NodeKind(std::string kind, std::string doc, ParamTable<T> declared, std::vector<Slot> slots = {})
      : table(std::move(declared)), schema{std::move(kind), std::move(doc), table.specs(), std::move(slots)} {}
  /// Returns the struct described by a node of this kind. The node's values have already been checked.
  [[nodiscard]] T read(const Node& self) const { return table.read(self.values); }

  ParamTable<T> table;
  Schema schema;
};

template <class Kind>
[[nodiscard]] std::vector<const Schema*> schemas_of(const std::vector<Kind>& kinds) {
  std::vector<const Schema*> all;
  for (const Kind& kind : kinds) all.push_back(&kind.schema);
  return all;
}

/// Returns the kind with the node's schema, or null if `kinds` does not contain it.
template <class Kind>
[[nodiscard]] const Kind* find_kind(const std::vector<Kind>& kinds, const Node& self) {
  for (const Kind& kind : kinds)
    if (&kind.schema == self.schema) return &kind;
  return nullptr;
}

/// Returns the kind of a node in the slot whose kinds are `kinds`. The scene's schema guarantees that `kinds` contains
/// the kind.
template <class Kind>
[[nodiscard]] const Kind& kind_of(const std::vector<Kind>& kinds, const Node& self) {
  const Kind* found = find_kind(kinds, self);
  return found != nullptr ? *found : kinds.front();
}

}  // namespace vw
