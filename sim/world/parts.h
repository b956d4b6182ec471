// The living parts of a world, built from a scene tree: systems, rules, fields, colliders, each in the order of its names.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/world/registry.h"

namespace vw {

/// One rule at work between two systems. A node that joins several pairs becomes several rules.
struct Rule {
  std::string node;   ///< name of its node
  std::string label;  ///< node:a:b, unique; rules run in this order
  std::unique_ptr<Interaction> interaction;
  SystemPair pair;  ///< indices into WorldParts::systems; a is of the rule's kind_a
};

struct WorldParts {
  WorldParams params;
  std::vector<std::unique_ptr<System>> systems;
  std::vector<Rule> rules;
  FieldSet fields;
  std::vector<Collider> colliders;  ///< as their nodes say, at time 0
};

[[nodiscard]] Result<WorldParts> build_parts(const Node& scene, const Registry& registry);

/// Parts that hold no state are simply built anew after an edit.
[[nodiscard]] WorldParams read_world_params(const Node& scene);
[[nodiscard]] Result<FieldSet> build_fields(const Node& scene);
[[nodiscard]] Result<std::vector<Collider>> build_colliders(const Node& scene);

/// Where a collider is at a time: a function of time, so that moving ones need no state. Allocates nothing.
struct Pose {
  Vec3 position;
  Quat orientation;
};
[[nodiscard]] Pose pose_at(const Collider& collider, double time);

}  // namespace vw
