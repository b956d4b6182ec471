// The kinds of node that one slot of a scene allows. A kind combines a schema with the parameter rows that read a
// struct from a node of that schema.
#pragma once

#include <utility>

#include "sim/base/node.h"

namespace vw {

/// Concatenates the rows of two tables.
template <class T>
[[nodiscard]] std::vector<Param<T>> joined(std::vector<Param<T>> first, std::vector<Param<T>> second) {
  for (auto& one : second) first.push_back(std::move(one));
  return first;
}

/// One kind of node. Further properties of a kind are members of a derived struct. Kinds live for the whole program,
/// because their schemas must.
template <class T>
struct NodeKind {
  NodeKind(std::string kind, std::string doc, std::vector<Param<T>> declared, std::vector<Slot> slots = {})
      : rows(std::move(declared)), schema{std::move(kind), std::move(doc), {}, std::move(slots)} {
    for (const auto& row : rows) schema.params.push_back(row.spec());
  }
  /// The struct described by a node of this kind. The node's values have already been checked.
  [[nodiscard]] T read(const Node& self) const {
    T params;
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i].set(params, self.values[i]);
    return params;
  }

  std::vector<Param<T>> rows;
  Schema schema;
};

template <class Kind>
[[nodiscard]] std::vector<const Schema*> schemas_of(const std::vector<Kind>& kinds) {
  std::vector<const Schema*> all;
  for (const Kind& kind : kinds) all.push_back(&kind.schema);
  return all;
}

/// The kind with the node's schema, or null if the node belongs to another slot.
template <class Kind>
[[nodiscard]] const Kind* find_kind(const std::vector<Kind>& kinds, const Node& self) {
  for (const Kind& kind : kinds)
    if (&kind.schema == self.schema) return &kind;
  return nullptr;
}

/// The kind of a node in this slot. The scene's schema guarantees that it exists.
template <class Kind>
[[nodiscard]] const Kind& kind_of(const std::vector<Kind>& kinds, const Node& self) {
  const Kind* found = find_kind(kinds, self);
  return found != nullptr ? *found : kinds.front();
}

}  // namespace vw
