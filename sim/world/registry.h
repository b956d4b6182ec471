// Tables of the kinds of systems, rules and materials that a world may contain, and the schema of a scene, which is
// composed from them. To add a kind, add one row to a table.
#pragma once

#include <span>
#include <vector>

#include "sim/base/data/node.h"
#include "sim/interaction/interaction.h"
#include "sim/system/system.h"

namespace vw {

/// Returns all system kinds, ordered by name.
[[nodiscard]] std::span<const SystemKind> system_kinds();
/// Returns the schemas of slot `material`, which the systems of some kinds refer to.
[[nodiscard]] std::span<const Schema* const> material_schemas();

/// Returns the root schema of a scene. Parameters: format, title, description, try_first, group. Slots: world (single),
/// view (single), material, field, collider, system, interaction, sensor, actuator, plot. Children of a scene node are
/// kept in slot order, and within a slot in file order.
[[nodiscard]] const Schema& scene_schema();

/// The tables from which a world is built. The program uses default_registry(). Tests supply tables with their own
/// systems of known behaviour.
struct Registry {
  const Schema* scene = nullptr;
  std::vector<SystemKind> systems;
  std::vector<InteractionKind> interactions;
  [[nodiscard]] const SystemKind* system(std::string_view kind) const;            ///< null if unknown
  [[nodiscard]] const InteractionKind* interaction(std::string_view kind) const;  ///< null if unknown
};
[[nodiscard]] const Registry& default_registry();
/// Returns the schema of a scene that may contain these systems and rules. The kinds of fields, colliders, materials
/// and views are the same for all schemas.
[[nodiscard]] Schema make_scene_schema(std::span<const SystemKind> systems,
                                       std::span<const InteractionKind> interactions);

/// Parameters of the world itself: slot `world` of a scene.
struct WorldParams {
  double dt_s = 1.0 / 120;
  Vec3 gravity{0, -9.81, 0};
  std::int64_t seed = 1;
  double speed = 1;  ///< requested simulated seconds per wall second
  std::int64_t max_substeps = 100000;
  /// Largest factor by which a system's kinetic energy may grow in one step. Faster growth stops the world.
  double energy_limit = 1e6;
  double step_budget = 1e11;         ///< largest expected cost of a step, in evaluations (System::step_cost)
  double medium_density = 0;         ///< density of the medium [kg/m^3]; 0 means no medium
  double medium_viscosity = 1.8e-5;  ///< viscosity of the medium [Pa s]
};
[[nodiscard]] const ParamTable<WorldParams>& world_params();

/// Adds a node with default values for each interaction kind that acts by default, if both of its system kinds are
/// present and the scene has no node of this kind. Every active rule thus has a node that can be inspected and edited.
void add_default_interactions(Node& scene, const Registry& registry = default_registry());

/// Checks what a schema cannot express: names must be unique within a slot, and the names by which nodes refer to
/// others must exist. Parameters of systems with the reference type "material" (ParamSpec::refers_to) refer to
/// materials. The parameters `a` and `b` of a rule refer to systems; if one is empty, it stands for every system of a
/// kind that the rule accepts.
[[nodiscard]] Result<void> check_references(const Node& scene, const Registry& registry = default_registry());

/// Checks the names of systems, rules, colliders, fields and quantities in the view. check_references() calls this
/// function. The names of channels and vectors are checked by check_view_channels() of parts.h.
[[nodiscard]] Result<void> check_view(const Node& scene);

/// A pair of systems coupled by a rule's node, as indices into the list of systems. System `a` has the rule's kind_a,
/// system `b` its kind_b.
struct SystemPair {
  std::size_t a = 0, b = 0;
};
struct NamedKind {
  std::string name, kind;
};
[[nodiscard]] std::vector<SystemPair> joined_pairs(const Node& rule, const InteractionKind& kind,
                                                   std::span<const NamedKind> systems);

}  // namespace vw
