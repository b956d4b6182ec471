// The parts of a world, built from a scene tree: systems, rules, fields and colliders, each in the order of names.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/world/registry.h"
#include "sim/world/step/collider_set.h"

namespace vw {

/// A rule between two systems. A node that joins several pairs creates several rules.
struct Rule {
  std::string node;  ///< name of the rule's node
  std::string kind;
  std::string label;  ///< unique label "node:a:b"; rules run in the order of labels
  std::unique_ptr<Interaction> interaction;
  SystemPair pair;  ///< indices into WorldParts::systems; system `a` has the rule's kind_a
  /// Whether the rule acts in this step: it is enabled, and both sides exert forces.
  bool works = false;
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

/// Builds all parts. Shapes loaded from files are reused from `before` where possible.
[[nodiscard]] Result<WorldParts> build_parts(const Node& scene, const Registry& registry,
                                             const ColliderSet* before = nullptr);

/// The following functions build parts that have no state. Such parts are rebuilt after an edit.
[[nodiscard]] WorldParams read_world_params(const Node& scene);
[[nodiscard]] Result<FieldSet> build_fields(const Node& scene);
/// Builds one field from its node.
[[nodiscard]] Result<std::unique_ptr<Field>> build_field(const Node& scene, const Node& field);

}  // namespace vw
