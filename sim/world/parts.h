// The parts of a world, built from a scene tree: systems, rules, fields, colliders, actuators and sensors. Each list is
// ordered by name.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "sim/world/registry.h"
#include "sim/world/step/collider_set.h"
#include "sim/world/step/control_loop.h"

namespace vw {

/// A rule between two systems. A node that couples several pairs of systems creates several rules.
struct Rule {
  std::string node;  ///< name of the rule's node
  std::string kind;
  std::string label;  ///< unique label "node:a:b", which determines the order in which rules run
  std::unique_ptr<Interaction> interaction;
  SystemPair pair;  ///< indices of the two systems in WorldParts::systems
  /// Whether the rule acts in this step: the rule is enabled, and both systems exert forces.
  bool works = false;
};

struct WorldParts {
  WorldParams params;
  std::vector<std::unique_ptr<System>> systems;
  std::vector<Rule> rules;
  FieldSet fields;
  ColliderSet colliders;
  ControlLoop control;
  /// New identities (permanent ids, or row numbers if there are no ids) of the elements of each system whose child
  /// nodes changed, by the name of the system. The lists are indexed by the former identity (System::continue_from).
  /// rebuild_parts() fills them.
  std::map<std::string, std::vector<std::int64_t>> identities;
  void take_over(const WorldParams& world) {
    params = world;
    fields.set_medium({world.medium_density, world.medium_viscosity});
  }
};

/// Builds all parts. Shapes loaded from files are reused from `before` where possible. `awaits_state` tells whether a
/// state of a running world will be loaded (ColliderSet::attach).
[[nodiscard]] Result<WorldParts> build_parts(const Node& scene, const Registry& registry,
                                             const ColliderSet* before = nullptr, bool awaits_state = false);

/// The parts that rebuild_parts() keeps. The maps give the former name of a part by its present name.
struct KeptParts {
  std::map<std::string, std::string> systems, rules, fields, colliders;
  /// Paths of kept nodes with changed values ("system.creature"). Their parts are rebuilt and take over the former
  /// state.
  std::set<std::string> remade;
  /// Kept systems whose child nodes changed, by name. The inner maps give the former names of renamed children by
  /// "SLOT.NAME" (System::continue_from). These systems are also in `remade`.
  std::map<std::string, std::map<std::string, std::string>> adapted;
};
/// Builds the parts of a changed scene. Kept systems, rules and fields continue with their state. A kept rule continues
/// only if both its systems are kept and not adapted (KeptParts::adapted). New parts start at `time` [s] in their
/// initial state. After success, `before` must not be used again. After an error, `before` is unchanged. Actuators and
/// sensors are built without state.
[[nodiscard]] Result<WorldParts> rebuild_parts(const Node& scene, const Registry& registry, WorldParts& before,
                                               const KeptParts& kept, double time);

/// Checks that the measured systems have the channels, totals, vectors and joints that the sensors of `parts` name.
/// build_parts() and rebuild_parts() call this function.
[[nodiscard]] Result<void> check_sensor_names(const WorldParts& parts);

/// Checks the names of channels and vectors in the view. build_parts() and rebuild_parts() call this function.
[[nodiscard]] Result<void> check_view_channels(const Node& scene, const WorldParts& parts);

/// The following functions build parts that have no state. These parts are rebuilt after an edit.
[[nodiscard]] WorldParams read_world_params(const Node& scene);
[[nodiscard]] Result<FieldSet> build_fields(const Node& scene);
/// Builds one field from its node.
[[nodiscard]] Result<std::unique_ptr<Field>> build_field(const Node& scene, const Node& field);

}  // namespace vw
