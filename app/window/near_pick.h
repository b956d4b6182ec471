// Picks small elements near a click: a distant flock member covers only a few pixels, and it moves.
#pragma once

#include <optional>

#include "render/camera.h"
#include "render/renderer.h"
#include "render/scene/cut.h"

namespace vw {

struct ClickPlace {
  glm::vec2 at{0}, size{1};  ///< pointer position from the picture's upper left corner, and the picture's size [px]
  float reach_px = 8;
  float end_m = 0;  ///< distance to the nearest opaque object at the pointer; 0: none
};

/// Returns the member or particle whose centre is nearest to the pointer in the picture, within `reach_px` and not
/// farther than `end_m`. Elements that are cut away, and systems named in `hidden`, are ignored.
[[nodiscard]] std::optional<Pick> pick_near(const Snapshot& snapshot, const Camera& camera, const ClickPlace& click,
                                            const CutPlane& cut = {}, std::span<const std::string> hidden = {});

}  // namespace vw
