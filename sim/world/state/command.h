// Commands are the only input to a running world. They are small plain values that are applied between fixed steps and
// recorded in the journal.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "sim/base/data/node_change.h"

namespace vw {

struct SetParameter {
  std::string path;
  Value value;
};
/// Attaches a critically damped spring between an element and a target point. Replaces the spring of an earlier Grab.
/// The masses of the element and its body limit the stiffness, so that the spring stays stable (limit_spring).
struct Grab {
  std::string system;
  std::int64_t element = 0;
  Vec3 target = Vec3::Zero();
  double stiffness_npm = 10;
};
struct MoveGrab {
  Vec3 target = Vec3::Zero();
};
struct Release {};
/// Applies an impulse [N s], distributed over the elements within `radius_m` of the given element in proportion to
/// their masses. If the radius is 0, the impulse acts on that element only.
struct Push {
  std::string system;
  std::int64_t element = 0;
  Vec3 impulse = Vec3::Zero();
  double radius_m = 0;
};
/// Removes elements of a flock or of particles. If `element` >= 0, removes that element and all elements within
/// `radius_m` of it. If `element` is -1, removes all elements within `radius_m` of `place` [m].
struct Remove {
  std::string system;
  std::int64_t element = -1;
  Vec3 place = Vec3::Zero();
  double radius_m = 0;
};
/// Adds `count` members of a species (the first species if empty) to a flock, around `place` [m].
struct Spawn {
  std::string system;
  std::string species;
  Vec3 place = Vec3::Zero();
  std::int64_t count = 1;
};
/// Moves a voxel body to its equilibrium under gravity, the loads of its regions and the colliders in their present
/// poses (sim/system/equilibrium.h). The body is at rest afterwards. If there is no equilibrium, the command returns an
/// error and the body does not move.
struct Settle {
  std::string system;
};
/// Moves a body between two steps and stops its motion. The body is a rigid body, together with the bodies to which
/// joints connect it, or a voxel body in its present shape. The centre of the given element moves to the given position
/// [m], and its orientation becomes the given rotation vector [rad]. Fluid particles at the new position are removed.
struct SetPose {
  std::string system;
  std::int64_t element = 0;  ///< index of the rigid body, or of any voxel of the voxel body
  Vec3 position = Vec3::Zero(), rotation = Vec3::Zero();
};
/// Returns to the initial state of the scene with the edited parameters. Edits of parameters that are not live then
/// take effect.
struct Reset {};
/// Adds, removes and renames nodes of the scene, then sets parameters, while the world continues. Either all changes
/// are applied or none. An added system starts at the present time. A system whose children change continues if
/// Slot::is_live allows it; the remaining elements then keep their motion. Otherwise that system restarts. All other
/// systems, and the rules between them, keep their state bit for bit, even if they are renamed.
///
/// If `resets` is true, the world instead restarts at time 0 from the changed scene, as with Reset. This is possible
/// even if the running world cannot accept the change, for example because an edit that waits for the next reset still
/// refers to a removed node.
struct ChangeNodes {
  /// NodeChange as plain data, without schemas.
  struct Change {
    NodeChange::Kind kind = NodeChange::Kind::add;
    std::string parent;
    NodeData node;
    std::optional<std::uint64_t> at = {};
    std::string new_name = {};
  };
  std::vector<Change> changes;
  std::vector<SetParameter> values;
  bool resets = false;
};
using Command =
    std::variant<SetParameter, Grab, MoveGrab, Release, Push, Settle, Reset, Remove, Spawn, ChangeNodes, SetPose>;

/// Returns whether the command sets the world back to time 0. Reset does this, and ChangeNodes with `resets`.
[[nodiscard]] bool restarts_world(const Command& command);
/// Returns the command that applies `changes`, in order, to a world with the scene `root`. Each change must be valid
/// for the tree that results from the previous changes.
[[nodiscard]] ChangeNodes change_command(Node root, std::span<const NodeChange> changes);
/// Returns the command that turns a world with the scene `from` into a world with the scene `to`. Nodes are matched by
/// slot and name; a node whose kind differs is replaced. The order of nodes in a slot is not compared.
[[nodiscard]] ChangeNodes difference_between(const Node& from, const Node& to);
/// Returns the names of the systems of the scene `before` that restart if the command is applied.
[[nodiscard]] std::vector<std::string> restarted_systems(const Node& before, const ChangeNodes& command);
/// Returns whether the system of the node `system` keeps its state when this change is applied to one of its children
/// (Slot::is_live).
[[nodiscard]] bool keeps_state(const Node& system, const ChangeNodes::Change& change);
/// Applies the changes of nodes, but not the values, to a tree. After an error, the tree is in an unspecified state.
[[nodiscard]] Result<void> apply_changes(Node& root, const ChangeNodes& command);

/// Returns one line of JSON without a line break, for example {"set":{"path":"world.gravity","value":[0,-9.81,0]}}. The
/// line parses back to the same bits.
[[nodiscard]] std::string to_json(const Command& command);
[[nodiscard]] Result<Command> command_from_json(std::string_view text);

}  // namespace vw
