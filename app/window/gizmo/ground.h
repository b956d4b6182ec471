// Height of the surface below a part of the scene. This file does not use the GUI.
#pragma once

#include <functional>
#include <optional>

#include "app/window/gizmo/node_pose.h"
#include "render/scene/mesh_pick.h"

namespace vw {

/// Height [m] of the lowest point of a part's place and outline.
[[nodiscard]] double lowest_height(const PosedPart& part);
/// Height [m] of the highest obstacle or element below the footprint of a part, found by vertical rays from the lowest
/// height of the part. Fluids and transparent obstacles do not count. Empty if there is nothing below. `drop_of`
/// returns the distance [m] by which an object below is itself going to be lowered; null if nothing else moves.
[[nodiscard]] std::optional<double> height_below(const Snapshot& snapshot, MeshTrees& trees, const PosedPart& part,
                                                 const std::function<double(const Pick&)>& drop_of = {});

}  // namespace vw
