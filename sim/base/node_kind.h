// The kinds of node that one slot of a scene allows: each a schema and the rows that read a struct from a node of it.
#pragma once

#include <utility>

#include "sim/base/node.h"

namespace vw {

/// The rows of one table after those of another.
template <class T>
[[nodiscard]] std::vector<Param<T>> joined(std::vector<Param<T>> first, std::vector<Param<T>> second) {
  for (auto& one : second) first.push_back(std::move(one));
  return first;
}

/// One kind. What else there is to it stands in a struct derived from this; kinds live for the whole program, as their schemas must.
template <class T>
struct NodeKind {
  NodeKind(std::string kind, std::string doc, std::vector<Param<T>> declared, std::vector<Slot> slots = {})
      : rows(std::move(declared)), schema{std::move(kind), std::move(doc), {}, std::move(slots)} {
    for (const auto& row : rows) schema.params.push_back(row.spec());
  }
  /// The struct that a node of this kind describes; its values are checked already.
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

/// The kind whose schema the node has; null if it is a node of another slot.
template <class Kind>
[[nodiscard]] const Kind* find_kind(const std::vector<Kind>& kinds, const Node& self) {
  for (const Kind& kind : kinds)
    if (&kind.schema == self.schema) return &kind;
  return nullptr;
}

/// The same of a node that stands in this slot: the scene's schema allows no other kinds there.
template <class Kind>
[[nodiscard]] const Kind& kind_of(const std::vector<Kind>& kinds, const Node& self) {
  const Kind* found = find_kind(kinds, self);
  return found != nullptr ? *found : kinds.front();
}

}  // namespace vw
