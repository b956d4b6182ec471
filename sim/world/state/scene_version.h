// The scene of a running world at one time, in three forms: as built, as edited, and with the values in use. Commands
// can be applied to these trees without a world, so that a history need not store trees for every moment.
#pragma once

#include <vector>

#include "sim/base/data/node.h"
#include "sim/world/state/command.h"

namespace vw {

struct SceneVersion {
  Node original;                     ///< scene from which the world was built, including `changes`
  Node scene;                        ///< `original` with every edit of parameters
  Node in_force;                     ///< `original` with the edits of parameters that have taken effect
  std::vector<ChangeNodes> changes;  ///< changes of nodes since the world was built
};

/// Returns whether a command changes the scene of a world: an assignment, a change of nodes or a reset.
[[nodiscard]] bool changes_scene(const Command& command);
/// Changes the trees in the same way as World::apply(). A world with this version must have accepted the command.
/// Numbers that an actuator no longer drives get the values of the scene. Other driven numbers keep their values or get
/// those of the scene; the next step of a world sets them again. After an error, only driven numbers may have changed.
[[nodiscard]] Result<void> advance_scene(SceneVersion& version, const Command& command);

}  // namespace vw
