// Height of the surface below a part of the scene. This file does not use the GUI.
#pragma once

#include <optional>

#include "app/window/gizmo/node_pose.h"
#include "render/scene/mesh_pick.h"

namespace vw {

/// Height [m] of the lowest point of a part's outline, or of its place if it has no outline.
[[nodiscard]] double lowest_height(const PosedPart& part);
/// Height [m] of the highest obstacle or element below the footprint of a part, found by vertical rays from the lowest
/// height of the part. Fluids and transparent obstacles do not count. Empty if there is nothing below.
[[nodiscard]] std::optional<double> height_below(const Snapshot& snapshot, MeshTrees& trees, const PosedPart& part);

}  // namespace vw
