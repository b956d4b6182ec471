// The scene of a running world at one time: as built, as edited, and as far as edits have taken effect. Commands change
// a version without a world, so that a history of a run need not store trees for every moment.
#pragma once

#include <vector>

#include "sim/base/data/node.h"
#include "sim/world/state/command.h"

namespace vw {

struct SceneVersion {
  Node original;                     ///< scene from which the world was built, with `changes`
  Node scene;                        ///< `original` with every edit of parameters
  Node in_force;                     ///< `original` with the edits of parameters that have taken effect
  std::vector<ChangeNodes> changes;  ///< changes of nodes since the world was built
};

/// Whether a command changes the scene of a world: an assignment, a change of nodes or a reset.
[[nodiscard]] bool changes_scene(const Command& command);
/// Changes the trees as World::apply() does. The command must have been accepted by a world of this version. Numbers
/// that actuators drive have the values of the scene, because the next step sets them. On error, the version is
/// unchanged.
[[nodiscard]] Result<void> advance_scene(SceneVersion& version, const Command& command);

}  // namespace vw
