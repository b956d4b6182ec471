// Bodies of the running world that the gizmo moves: their present poses, and the commands that move them. This file
// does not use the GUI.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/window/gizmo/group_pose.h"
#include "sim/api/run.h"
#include "sim/snapshot/snapshot.h"

namespace vw {

/// Part of a body in its pose in the snapshot, or none if the node at `path` is not a rigid or voxel body of the
/// snapshot. PosedPart::elements is set. The part can be moved and rotated, but not scaled.
[[nodiscard]] std::optional<PosedPart> running_part(const Node& root, const Snapshot& snapshot,
                                                    const std::string& path);

/// Commands that bring the running bodies of the group to their poses after `change`. Other parts are left out.
[[nodiscard]] std::vector<SetPose> poses_after(const PosedGroup& group, const PoseChange& change,
                                               const GizmoFrame& frame);

/// Commands that bring the bodies of the node at `path` to their present poses. They are needed after the node was
/// removed and added again. The bodies are a rigid body, all bodies of a rigid system, or a voxel body. Bodies with
/// joints are left out, because SetPose would also move the bodies to which they are connected.
[[nodiscard]] std::vector<SetPose> present_poses(const Node& root, const Snapshot& snapshot, const std::string& path);

}  // namespace vw
