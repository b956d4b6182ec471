// The explicit tables of what a world may hold, and the schema of a scene composed from them. Adding a kind is one row.
#pragma once

#include <span>
#include <vector>

#include "sim/base/node.h"
#include "sim/interaction/interaction.h"
#include "sim/system/system.h"

namespace vw {

/// All system kinds, ordered by name.
[[nodiscard]] std::span<const SystemKind> system_kinds();

/// Root schema of a scene: params format, title, description, group; slots world (single), view (single), material, field, collider, system,
/// interaction, plot.
/// Children of a scene node are kept in slot order, within a slot in file order.
[[nodiscard]] const Schema& scene_schema();

/// The tables that a world is made from. The program has one; tests bring their own with systems of known behaviour.
struct Registry {
  const Schema* scene = nullptr;
  std::vector<SystemKind> systems;
  std::vector<InteractionKind> interactions;
  [[nodiscard]] const SystemKind* system(std::string_view kind) const;            ///< null when unknown
  [[nodiscard]] const InteractionKind* interaction(std::string_view kind) const;  ///< null when unknown
};
[[nodiscard]] const Registry& default_registry();
/// The schema of a scene that may hold these systems and rules (fields, colliders, materials and view are everyone's).
[[nodiscard]] Schema make_scene_schema(std::span<const SystemKind> systems, std::span<const InteractionKind> interactions);

/// World-wide tunables: slot `world` of a scene.
struct WorldParams {
  double dt_s = 1.0 / 120;
  Vec3 gravity{0, -9.81, 0};
  std::int64_t seed = 1;
  double speed = 1;  ///< simulated seconds per wall second asked for
  std::int64_t max_substeps = 100000;
  double energy_limit = 1e6;         ///< growth of kinetic energy in one step that counts as an explosion
  double step_budget = 1e11;         ///< largest expected cost of a step (System::step_cost)
  double medium_density = 0;         ///< [kg/m^3]; 0: none
  double medium_viscosity = 1.8e-5;  ///< [Pa s]
};
[[nodiscard]] const ParamTable<WorldParams>& world_params();

/// Appends a default node for every interaction kind whose two system kinds are present and which the scene does not mention,
/// so that sensible pairs interact by default and every rule in force can be seen and tuned.
void add_default_interactions(Node& scene, const Registry& registry = default_registry());

/// Names are unique in a slot, references exist: what a schema alone cannot say. By convention a system's text `material` and its list
/// `palette` name materials, a rule's texts `a` and `b` name systems (empty: every system of the kind).
[[nodiscard]] Result<void> check_references(const Node& scene, const Registry& registry = default_registry());

/// The pairs of systems that a rule's node joins, as indices into `systems`: first of kind_a, second of kind_b, in the order given.
struct SystemPair {
  std::size_t a = 0, b = 0;
};
struct NamedKind {
  std::string name, kind;
};
[[nodiscard]] std::vector<SystemPair> joined_pairs(const Node& rule, const InteractionKind& kind, std::span<const NamedKind> systems);

}  // namespace vw
