// Picks the objects in a region of the picture: the rectangle of a box selection or the polygon of a lasso.
#pragma once

#include <span>
#include <vector>

#include "app/window/gizmo/gizmo.h"
#include "render/renderer.h"
#include "render/scene/cut.h"

namespace vw {

/// Returns the rigid bodies, the other systems and the obstacles whose centres lie inside the polygon [px]. The centre
/// of a system is the middle of the bounding box of its elements; its Pick names the first element. Planes, objects
/// that the cut plane hides, and objects named in `hidden` are left out.
[[nodiscard]] std::vector<Pick> pick_in_region(const Snapshot& snapshot, const GizmoPicture& picture,
                                               const std::vector<glm::vec2>& polygon, const CutPlanes& cut = {},
                                               std::span<const std::string> hidden = {});

}  // namespace vw
