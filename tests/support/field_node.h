// Helpers that build fields from their parameters, for tests that apply to every kind of field.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "sim/field/field.h"

namespace vw::test {

/// Returns a node of the given kind with its default parameters.
inline Node field_node(std::string_view kind, std::string name = "wind") {
  for (const FieldKind& row : field_kinds())
    if (row.schema->kind == kind) return make_node(*row.schema, std::move(name));
  ADD_FAILURE() << "no field of kind " << kind;
  return {};
}

inline std::unique_ptr<Field> made_field(const Node& node, std::uint64_t world_seed = 1) {
  for (const FieldKind& row : field_kinds()) {
    if (row.schema != node.schema) continue;
    auto made = row.create(node, world_seed);
    if (made) return std::move(*made);
    ADD_FAILURE() << made.error().message();
  }
  return nullptr;
}

/// Returns the air velocity [m/s] at one position and time. Overloads take one field or a set of fields.
inline Vec3 air_at(const Field& field, const Vec3& place, double time = 0) {
  Vec3 u = Vec3::Zero();
  const FieldMoment moment{time, nullptr};
  field.prepare(moment);
  field.add_velocity(std::span(&place, 1), moment, std::span(&u, 1));
  return u;
}
inline Vec3 air_at(const FieldSet& fields, const Vec3& place, double time = 0) {
  Vec3 u = Vec3::Zero();
  fields.velocity(std::span(&place, 1), time, std::span(&u, 1));
  return u;
}

}  // namespace vw::test
