// The explicit tables of what a world may hold, and the schema of a scene composed from them. Adding a kind is one row.
#pragma once

#include <span>

#include "sim/base/node.h"
#include "sim/interaction/interaction.h"
#include "sim/system/system.h"

namespace vw {

/// All system kinds, ordered by name.
[[nodiscard]] std::span<const SystemKind> system_kinds();

/// Root schema of a scene: params format, title, description; slots world (single), view (single), material, field, collider, system, interaction.
/// Children of a scene node are kept in slot order, within a slot in file order.
[[nodiscard]] const Schema& scene_schema();

/// World-wide tunables: slot `world` of a scene.
struct WorldParams {
  double dt_s = 1.0 / 120;
  Vec3 gravity{0, -9.81, 0};
  std::int64_t seed = 1;
  double speed = 1;              ///< simulated seconds per wall second asked for
  std::int64_t max_substeps = 100000;
  double energy_limit = 1e6;     ///< growth of kinetic energy in one step that counts as an explosion
};
[[nodiscard]] const ParamTable<WorldParams>& world_params();

/// Appends a default node for every interaction kind whose two system kinds are present and which the scene does not mention,
/// so that sensible pairs interact by default and every rule in force can be seen and tuned.
void add_default_interactions(Node& scene);

/// Names are unique in a slot, references (material, system names in rules) exist: what a schema alone cannot say.
[[nodiscard]] Result<void> check_references(const Node& scene);

}  // namespace vw
