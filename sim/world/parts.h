// The living parts of a world, built from a scene tree: systems, rules, fields, colliders, each in the order of its names.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/world/collider_set.h"
#include "sim/world/registry.h"

namespace vw {

/// One rule at work between two systems. A node that joins several pairs becomes several rules.
struct Rule {
  std::string node;  ///< name of its node
  std::string kind;
  std::string label;  ///< node:a:b, unique; rules run in this order
  std::unique_ptr<Interaction> interaction;
  SystemPair pair;     ///< indices into WorldParts::systems; a is of the rule's kind_a
  bool works = false;  ///< in this step: it is on, and neither side are tracers, which push nobody
};

struct WorldParts {
  WorldParams params;
  std::vector<std::unique_ptr<System>> systems;
  std::vector<Rule> rules;
  FieldSet fields;
  ColliderSet colliders;
  void take_over(const WorldParams& world) {
    params = world;
    fields.set_medium({world.medium_density, world.medium_viscosity});
  }
};

/// Shapes from files are taken from `before`, as far as it has them.
[[nodiscard]] Result<WorldParts> build_parts(const Node& scene, const Registry& registry, const ColliderSet* before = nullptr);

/// Parts that hold no state are simply built anew after an edit.
[[nodiscard]] WorldParams read_world_params(const Node& scene);
[[nodiscard]] Result<FieldSet> build_fields(const Node& scene);
/// One of them.
[[nodiscard]] Result<std::unique_ptr<Field>> build_field(const Node& scene, const Node& field);

}  // namespace vw
